/* Parameters by tables: see parameters.h. */
#include "parameters.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum name_limits {
    MOST_UNKNOWN = 2000 /* bytes of names; then "..." */
};

/* --- members ------------------------------------------------------------- */

/* A row, and the table that it stands in. */
struct found_row {
    const struct parameter *row; /* NULL: nobody knows the name */
    const struct parameter_table *table;
};

static struct found_row find_parameter_row(
    const struct parameter_table *tables, size_t n, const char *name)
{
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < tables[t].n; i++)
            if (strcmp(tables[t].rows[i].name, name) == 0)
                return (struct found_row){&tables[t].rows[i], &tables[t]};
    return (struct found_row){0};
}

/* False, 0, and what is empty. */
static bool asks_for_nothing(const json_t *value)
{
    return json_is_false(value) ||
           (json_is_number(value) && json_number_value(value) == 0) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0);
}

/* Whether `word` is one of "a|b|c". */
static bool is_listed_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, "|");
        if (length == size && memcmp(at, word, size) == 0)
            return true;
        at += length;
        if (!*at)
            return false;
    }
}

/* Whether it is one of the row's harmless values: 1 as 1.0; where it is a
 * word, also an object of that type, and a list of nothing else. */
static bool is_harmless_value(const json_t *value, const struct parameter *p)
{
    size_t i = 0, n = json_array_size(value);
    bool is_word = p->harmless && isalpha((unsigned char)*p->harmless);
    while (i < n && is_word && is_harmless_value(json_array_get(value, i), p))
        i++;
    if (n > 0)
        return i == n;
    if (json_is_object(value) && is_word)
        value = json_object_get(value, "type");
    const char *word = json_is_true(value) ? "true" : json_string_value(value);
    char number[32];
    snprintf(number, sizeof number, "%.17g", json_number_value(value));
    if (json_is_number(value))
        word = number;
    if (json_is_number(value) && p->harmless && *p->harmless == '*')
        return true;
    return p->harmless && word && is_listed_word(p->harmless, word);
}

static int refuse_elsewhere(const struct node *value, struct found_row found,
                            struct api_error *a)
{
    if (asks_for_nothing(value->value) ||
        is_harmless_value(value->value, found.row))
        return 0;
    return api_refuse_at(a, value, "unsupported_parameter",
                         "is not supported here: it is a parameter of %s",
                         found.table->elsewhere);
}

/* A note changes nothing, so it is unknown where it does not belong. */
static int read_parameter(const struct node *member, struct found_row found,
                          void *request, struct bytes *unknown,
                          struct api_error *a)
{
    const struct parameter *p = found.row;
    bool elsewhere = p && found.table->elsewhere;
    if (!p || (elsewhere && p->read == take_note))
        note_unknown(member, unknown);
    else if (node_has(member))
        return elsewhere ? refuse_elsewhere(member, found, a)
                         : p->read(member, p, request, a);
    return 0;
}

static int check_parameters(const struct node *object,
                            const struct parameter_table *table,
                            struct api_error *a)
{
    for (size_t i = 0; i < table->n; i++) {
        struct node member = node_member(object, table->rows[i].name);
        if (table->rows[i].required && !node_has(&member))
            return api_refuse_at(a, &member, "missing_required_parameter",
                                 "is missing");
    }
    return 0;
}

int parameters_read(const struct node *object,
                    const struct parameter_table *tables, size_t n,
                    void *request, struct bytes *unknown, struct api_error *a)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        struct node member = node_member(object, key);
        if (read_parameter(&member, find_parameter_row(tables, n, key),
                           request, unknown, a))
            return -1;
    }
    for (size_t t = 0; t < n; t++)
        if (!tables[t].elsewhere && check_parameters(object, &tables[t], a))
            return -1;
    return unknown->failed ? api_fail(a, 500, "out of memory") : 0;
}

/* A header holds letters of ASCII only. */
static void blank_others(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < '!' || text[i] > '~')
            text[i] = '?';
}

