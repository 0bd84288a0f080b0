/* The shadow of a text: see regex_shadow.h. */
#include "regex_shadow.h"

#include "unicode.h"
#include "unicode_tables.h"

#include <string.h>

/* Where the next unstable character is at or after `at`, or `size`. */
static size_t next_unstable(const char *text, size_t size, size_t at)
{
    size_t length = 1;
    for (; at < size; at += length) {
        uint64_t eight;
        while (size - at >= sizeof eight) {
            memcpy(&eight, text + at, sizeof eight);
            if (eight & 0x8080808080808080)
                break;
            at += sizeof eight;
        }
        if (at == size)
            break;
        if (unicode_in(SET_UNSTABLE, utf8_decode(text + at, &length)))
            return at;
    }
    return size;
}

void shadow_make(const char *text, size_t size, struct bytes *shadow)
{
    size_t done = 0, at, length;
    while ((at = next_unstable(text, size, done)) < size) {
        const struct unicode_range *range =
            unicode_find(unicode_stand_ins, unicode_stand_ins_count,
                         utf8_decode(text + at, &length));
        bytes_add(shadow, text + done, at - done);
        utf8_add(shadow, range->other);
        done = at + length;
    }
    if (done > 0)
        bytes_add(shadow, text + done, size - done);
}

bool shadow_keeps(uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < unicode_stand_ins_count; i++) {
        const struct unicode_range *range = &unicode_stand_ins[i];
        bool other = range->other >= first && range->other <= last;
        bool whole = first <= range->first && range->last <= last;
        bool none = last < range->first || range->last < first;
        if (other ? !whole : !none)
            return false;
    }
    return true;
}
