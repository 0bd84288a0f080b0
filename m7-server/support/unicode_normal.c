/* Normal forms: unicode_normalize of unicode.h (UAX #15).
 *
 * Most text is in its normal form already, so nothing happens to it here but
 * that it is looked at: characters that no rule touches are copied in long
 * stretches.  In between lie runs of the others, each with the character in
 * front that the run may join: these are taken apart, put in canonical order
 * and put together again. */
#include "unicode.h"

#include "unicode_tables.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

struct form {
    enum unicode_set stirs; /* the characters that it touches */
    bool compatible;        /* and those with a compatibility decomposition */
    bool composes;
};

static const struct form forms[] = {
    [FORM_NFC] = {SET_STIRS_NFC, false, true},
    [FORM_NFD] = {SET_STIRS_NFD, false, false},
    [FORM_NFKC] = {SET_STIRS_NFC, true, true},
    [FORM_NFKD] = {SET_STIRS_NFD, true, false},
};

/* The code points of a run; `room` is as large as `codes`. */
struct run {
    utf8proc_int32_t *codes, *room; /* (size,) */
    size_t size, capacity, room_capacity;
};

static bool stirs(const struct form *f, uint32_t code)
{
    return unicode_in(f->stirs, code) ||
           (f->compatible && unicode_in(SET_COMPATIBILITY, code));
}

/* The next run at or after *to: its bytes become [*from, *to).  False when
 * there is none. */
static bool find_run(const struct form *f, const char *text, size_t size,
                     size_t *from, size_t *to)
{
    size_t at = *to, before = *to, length = 0;
    for (; at < size; before = at, at += length) {
        at += utf8_ascii(text + at, size - at);
        if (at > *to && (unsigned char)text[at - 1] < 0x80)
            before = at - 1;
        if (at == size || stirs(f, utf8_decode(text + at, &length)))
            break;
    }
    if (at == size)
        return false;
    *from = at;
    if (f->composes && before < at &&
        unicode_in(SET_BEGINS_PAIR, utf8_decode(text + before, &length)))
        *from = before;
    while (at < size && stirs(f, utf8_decode(text + at, &length)))
        at += length;
    *to = at;
    return true;
}

/* No character becomes more than 18. */
static int decompose(const struct form *f, const char *text, size_t size,
                     struct run *r)
{
    const int options =
        UTF8PROC_DECOMPOSE | (f->compatible ? UTF8PROC_COMPAT : 0);
    size_t length;
    r->size = 0;
    for (size_t at = 0; at < size; at += length) {
        int boundary = 0;
        uint32_t code = utf8_decode(text + at, &length);
        utf8proc_int32_t *larger =
            grow(r->codes, &r->capacity, r->size + 18, sizeof *r->codes);
        if (!larger)
            return -1;
        r->codes = larger;
        r->size += (size_t)utf8proc_decompose_char((utf8proc_int32_t)code,
                                                   r->codes + r->size, 18,
                                                   options, &boundary);
    }
    return 0;
}

/* The canonical combining class: 0 for letters, else marks are sorted by it.
 */
static int combining_class(utf8proc_int32_t code)
{
    return utf8proc_get_property(code)->combining_class;
}

/* Sort marks (n,) by their class, in one pass whatever their number; those of
 * one class keep their order. */
static void sort_marks(utf8proc_int32_t *marks, size_t n,
                       utf8proc_int32_t *room)
{
    size_t place[256] = {0};
    memcpy(room, marks, n * sizeof *marks);
    for (size_t i = 0; i < n; i++)
        place[combining_class(room[i])]++;
    for (size_t class = 0, sum = 0; class < 256; class ++) {
        size_t count = place[class];
        place[class] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        marks[place[combining_class(room[i])]++] = room[i];
}

/* Canonical ordering, UAX #15 and the Unicode Standard, D109. */
static int sort_run(struct run *r)
{
    utf8proc_int32_t *larger =
        grow(r->room, &r->room_capacity, r->size, sizeof *r->room);
    if (!larger)
        return -1;
    r->room = larger;
    for (size_t i = 0, end; i < r->size; i = end) {
        bool sorted = true;
        int last = combining_class(r->codes[i]);
        for (end = i + 1; last > 0 && end < r->size; end++) {
            int class = combining_class(r->codes[end]);
            if (class == 0)
                break;
            sorted = sorted && last <= class;
            last = class;
        }
        if (!sorted)
            sort_marks(r->codes + i, end - i, r->room);
    }
    return 0;
}

static int normalize_run(const struct form *f, const char *text, size_t size,
                         struct run *r, struct bytes *out)
{
    if (decompose(f, text, size, r) || sort_run(r))
        return -1;
    size_t n = r->size;
    if (f->composes)
        n = (size_t)utf8proc_normalize_utf32(
            r->codes, (utf8proc_ssize_t)n, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (size_t i = 0; i < n; i++)
        utf8_add(out, (uint32_t)r->codes[i]);
    return 0;
}

void unicode_normalize(enum unicode_form form, const char *text, size_t size,
                       struct bytes *out)
{
    const struct form *f = &forms[form];
    struct run r = {0};
    size_t done = 0, from = 0, to = 0;
    while (!out->failed && find_run(f, text, size, &from, &to)) {
        bytes_add(out, text + done, from - done);
        if (normalize_run(f, text + from, to - from, &r, out))
            out->failed = true;
        done = to;
    }
    bytes_add(out, text + done, size - done);
    free(r.codes);
    free(r.room);
}
