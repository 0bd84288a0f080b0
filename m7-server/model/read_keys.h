/* Which keys of a config.json change what a model computes.
 *
 * Published files say much that nobody reads: how a model was trained, what
 * made the file, what an older program wanted to know.  The numbers of a model
 * are those that transformers computes, so a key that transformers never looks
 * at changes nothing. */
#ifndef READ_KEYS_H
#define READ_KEYS_H

#include <stdbool.h>

/* Whether transformers' code for models of this type, one of those in
 * family.c, reads the key, or may: true in doubt.  Of keys inside of the
 * objects about rotation, too. */
bool transformers_reads(const char *model_type, const char *key);

#endif
