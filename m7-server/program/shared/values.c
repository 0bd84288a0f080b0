/* The values of options: see values.h. */
#include "values.h"

#include "options.h"
#include "unicode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number as people write it, with nothing before or behind it: strtod also
 * reads spaces, nan, inf and hexadecimal numbers. */
static bool parse_real(const char *text, const char *end, double *value)
{
    char *stopped;
    if (*text == '+' || text + strspn(text, "+-.0123456789eE") < end)
        return false;
    *value = strtod(text, &stopped);
    return stopped != text && stopped == end;
}

static int read_real(const char *text, struct real *r, double least,
                     double most, struct error *e)
{
    double value;
    if (!parse_real(text, text + strlen(text), &value) ||
        !(value >= least && value <= most))
        return fail(e, ERROR_USAGE,
                    "must be a number from %g to %g, not \"%s\"", least, most,
                    text);
    *r = (struct real){true, value};
    return 0;
}

int read_temperature(const char *value, void *field, struct error *e)
{
    return read_real(value, field, 0, 100, e);
}

int read_share(const char *value, void *field, struct error *e)
{
    return read_real(value, field, 0, 1, e);
}

int read_penalty(const char *value, void *field, struct error *e)
{
    return read_real(value, field, -2, 2, e);
}

int read_repetition(const char *value, void *field, struct error *e)
{
    return read_real(value, field, 0.01, 100, e);
}

/* Up to 20 digits, or false. */
static bool parse_whole(const char *text, const char *end, uint64_t *value)
{
    size_t length = strspn(text, "0123456789");
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return length > 0 && text + length == end && errno == 0;
}

static int read_whole(const char *text, uint64_t least, uint64_t most,
                      uint64_t *value, struct error *e)
{
    if (parse_whole(text, text + strlen(text), value) && *value >= least &&
        *value <= most)
        return 0;
    return fail(e, ERROR_USAGE,
                "must be a whole number from %llu to %llu, not \"%s\"",
                (unsigned long long)least, (unsigned long long)most, text);
}

static int read_up_to(const char *text, uint64_t least, uint64_t most,
                      struct number *n, struct error *e)
{
    uint64_t value;
    if (read_whole(text, least, most, &value, e))
        return -1;
    *n = (struct number){true, (size_t)value};
    return 0;
}

int read_samples(const char *value, void *field, struct error *e)
{
    return read_up_to(value, 1, 1000, field, e);
}

int read_few(const char *value, void *field, struct error *e)
{
    return read_up_to(value, 0, 20, field, e);
}

int read_seed(const char *value, void *field, struct error *e)
{
    struct seed *s = field;
    if (read_whole(value, 0, UINT64_MAX, &s->value, e))
        return -1;
    s->said = true;
    return 0;
}

/* --- options that can be given again ------------------------------------- */

static int check_room(size_t n, struct error *e)
{
    return n < MOST_GIVEN ? 0
                          : fail(e, ERROR_USAGE,
                                 "can be given %d times at most", MOST_GIVEN);
}

int read_stop(const char *value, void *field, struct error *e)
{
    struct texts *t = field;
    size_t size = strlen(value);
    if (check_room(t->n, e))
        return -1;
    if (size == 0)
        return fail(e, ERROR_USAGE, "is empty");
    if (utf8_valid(value, size) < size)
        return fail(e, ERROR_USAGE, "must be UTF-8");
    t->items[t->n++] = value;
    return 0;
}

int read_stop_id(const char *value, void *field, struct error *e)
{
    struct numbers *list = field;
    uint64_t id;
    if (check_room(list->n, e) || read_whole(value, 0, INT32_MAX, &id, e))
        return -1;
    list->items[list->n++] = (int)id;
    return 0;
}

int read_token_bias(const char *value, void *field, struct error *e)
{
    struct biases *list = field;
    const char *sign = strchr(value, '=');
    uint64_t id;
    double amount;
    if (check_room(list->n, e))
        return -1;
    if (!sign || !parse_whole(value, sign, &id) || id > INT32_MAX ||
        !parse_real(sign + 1, sign + strlen(sign), &amount) ||
        !(amount >= -100 && amount <= 100))
        return fail(e, ERROR_USAGE,
                    "must be ID=BIAS, with a token's id and a number from "
                    "-100 to 100, not \"%s\"",
                    value);
    list->items[list->n++] = (struct bias){(int)id, (float)amount};
    return 0;
}

int read_chunk(const char *value, void *field, struct error *e)
{
    return read_up_to(value, 1, 1000000, field, e);
}

int read_threads(const char *value, void *field, struct error *e)
{
    return read_up_to(value, 1, 256, field, e);
}

/* The names of all forms, as a sentence lists them. */
static void list_forms(char *text, size_t size)
{
    const struct cache_form *f;
    size_t used = 0;
    for (size_t i = 0; (f = cache_form_row(i)); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i ? ", " : "", f->name);
}

int read_cache_form(const char *value, void *field, struct error *e)
{
    char known[200];
    const struct cache_form *form = cache_form_named(value);
    list_forms(known, sizeof known);
    if (!form)
        return fail(e, ERROR_USAGE, "must be one of %s, not \"%s\"", known,
                    value);
    *(const struct cache_form **)field = form;
    return 0;
}
