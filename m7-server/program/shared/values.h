/* The values of options that need more than a whole number: how they are
 * stored, and how they are read from the command line.
 *
 * Each read_ function takes the value's text and the field of struct settings
 * to fill in.  A message says what the value must be; options.c puts the
 * option's name before it. */
#ifndef VALUES_H
#define VALUES_H

#include "cache_form.h"
#include "error.h"
#include "penalties.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_limits {
    MOST_GIVEN = 16 /* how often one option can be given */
};

struct real {
    bool said;
    double value;
};

static inline double real_or(struct real r, double otherwise)
{
    return r.said ? r.value : otherwise;
}

struct seed {
    bool said;
    uint64_t value;
};

/* Several texts, numbers or biases: an option that can be given again. */
struct texts {
    const char *items[MOST_GIVEN];
    size_t n;
};

struct numbers {
    int items[MOST_GIVEN];
    size_t n;
};

struct biases {
    struct bias items[MOST_GIVEN];
    size_t n;
};

/* Into a struct real. */
int read_temperature(const char *value, void *field, struct error *e);
int read_share(const char *value, void *field, struct error *e);
int read_penalty(const char *value, void *field, struct error *e);
int read_repetition(const char *value, void *field, struct error *e);

/* Into a struct number: a count of things, and one of candidates. */
int read_samples(const char *value, void *field, struct error *e);
int read_few(const char *value, void *field, struct error *e);

int read_seed(const char *value, void *field, struct error *e);
int read_stop(const char *value, void *field, struct error *e);
int read_stop_id(const char *value, void *field, struct error *e);
int read_token_bias(const char *value, void *field, struct error *e);

/* Into a struct number: how many threads compute, from 1 to 256. */
int read_threads(const char *value, void *field, struct error *e);

/* Into a struct number: how many tokens to read at once, one at least. */
int read_chunk(const char *value, void *field, struct error *e);

/* One of the forms of the table in cache_form.h, into a pointer to it. */
int read_cache_form(const char *value, void *field, struct error *e);

#endif
