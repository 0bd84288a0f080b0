"""A rung made up for the tests of this folder: every kind of return type, a
static helper, a table of functions, a struct; and folders made from it."""

import atexit
import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from course import write_course
from functions import taught_functions
from plan import make_plan
from tree import ROOT, File

RUNG = "m0-sums"
HEADER = """\
#ifndef SUMS_H
#define SUMS_H

#include <stddef.h>

struct pair {
    double low, high;
};

typedef int operation(int a, int b);

/* The sum of x (n,). */
int sum(const int *x, size_t n);

/* Twice the sum of x (n,). */
int sum_twice(const int *x, size_t n);

/* The least and the largest of x (n,). */
struct pair range(const int *x, size_t n);

/* out (n,) becomes 0, 1, 2 ... */
void count_up(int *out, size_t n);

const char *name_of(int number);

/* NULL for what is no operation. */
operation *operation_of(char sign);

int calculate(int a, char sign, int b);

#endif
"""
SOURCE = """\
/* Sums. */
#include "sums.h"

int sum(const int *x, size_t n)
{
    int total = 0;
    for (size_t i = 0; i < n; i++)
        total += x[i];
    return total;
}

/* Only this file knows it. */
static int twice(int x)
{
    return 2 * x;
}

int sum_twice(const int *x, size_t n)
{
    return twice(sum(x, n));
}

struct pair range(const int *x, size_t n)
{
    struct pair found = {x[0], x[0]};
    for (size_t i = 0; i < n; i++) {
        found.low = x[i] < found.low ? x[i] : found.low;
        found.high = x[i] > found.high ? x[i] : found.high;
    }
    return found;
}

void count_up(int *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int)i;
}

const char *name_of(int number)
{
    static const char *const names[] = {"none", "one"};
    return number < 2 ? names[number] : "many";
}

static int plus(int a, int b)
{
    return a + b;
}

static int minus(int a, int b)
{
    return a - b;
}

struct row {
    char sign;
    operation *apply;
};

static const struct row rows[] = {{'+', plus}, {'-', minus}};

operation *operation_of(char sign)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].sign == sign)
            return rows[i].apply;
    return NULL;
}

int calculate(int a, char sign, int b)
{
    operation *apply = operation_of(sign);
    return apply ? apply(a, b) : 0;
}
"""
MAIN = """\
#include "sums.h"

#include <stdio.h>

int main(void)
{
    const int x[] = {1, 2, 3};
    printf("%d\\n", sum_twice(x, 3));
    return 0;
}
"""
TEST = """\
#include "sums.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const int x[] = {3, 1, 2};

static void numbers_are_added(void **state)
{
    (void)state;
    assert_int_equal(sum(x, 3), 6);
    assert_int_equal(sum(x, 0), 0);
}

static void and_doubled(void **state)
{
    (void)state;
    assert_int_equal(sum_twice(x, 3), 12);
}

static void a_range_has_two_ends(void **state)
{
    (void)state;
    struct pair p = range(x, 3);
    assert_true(p.low == 1);
    assert_true(p.high == 3);
}

static void counting_begins_at_zero(void **state)
{
    (void)state;
    int out[3];
    count_up(out, 3);
    for (int i = 0; i < 3; i++) {
        if (out[i] != i)
            print_error("shape (3,), at (%d,): expected %d, got %d\\n", i, i,
                        out[i]);
        assert_true(out[i] == i);
    }
}

static void numbers_have_names(void **state)
{
    (void)state;
    assert_string_equal(name_of(1), "one");
    assert_string_equal(name_of(5), "many");
}

static void signs_are_operations(void **state)
{
    (void)state;
    assert_int_equal(calculate(5, '-', 2), 3);
    assert_int_equal(calculate(5, '*', 2), 0);
}

static void addition_is_one(void **state)
{
    (void)state;
    assert_int_equal(operation_of('+')(5, 2), 7);
}

/* As on a disk that is full. */
static void names_need_no_disk(void **state)
{
    (void)state;
    struct rlimit before, none;
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){0, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    const char *name = name_of(0);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_string_equal(name, "none");
}

static void the_program_prints_a_sum(void **state)
{
    (void)state;
    char text[80] = "", command[80];
    snprintf(command, sizeof command, "%s 2>&1", getenv("RUNG"));
    FILE *f = popen(command, "r");
    size_t size = fread(text, 1, sizeof text - 1, f);
    text[size] = 0;
    assert_int_equal(pclose(f), 0);
    assert_string_equal(text, "12\\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_added),
        cmocka_unit_test(and_doubled),
        cmocka_unit_test(a_range_has_two_ends),
        cmocka_unit_test(counting_begins_at_zero),
        cmocka_unit_test(numbers_have_names),
        cmocka_unit_test(signs_are_operations),
        cmocka_unit_test(addition_is_one),
        cmocka_unit_test(names_need_no_disk),
        cmocka_unit_test(the_program_prints_a_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""
# What each function's body is in SOURCE, to be filled in by a "student".
STUB = '    not_written("{}");\n'


def rung_files():
    """{path: File} of the made-up rung; its Makefile is a real rung's, with
    other rooms."""
    makefile = (ROOT / "m0-tokenizer/Makefile").read_text()
    makefile = re.sub(r"(?m)^PACKAGES = .*", "PACKAGES = cmocka", makefile)
    makefile = re.sub(r"(?m)^ROOMS = (.*\\\n)*.*", "ROOMS = low high", makefile)
    texts = {"Makefile": makefile, "low/sums.h": HEADER, "low/sums.c": SOURCE,
             "high/main.c": MAIN, "low/tests/test_sums.c": TEST}
    return {path: File(text.encode()) for path, text in texts.items()}


def bodies():
    """{function: its whole text in SOURCE}."""
    return {f.name: f.text for f in taught_functions(rung_files())}


@functools.lru_cache(maxsize=None)
def made_course():
    """A folder with the made-up rung's course, built, in `empty`; and its
    plan.  Made when it is first asked for."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="rung-made-up-"))
    atexit.register(shutil.rmtree, scratch)
    files = rung_files()
    plan = make_plan(RUNG, files, stores=[scratch / "store"])
    write_course(files, taught_functions(files), plan, scratch / "empty")
    subprocess.run(["make", "-s", "rung", "build/plain/test_sums"],
                   cwd=scratch / "empty", check=True)
    return scratch, plan


