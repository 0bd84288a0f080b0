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

#include "request_body.h"

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
    const char *harmless; /* "1", "true", "none|auto", "*" any number: what
                             may be said also where the parameter is refused */
    bool required;
};

struct parameter_table {
    const struct parameter *rows; /* (n,) */
    size_t n;
    const char *elsewhere; /* "chats": those alone take these rows, so they are
                              refused here; NULL: they are read */
};

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
