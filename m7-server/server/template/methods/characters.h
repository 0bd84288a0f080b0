/* Characters as Python's str knows them: their kinds, and their cases. */
#ifndef CHARACTERS_H
#define CHARACTERS_H

#include "buffer.h"
#include "value.h"

bool character_is_space(uint32_t code);    /* what strip() takes away */
bool character_ends_line(uint32_t code);   /* where splitlines() cuts */
bool character_is_letter(uint32_t code);   /* isalpha() */
bool character_is_decimal(uint32_t code);
int character_decimal(uint32_t code); /* what int() reads: 0 to 9, or -1 */
bool character_is_digit(uint32_t code);
bool character_is_numeric(uint32_t code);
bool character_is_lower(uint32_t code);
bool character_is_upper(uint32_t code);
bool character_is_title(uint32_t code);
bool character_is_cased(uint32_t code);    /* one of these three */

/* Append a text (size,) in another case. */
void write_upper(const char *text, size_t size, struct bytes *out);
void write_lower(const char *text, size_t size, struct bytes *out);

/* Append the character at `at`, of so many bytes, in lower case: what stands
 * around it in the text (size,) matters to a sigma. */
void write_lower_at(const char *text, size_t size, size_t at, size_t length,
                    struct bytes *out);

/* Append one character as it begins a word. */
void write_title(uint32_t code, struct bytes *out);

/* How many bytes at the start, and at the end, of a text (size,) are
 * characters of `set`, or white space where that is NULL. */
size_t span_start(const char *text, size_t size, const struct text *set);
size_t span_end(const char *text, size_t size, const struct text *set);

#endif
