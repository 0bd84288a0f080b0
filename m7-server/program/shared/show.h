/* Tokens as the commands show them: to people, and as JSON to programs. */
#ifndef SHOW_H
#define SHOW_H

#include "buffer.h"
#include "error.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether to use colours: when asked to, or on a terminal whose user has not
 * set NO_COLOR (no-color.org). */
bool show_in_color(bool asked);

/* Append `text` with what cannot be seen spelled out: a newline as \n, a byte
 * that is no whole character as \xE2. */
void show_text(const char *text, size_t size, struct bytes *out);

/* Append ids (n,) as a table, one line a token: its id, its bytes, and its
 * piece of the text in quotes or, in colour, on a background. */
int show_table(const struct tokenizer *t, const int *ids, size_t n, bool color,
               struct bytes *out, struct error *e);

/* Append the pieces of ids (n,) on one line, in colour or with bars between
 * them. */
int show_strip(const struct tokenizer *t, const int *ids, size_t n, bool color,
               struct bytes *out, struct error *e);

/* Append ids with `between` between them, as in "1, 2". */
void show_ids(const struct ids *ids, const char *between, struct bytes *out);

/* Append text (size,), valid UTF-8, as a JSON string. */
int show_json_text(const char *text, size_t size, struct bytes *out,
                   struct error *e);

/* Append a JSON array with an object for each id:
 * {"id": 262, "token": "Ġthe", "bytes": [32, 116, 104, 101]}. */
int show_json_tokens(const struct tokenizer *t, const struct ids *ids,
                     struct bytes *out, struct error *e);

#endif
