/* Parameters: one table for each kind of request says what a body may hold,
 * of which type and range, and where it goes.
 *
 * Each parameter is honoured, or refused by name; null is the same as absent.
 * One that belongs to another kind of request is refused, too, for it would
 * change the answer there; but not where it says what is so anyway.  That
 * holds for chats, completions and embeddings; /tokenize and /detokenize only
 * note it.  One that is in no table is noted, for a header
 * that tells the client what was not looked at.  Knows no parameter itself. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "api_error.h"
#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct parameter;

/* Take a value, which is not null, to `request`, or refuse it. */
typedef int parameter_reader(const struct node *value,
                             const struct parameter *p, void *request,
                             struct api_error *a);

struct parameter {
    const char *name;
    parameter_reader *read;
    size_t offset;      /* of its field in the request */
    double least, most; /* of a number */
    const char *words;  /* "auto|none": of a string; or why it is refused */
    const char *harmless; /* "1", "true", "none|auto": what may be said also
                             where the parameter is refused */
    bool required;
};

struct parameter_table {
    const struct parameter *rows; /* (n,) */
    size_t n;
    const char *elsewhere; /* "chats": those alone take these rows, so they are
                              refused here; NULL: they are read */
};

/* A body as it came, and what of it nobody knew. */
struct request_body {
    json_t *json;         /* owned */
    struct bytes unknown; /* "top_a, messages[0].colour"; owned */
};

/* In one body: numbers, strings, words, lists and objects.  A value of two
 * bytes takes up to 250 of memory, and a member of an object 320, so that all
 * take a third of a gigabyte at the most; a prompt of a million ids is still
 * no more. */
enum body_bounds {
    MOST_VALUES = 1 << 20
};

/* How many values these are: one, and all that are in it. */
size_t values_in(const json_t *value);

/* Parse a body: an object of at most MOST_VALUES values (else 413), at most 64
 * levels deep, its strings UTF-8 without a zero byte, no name twice in one
 * object.  After an error *b holds nothing. */
int body_parse(struct request_body *b, const char *text, size_t size,
               struct api_error *a);

/* Free the values, as soon as nothing points into them any more; the unknown
 * names stay. */
void body_release(struct request_body *b);
void body_free(struct request_body *b);

/* Read the members of an object by tables (n,), in the object's order; of two
 * tables that have a row of one name the first counts. */
int parameters_read(const struct node *object,
                    const struct parameter_table *tables, size_t n,
                    void *request, struct bytes *unknown, struct api_error *a);

/* Note a member that nobody knows. */
void note_unknown(const struct node *member, struct bytes *unknown);

/* Refuse a string that is none of the words "a|b|c", or a number out of
 * bounds. */
int check_word(const struct node *value, const char *words, const char **out,
               struct api_error *a);
int check_range(const struct node *value, double least, double most,
                double *out, struct api_error *a);

/* Readers.  The fields that they fill: bool; size_t; float; double;
 * const char *, of one of p->words or of any string; json_t *, as it is, to be
 * looked at when all is read. */
parameter_reader take_flag, take_count, take_float, take_double, take_word,
    take_any_string, take_json;

/* Whatever it says, it changes nothing here. */
parameter_reader take_note;

/* Refused, because of p->words; false, 0 and empty values ask for nothing. */
parameter_reader refuse_parameter;

#endif
