/* The commands: what each does is in `rung help`.
 *
 * They print their result on standard output, and return 0, or -1 with *e
 * filled in. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "error.h"
#include "options.h"

int cmd_demo(const struct settings *s, struct error *e);
int cmd_encode(const struct settings *s, struct error *e);
int cmd_decode(const struct settings *s, struct error *e);
int cmd_tensors(const struct settings *s, struct error *e);
int cmd_config(const struct settings *s, struct error *e);
int cmd_picture(const struct settings *s, struct error *e);
int cmd_next(const struct settings *s, struct error *e);
int cmd_generate(const struct settings *s, struct error *e);
int cmd_session(const struct settings *s, struct error *e);
int cmd_trace(const struct settings *s, struct error *e);
int cmd_sample(const struct settings *s, struct error *e);
int cmd_layers(const struct settings *s, struct error *e);
int cmd_embed(const struct settings *s, struct error *e);
int cmd_quantize(const struct settings *s, struct error *e);
int cmd_perplexity(const struct settings *s, struct error *e);
int cmd_compare(const struct settings *s, struct error *e);
int cmd_bench(const struct settings *s, struct error *e);
int cmd_chat(const struct settings *s, struct error *e);
int cmd_serve(const struct settings *s, struct error *e);
int cmd_families(const struct settings *s, struct error *e);

#endif
