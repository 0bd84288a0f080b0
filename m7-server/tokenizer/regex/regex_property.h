/* Sets of characters that have a name. */
#ifndef REGEX_PROPERTY_H
#define REGEX_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>

/* Each is given as what stands between [ and ] for PCRE2.  \w is another set
 * alone than in brackets: Oniguruma counts the superscript digits and the
 * fractions of Latin-1 to it there, and only there. */
extern const char property_word[];
extern const char property_word_alone[];
extern const char property_hexadecimal[];

/* Expressions for \b and \B; PCRE2's own are about other words. */
extern const char property_word_boundary[];
extern const char property_no_word_boundary[];

/* The set that \p{name} names, in any case, spaces, hyphens and underscores
 * left out of account; NULL when there is none. */
const char *property_find(const char *name, size_t size);

/* The set of [[:name:]]; NULL when there is none. */
const char *posix_find(const char *name, size_t size);

/* Whether letter case makes no difference to the set. */
bool property_is_caseless(const char *items);

/* Whether it matters to the set which characters are alphabetic. */
bool property_is_alphabetic(const char *items);

/* Whether the items are a single escape, so that changing the case of its
 * letter makes it its own complement. */
bool property_is_single(const char *items);

#endif
