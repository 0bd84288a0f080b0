/* What Python's str says of characters where their Unicode category does not
 * say it; made by tests/oracle/template/character_tables.py.
 * character_tables.c is data, not reading. */
#ifndef CHARACTER_TABLES_H
#define CHARACTER_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* A character that becomes several: in upper case, and at a word's start.
 * Zeros fill the rest. */
struct special_case {
    uint32_t code, upper[3], title[3];
};

struct character_range {
    uint32_t first, last;
};

extern const struct special_case special_cases[];
extern const size_t n_special_cases;

extern const struct character_range odd_digits[];
extern const size_t n_odd_digits;
extern const struct character_range odd_numbers[];
extern const size_t n_odd_numbers;
extern const struct character_range odd_lowercase[];
extern const size_t n_odd_lowercase;
extern const struct character_range odd_uppercase[];
extern const size_t n_odd_uppercase;

#endif
