/* Characters as the Hugging Face `tokenizers` library knows them.
 *
 * The library holds several Unicode versions at once, from 9 to 17, and those
 * of PCRE2 and utf8proc depend on the machine.  Where the answer could differ
 * it comes from these tables, which tests/oracle/tokenizer/unicode_tables.py
 * made by putting every code point to the library itself.  unicode_tables.c is
 * data, not reading. */
#ifndef UNICODE_TABLES_H
#define UNICODE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unicode_set {
    SET_NUMERIC,
    SET_PUNCTUATION,
    SET_WORD,

    /* What a normal form may change, or move, or join to what is before it:
     * NFC and NFD, and the further ones that have a compatibility
     * decomposition.  The others pass as they are. */
    SET_STIRS_NFC,
    SET_BEGINS_PAIR, /* what NFC may join with what follows */
    SET_STIRS_NFD,
    SET_COMPATIBILITY,

    /* What PCRE2 classes in one way or another, as its version has it. */
    SET_UNSTABLE
};

/* Sets of code points, a bit for each: 256 make a block, 16 blocks a group,
 * 272 groups all of Unicode.  Equal blocks and equal groups stand once. */
extern const uint64_t unicode_blocks[][4];
extern const uint16_t unicode_groups[][16];
extern const uint8_t unicode_sets[][272];

static inline bool unicode_in(enum unicode_set set, uint32_t code)
{
    const uint16_t *group = unicode_groups[unicode_sets[set][code >> 12]];
    const uint64_t *block = unicode_blocks[group[code >> 8 & 15]];
    return block[code >> 6 & 3] >> (code & 63) & 1;
}

struct unicode_range {
    uint32_t first, last, other;
};

struct unicode_ranges {
    const struct unicode_range *ranges; /* (count,), in ascending order */
    size_t count;
};

/* For each code point of SET_UNSTABLE `other`, the nearest one of the same
 * UTF-8 length and, to `tokenizers`, of the same category and script, about
 * which all versions agree; in the second table, alphabetic or not as well. */
extern const struct unicode_ranges unicode_stand_ins;
extern const struct unicode_ranges unicode_stand_ins_alphabetic;

/* Letters whose lower case an old utf8proc does not know: `other` is that of
 * the first; the rest of the range follow in order. */
extern const struct unicode_ranges unicode_newer_lowercase;

/* The range that holds a code point, by bisection, or NULL. */
const struct unicode_range *unicode_find(const struct unicode_ranges *ranges,
                                         uint32_t code);

#endif
