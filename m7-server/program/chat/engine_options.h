/* The engine, as the command line wants it: for commands that use rung.h. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "options.h"
#include "rung.h"

/* --threads, --exact, --keep-packed, --cache, --draft and --draft-tokens; the
 * rest is zero. */
struct rung_options engine_options(const struct settings *s);

#endif
