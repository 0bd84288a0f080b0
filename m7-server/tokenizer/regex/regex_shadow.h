/* The shadow of a text: the same text to PCRE2 as the text is to Oniguruma.
 *
 * The two know other Unicode versions, so that they class some ten thousand
 * code points in different ways.  In the shadow each of these is replaced by
 * one of equal length that both class alike (unicode_tables.h): matches lie
 * in the shadow where they lie in the text. */
#ifndef REGEX_SHADOW_H
#define REGEX_SHADOW_H

#include "buffer.h"
#include "unicode_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Make the shadow of text (size,), valid UTF-8, with these stand-ins.  It
 * stays empty when the text is its own shadow, as nearly every text is. */
void shadow_make(const struct unicode_ranges *stand_ins, const char *text,
                 size_t size, struct bytes *shadow);

/* Whether a pattern that names the code points first to last matches the same
 * in the shadow: none of them may be replaced by one outside, and none outside
 * by one of them. */
bool shadow_keeps(const struct unicode_ranges *stand_ins, uint32_t first,
                  uint32_t last);

#endif
