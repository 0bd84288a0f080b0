/* Texts of which one must come: see required_texts.h. */
#include "required_texts.h"

#include "sizes.h"

#include <stdlib.h>
#include <string.h>

void required_texts_add(struct required_texts *r, const struct bytes *text)
{
    struct bytes *list = grow(r->texts, &r->room, r->n + 1, sizeof *list);
    if (!list) {
        r->failed = true;
        return;
    }
    r->texts = list;
    r->texts[r->n] = (struct bytes){0};
    bytes_add(&r->texts[r->n], text->data, text->size);
    r->failed |= r->texts[r->n++].failed;
    r->sorted = false;
}

void required_texts_free(struct required_texts *r)
{
    for (size_t i = 0; i < r->n; i++)
        bytes_free(&r->texts[i]);
    free(r->texts);
    *r = (struct required_texts){0};
}

/* By their bytes; of two that agree as far as both go the shorter first. */
static int compare_texts(const void *a, const void *b)
{
    const struct bytes *x = a, *y = b;
    int order = memcmp(x->data, y->data, smaller_size(x->size, y->size));
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

static bool holds_at_start(const char *text, size_t size,
                           const struct bytes *with)
{
    return size >= with->size && memcmp(text, with->data, with->size) == 0;
}

/* So those that agree with a text stand together.  One that begins with
 * another lets nothing pass that the other does not: it goes. */
void required_texts_sort(struct required_texts *r)
{
    size_t last = 0;
    if (r->sorted || r->n == 0)
        return;
    qsort(r->texts, r->n, sizeof *r->texts, compare_texts);
    for (size_t i = 1; i < r->n; i++) {
        struct bytes *next = &r->texts[i];
        if (holds_at_start(next->data, next->size, &r->texts[last]))
            bytes_free(next);
        else
            r->texts[++last] = *next;
    }
    r->n = last + 1;
    r->sorted = true;
}

bool required_text_has_come(const struct required_texts *r, const char *said,
                            size_t size)
{
    for (size_t i = 0; i < r->n; i++)
        if (holds_at_start(said, size, &r->texts[i]))
            return true;
    return false;
}

struct required_rests required_rests_after(const struct required_texts *r,
                                           const char *said, size_t size)
{
    struct required_rests rests = {.texts = r->texts, .had = size};
    for (size_t i = 0; i < r->n; i++) {
        const struct bytes *text = &r->texts[i];
        if (text->size <= size || memcmp(text->data, said, size) != 0)
            continue;
        if (rests.n++ == 0)
            rests.texts = text;
        rests.begin[(unsigned char)text->data[size]] = true;
    }
    return rests;
}

/* Most tokens differ in their first byte.  For the others the rests are
 * halved until one agrees, or none is left. */
bool required_rests_agree(struct required_rests *r, const char *token,
                          size_t size)
{
    size_t low = 0, high = r->n;
    if (size > 0 && !r->begin[(unsigned char)*token])
        return false;
    while (low < high) {
        size_t i = low + (high - low) / 2, left = r->texts[i].size - r->had;
        int order = memcmp(token, r->texts[i].data + r->had,
                           smaller_size(left, size));
        r->compared++;
        if (order == 0)
            return true;
        if (order < 0)
            high = i;
        else
            low = i + 1;
    }
    return false;
}
