/* The program has the page's files, whole, where the page looks for them. */
#include "page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char FOLDER[] = "server/page";

/* The program has what stands in a file of the room. */
static void expect(const char *path, const char *name, const char *type)
{
    char file[100];
    snprintf(file, sizeof file, "%s/%s", FOLDER, name);
    FILE *f = fopen(file, "rb");
    assert_non_null(f);
    char *text = calloc(1, 100000);
    size_t size = fread(text, 1, 99999, f);
    fclose(f);
    assert_in_range(size, 100, 99998);
    const struct page_file *found = page_find(path);
    assert_non_null(found);
    assert_string_equal(found->path, path);
    assert_string_equal(found->content_type, type);
    assert_int_equal(strlen(found->text), size);
    assert_string_equal(found->text, text);
    free(text);
}

static void every_file_is_there_as_it_was_written(void **state)
{
    (void)state;
    const char script[] = "text/javascript; charset=utf-8";
    expect("/", "page.html", "text/html; charset=utf-8");
    expect("/page.css", "page.css", "text/css; charset=utf-8");
    expect("/page.js", "page.js", script);
    expect("/show.js", "show.js", script);
    expect("/stream.js", "stream.js", script);
    expect("/icon.svg", "icon.svg", "image/svg+xml");
}

static void other_paths_have_no_file(void **state)
{
    (void)state;
    const char *paths[] = {"", "page.css", "/page", "/page.css/", "/page.html",
                           "/../page.c", "/v1/models", "//"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_null(page_find(paths[i]));
}

/* Every address after this mark in a file is one of the page's own. */
static void expect_found(const char *path, const char *mark)
{
    const char *at = page_find(path)->text;
    size_t n = 0;
    for (; (at = strstr(at, mark)); n++) {
        at += strlen(mark);
        char asked[40] = "/";
        strncat(asked, at, strcspn(at, "\""));
        assert_non_null(page_find(asked));
    }
    assert_true(n > 0);
}

static void what_the_page_refers_to_is_its_own(void **state)
{
    (void)state;
    expect_found("/", "href=\"");
    expect_found("/", "src=\"");
    expect_found("/page.js", "from \"./");
}

static void the_policy_names_no_server_and_nothing_unsafe(void **state)
{
    (void)state;
    assert_null(strstr(page_policy, "unsafe"));
    assert_null(strstr(page_policy, "http"));
    assert_null(strchr(page_policy, '*'));
    assert_null(strchr(page_policy, '\n'));
    assert_ptr_equal(strstr(page_policy, "default-src 'none'"), page_policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_there_as_it_was_written),
        cmocka_unit_test(other_paths_have_no_file),
        cmocka_unit_test(what_the_page_refers_to_is_its_own),
        cmocka_unit_test(the_policy_names_no_server_and_nothing_unsafe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
