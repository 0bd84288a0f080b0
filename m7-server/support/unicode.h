/* Characters: UTF-8, and what Unicode says of a code point.
 *
 * Text inside the program is always valid UTF-8: it is repaired once, where it
 * comes in.  The answers are those of the Unicode version that the Hugging
 * Face `tokenizers` library was built with, whatever version the libraries of
 * this machine know: unicode_tables.h says how. */
#ifndef UNICODE_H
#define UNICODE_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code point at the start of valid UTF-8 `text`; its length in bytes, 1
 * to 4, goes to *length. */
uint32_t utf8_decode(const char *text, size_t *length);

/* Append a code point. */
void utf8_add(struct bytes *out, uint32_t code);

/* How many bytes at the start of text (size,) are ASCII: most texts are, in
 * long stretches, and then little has to be asked of them. */
size_t utf8_ascii(const char *text, size_t size);

/* How many bytes at the start of text (size,) are valid UTF-8. */
size_t utf8_valid(const char *text, size_t size);

/* How long the character is that text (size,) ends in the middle of: the
 * number of trailing bytes that begin a character and do not finish it, 0 to
 * 3. */
size_t utf8_unfinished(const char *text, size_t size);

/* Append `text`, each maximal broken part of a character replaced by U+FFFD:
 * Python's decode("utf-8", "replace"), and the Unicode Standard, section 3.9,
 * "U+FFFD Substitution of Maximal Subparts". */
void utf8_repair(const char *text, size_t size, struct bytes *out);

enum unicode_form {
    FORM_NFC,
    FORM_NFD,
    FORM_NFKC,
    FORM_NFKD
};

/* Append `text` (valid UTF-8) in a normal form; UAX #15. */
void unicode_normalize(enum unicode_form form, const char *text, size_t size,
                       struct bytes *out);

/* Append `text` with each code point in lower case, by Unicode's full mapping
 * and without regard to its neighbours. */
void unicode_lowercase(const char *text, size_t size, struct bytes *out);

/* Characters that steer a terminal when they are printed: category Cc, and
 * the marks that turn the direction of writing. */
bool unicode_is_control(uint32_t code);

bool unicode_is_space(uint32_t code);       /* White_Space */
bool unicode_is_numeric(uint32_t code);     /* categories Nd, Nl, No */
bool unicode_is_punctuation(uint32_t code); /* ASCII's, or category P* */
bool unicode_is_word(uint32_t code);        /* \w of UTS #18 */

#endif