class MadeUpCourse(unittest.TestCase):
    """Folders for students, made from the made-up rung."""

    @classmethod
    def setUpClass(cls):
        cls.scratch, cls.plan = made_course()
        cls.files = rung_files()
        cls.store = cls.scratch / "store"

    def student(self, name, **written):
        """A folder in which some functions are written: as in the rung, or,
        given a text, so."""
        folder = self.scratch / f"{self.id().rpartition('.')[2]}-{name}"
        shutil.copytree(self.scratch / "empty", folder, symlinks=True,
                        copy_function=shutil.copy2)
        source = folder / "low/sums.c"
        text = source.read_text()
        for function, body in written.items():
            text = self.write(text, function, body)
        source.write_text(text)
        return folder

    def write(self, text, function, body):
        """Put a function's body in the place of its stub."""
        stub = STUB.format(function)
        self.assertIn(stub, text)
        if body is True:
            whole = bodies()[function]
            body = whole[whole.index("{") + 2:whole.rindex("}")]
        return text.replace(stub, body)

    def check(self, folder, *arguments):
        """Exit status and output of the folder's own check."""
        done = subprocess.run(
            [sys.executable, "course/check.py", *arguments], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def kinds(self, folder):
        """{function: (kind, on)} as the check says."""
        _, output = self.check(folder, "--json")
        return {v["name"]: (v["kind"], v["on"]) for v in json.loads(output)}


ALL = ("sum", "twice", "sum_twice", "range", "count_up", "name_of", "plus",
       "minus", "operation_of", "calculate")
