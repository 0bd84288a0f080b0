/* From Oniguruma's expressions to PCRE2's.
 *
 * A tokenizer.json means its expressions as Oniguruma reads them (version
 * 6.9.10, the syntax ONIG_SYNTAX_ONIGURUMA, described in its doc/RE).  What
 * PCRE2 reads otherwise is written anew here; what it cannot do exactly, or
 * what depends on its version, is refused by name.  The translation is for
 * PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE with lines that end in U+000A. */
#ifndef REGEX_SYNTAX_H
#define REGEX_SYNTAX_H

#include "buffer.h"
#include "error.h"
#include "unicode_tables.h"

#include <stddef.h>

/* Append the translation of a pattern (size,), valid UTF-8.  *stand_ins are
 * those for the shadows of the texts that it will meet (regex_shadow.h).  The
 * error names the construct and its byte offset in the pattern. */
int regex_translate(const char *pattern, size_t size, struct bytes *out,
                    const struct unicode_ranges **stand_ins, struct error *e);

#endif