void note_unknown(const struct node *member, struct bytes *unknown)
{
    struct bytes path = {0};
    api_place(member, &path);
    if (path.size == 0)
        bytes_add_string(&path, "\"\""); /* a name without a letter */
    bool room = unknown->size + path.size <= MOST_UNKNOWN;
    bool ended = unknown->size > 3 &&
                 memcmp(unknown->data + unknown->size - 3, "...", 3) == 0;
    if (!ended && unknown->size > 0)
        bytes_add_string(unknown, ", ");
    if (!ended && !room)
        bytes_add_string(unknown, "...");
    if (!ended && room && path.size > 0) {
        blank_others(path.data, path.size);
        bytes_add(unknown, path.data, path.size);
    }
    unknown->failed |= path.failed;
    bytes_free(&path);
}

/* --- readers ------------------------------------------------------------- */

static void *field_of(const struct parameter *p, void *request)
{
    return (char *)request + p->offset;
}

int take_flag(const struct node *value, const struct parameter *p,
              void *request, struct api_error *a)
{
    if (node_bool(value, field_of(p, request), &a->why))
        return api_refuse_type(a, value);
    return 0;
}

int take_count(const struct node *value, const struct parameter *p,
               void *request, struct api_error *a)
{
    long long number = 0;
    if (node_integer(value, &number, &a->why))
        return api_refuse_type(a, value);
    if ((double)number < p->least || (double)number > p->most)
        return api_refuse_at(a, value,
                             (double)number < p->least
                                 ? "integer_below_min_value"
                                 : "integer_above_max_value",
                             "expected an integer from %.0f to %.0f, "
                             "found %lld",
                             p->least, p->most, number);
    *(size_t *)field_of(p, request) = (size_t)number;
    return 0;
}

int check_range(const struct node *value, double least, double most,
                double *out, struct api_error *a)
{
    if (node_number(value, out, &a->why))
        return api_refuse_type(a, value);
    if (*out < least || *out > most)
        return api_refuse_at(a, value,
                             *out < least ? "decimal_below_min_value"
                                          : "decimal_above_max_value",
                             "expected a number from %g to %g, found %g",
                             least, most, *out);
    return 0;
}

int take_double(const struct node *value, const struct parameter *p,
                void *request, struct api_error *a)
{
    return check_range(value, p->least, p->most, field_of(p, request), a);
}

int take_float(const struct node *value, const struct parameter *p,
               void *request, struct api_error *a)
{
    double number = 0;
    if (check_range(value, p->least, p->most, &number, a))
        return -1;
    *(float *)field_of(p, request) = (float)number;
    return 0;
}

int check_word(const struct node *value, const char *words, const char **out,
               struct api_error *a)
{
    if (node_string(value, out, &a->why))
        return api_refuse_type(a, value);
    if (!is_listed_word(words, *out))
        return api_refuse_at(a, value, "invalid_value",
                             "expected %s, found \"%.*s\"", words,
                             api_shown(*out), *out);
    return 0;
}

int take_word(const struct node *value, const struct parameter *p,
              void *request, struct api_error *a)
{
    return check_word(value, p->words, field_of(p, request), a);
}

int take_any_string(const struct node *value, const struct parameter *p,
                    void *request, struct api_error *a)
{
    if (node_string(value, field_of(p, request), &a->why))
        return api_refuse_type(a, value);
    return 0;
}

int take_json(const struct node *value, const struct parameter *p,
              void *request, struct api_error *a)
{
    (void)a;
    *(json_t **)field_of(p, request) = value->value;
    return 0;
}

int take_note(const struct node *value, const struct parameter *p,
              void *request, struct api_error *a)
{
    (void)value;
    (void)p;
    (void)request;
    (void)a;
    return 0;
}

int refuse_parameter(const struct node *value, const struct parameter *p,
                     void *request, struct api_error *a)
{
    (void)request;
    if (asks_for_nothing(value->value))
        return 0;
    return api_refuse_at(a, value, "unsupported_parameter",
                         "is not supported: %s", p->words);
}
