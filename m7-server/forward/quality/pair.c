/* Pairs: see pair.h. */
#include "pair.h"

#include <string.h>

/* The paths of a pair, for messages. */
struct pair_paths {
    const char *a, *b;
};

static const char *const cannot = "their logits cannot be compared";

static int check_tokens(const struct pair *p, const struct pair_paths *paths,
                        struct error *e)
{
    size_t n = p->a.model.config.vocab_size, m = p->b.model.config.vocab_size;
    if (n != m)
        return fail(e, ERROR_INPUT, "%s knows %zu tokens, %s %zu: %s",
                    paths->a, n, paths->b, m, cannot);
    for (size_t i = 0; i < n; i++) {
        const char *a = tokenizer_token(p->a.tokenizer, (int)i);
        const char *b = tokenizer_token(p->b.tokenizer, (int)i);
        if (!a != !b || (a && strcmp(a, b) != 0))
            return fail(e, ERROR_INPUT,
                        "token %zu is \"%s\" in %s, \"%s\" in %s: %s", i,
                        a ? a : "", paths->a, b ? b : "", paths->b, cannot);
    }
    return 0;
}

/* The same tokens may still be merged in another order. */
static int check_text(const struct ids *a, const struct ids *b,
                      const struct pair_paths *paths, struct error *e)
{
    size_t same = 0;
    while (same < a->size && same < b->size && a->data[same] == b->data[same])
        same++;
    if (same == a->size && same == b->size)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s and %s cut the text otherwise from its token %zu on: %s",
                paths->a, paths->b, same, cannot);
}

static int read_both(struct pair *p, const struct pair_paths *paths,
                     const char *text, size_t size, struct error *e)
{
    struct ids other = {0};
    int result = subject_encode(&p->a, text, size, &p->ids, e);
    if (result == 0)
        result = subject_encode(&p->b, text, size, &other, e);
    if (result == 0)
        result = check_text(&p->ids, &other, paths, e);
    ids_free(&other);
    return result;
}

int pair_open(struct pair *p, const char *a, const char *b, const char *text,
              size_t size, struct error *e)
{
    const struct pair_paths paths = {a, b};
    *p = (struct pair){.ids = {0}};
    if (subject_open(&p->a, a, e) == 0 && subject_open(&p->b, b, e) == 0 &&
        check_tokens(p, &paths, e) == 0 &&
        read_both(p, &paths, text, size, e) == 0)
        return 0;
    pair_close(p);
    return -1;
}

/* In the order of a stack, as the guards of their files want it. */
void pair_close(struct pair *p)
{
    subject_close(&p->b);
    subject_close(&p->a);
    ids_free(&p->ids);
    *p = (struct pair){.ids = {0}};
}
