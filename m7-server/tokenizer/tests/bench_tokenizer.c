/* How fast the tokenizer is.
 *
 *     bench_tokenizer TOKENIZER FILE   prints [seconds to load, seconds to
 *                                      encode the file, number of ids]
 *     bench_tokenizer                  compares with the reference library,
 *                                      through tests/oracle
 *
 * Seconds are processor time: other programs on the machine count less. */
#include "tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int read_file(const char *path, struct bytes *out, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return fail_errno(e, path);
    int result = bytes_read(out, f, path, e);
    fclose(f);
    return result;
}

static int measure(const char *model, const char *path, struct error *e)
{
    struct bytes text = {0};
    struct ids ids = {0};
    double begin = seconds();
    struct tokenizer *t = tokenizer_load(model, e);
    double loaded = seconds();
    int result = t ? read_file(path, &text, e) : -1;
    double read = seconds();
    if (result == 0)
        result = tokenizer_encode(t, text.data, text.size, true, &ids, e);
    double encoded = seconds();
    if (result == 0)
        printf("[%.6f, %.6f, %zu]\n", loaded - begin, encoded - read,
               ids.size);
    ids_free(&ids);
    bytes_free(&text);
    tokenizer_free(t);
    return result;
}

/* Become the script that makes the texts and asks both. */
static int compare(char *self, struct error *e)
{
    const char *tests = getenv("RUNG_TESTS");
    char script[1024];
    snprintf(script, sizeof script, "%s/oracle/tokenizer/tokenizers_bench.py",
             tests && *tests ? tests : "../tests");
    if (access(script, R_OK)) {
        printf("SKIPPED bench_tokenizer: there is no %s (RUNG_TESTS names "
               "the tests)\n",
               script);
        return 0;
    }
    execlp("python3", "python3", script, self, (char *)NULL);
    return fail_errno(e, "python3");
}

int main(int argc, char **argv)
{
    struct error e = {ERROR_NONE, ""};
    int result =
        argc == 3 ? measure(argv[1], argv[2], &e) : compare(argv[0], &e);
    if (result)
        fprintf(stderr, "bench_tokenizer: %s\n", e.message);
    return result ? EXIT_FAILURE : EXIT_SUCCESS;
}
