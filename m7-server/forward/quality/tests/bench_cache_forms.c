/* What each form of the cache costs: bytes of a token, and how far the model
 * is from itself with floats; of keys alone, too, and of values alone.
 *
 *     build/plain/bench_cache_forms [MODEL [TEXT [N]]]
 *
 * The first N tokens of the file TEXT, in windows of 512. */
#include "comparison.h"
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>

struct bench {
    struct subject subject;
    struct ids ids;
    struct windows windows;
};

/* Of B, which has that form; its name is printed as `name`. */
static int print_form(const struct bench *b, const char *name,
                      const struct cache_form *form, struct error *e)
{
    struct window_reader readers[2];
    struct comparison c;
    struct comparison_summary s;
    const struct model *m = &b->subject.model;
    struct evaluation v = {.readers = readers, .windows = b->windows};
    if (window_reader_init(&readers[0], m, &b->windows, e) ||
        window_reader_init_form(&readers[1], m, &b->windows, form, e) ||
        comparison_init(&c, &v, b->ids.data, b->ids.size, e) ||
        comparison_summarize(&c, &s, e))
        return -1;
    printf("%-14s %7zu %10.4f %10.6f %10.6f %8.2f%%\n", name,
           cache_position_bytes(&readers[1].cache), perplexity(&s.b),
           s.kl_mean, s.kl_99, 100 * s.agreement);
    fflush(stdout);
    comparison_free(&c);
    window_reader_free(&readers[0]);
    window_reader_free(&readers[1]);
    return 0;
}

/* Keys in codes of the table's form, and values as floats; then the reverse,
 * in all layers. */
static int print_halves(const struct bench *b, const char *name,
                        const struct head_form *codes, struct error *e)
{
    char text[40];
    const struct cache_form *floats = cache_form_row(0);
    struct cache_form keys = *floats, values = *floats;
    keys.key = values.value = values.edge = *codes;
    snprintf(text, sizeof text, "%s, keys", name);
    if (print_form(b, text, &keys, e))
        return -1;
    snprintf(text, sizeof text, "%s, values", name);
    return print_form(b, text, &values, e);
}

static int print_table(const struct bench *b, struct error *e)
{
    const struct cache_form *form;
    printf("cache            bytes perplexity    KL mean  KL of 99%%     "
           "top-1\n");
    for (size_t i = 0; (form = cache_form_row(i)); i++)
        if (print_form(b, form->name, form, e))
            return -1;
    const struct cache_form *k4v3 = cache_form_named("k4v3");
    const struct cache_form *k3v2 = cache_form_named("k3v2");
    if (print_halves(b, "4 bits", &k4v3->key, e) ||
        print_halves(b, "3 bits", &k4v3->value, e))
        return -1;
    return print_halves(b, "2 bits", &k3v2->value, e);
}

static int open_bench(struct bench *b, const char *model, const char *path,
                      size_t n, struct error *e)
{
    struct bytes text = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return fail_errno(e, path);
    int result = bytes_read(&text, f, path, e);
    fclose(f);
    if (result == 0)
        result = subject_open(&b->subject, model, e);
    if (result == 0)
        result = subject_encode(&b->subject, text.data, text.size, &b->ids, e);
    bytes_free(&text);
    b->ids.size = b->ids.size < n ? b->ids.size : n;
    return result ? -1 : windows_init(&b->windows, &b->subject.model, 0, 0, e);
}

int main(int argc, char **argv)
{
    struct bench b = {.ids = {0}};
    struct error e;
    const char *model = argc > 1 ? argv[1] : "../tests/models/tiny-chat";
    const char *text =
        argc > 2 ? argv[2] : "../tests/models/goldens/heldout.txt";
    size_t n = argc > 3 ? strtoul(argv[3], NULL, 10) : 512;
    int result = open_bench(&b, model, text, n, &e);
    if (result == 0)
        result = print_table(&b, &e);
    if (result)
        fprintf(stderr, "%s\n", e.message);
    ids_free(&b.ids);
    subject_close(&b.subject);
    return result ? 1 : 0;
}
