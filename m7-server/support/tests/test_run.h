/* For the tests of commands: runs the program as a newcomer would.
 *
 * The environment's RUNG names the program (else ./rung), RUNG_TESTS the
 * folder with the models (else ../tests). */
#ifndef TEST_RUN_H
#define TEST_RUN_H

#include "buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct outcome {
    int status;       /* the exit status, or -1 when a signal ended it */
    struct bytes out; /* what it printed, ended by a zero not counted */
    struct bytes err;
};

static inline const char *test_folder(void)
{
    const char *folder = getenv("RUNG_TESTS");
    return folder && *folder ? folder : "../tests";
}

/* The path of a file under the tests' folder, to be freed. */
static inline char *test_path(const char *name)
{
    size_t size = strlen(test_folder()) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", test_folder(), name);
    return path;
}

/* In the child: the three streams are files, then the program takes over. */
static inline void become_rung(char **arguments, FILE *const files[3])
{
    const char *program = getenv("RUNG");
    for (int i = 0; i < 3; i++)
        dup2(fileno(files[i]), i);
    execv(program ? program : "./rung", arguments);
    _exit(127);
}

static inline void read_back(FILE *f, struct bytes *out)
{
    struct error e;
    rewind(f);
    bytes_read(out, f, "output", &e);
    bytes_add(out, "", 1);
    out->size--;
    fclose(f);
}

/* Run with arguments (ended by NULL; the first is the program's name) and
 * input (size,). */
static inline struct outcome run_rung(char **arguments, const char *input,
                                      size_t size)
{
    FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
    fwrite(input, 1, size, files[0]);
    rewind(files[0]);
    fflush(NULL);

    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become_rung(arguments, files);
    waitpid(child, &status, 0);

    struct outcome o = {
        WIFEXITED(status) ? WEXITSTATUS(status) : -1, {0}, {0}};
    fclose(files[0]);
    read_back(files[1], &o.out);
    read_back(files[2], &o.err);
    return o;
}

static inline void outcome_free(struct outcome *o)
{
    bytes_free(&o->out);
    bytes_free(&o->err);
}

/* The one test of a group whose files are not there; they are its state. */
static inline void skip_without_files(void **state)
{
    const char *what = *state;
    print_message("no %s in %s (RUNG_TESTS names the folder)\n", what,
                  test_folder());
    skip();
}

#endif
