/* Steps: see steps.h.  Knows no step. */
#include "steps.h"

#include "buffer.h"

#include <string.h>

/* True when `name` is one of the words of `list`. */
static bool word_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = list; *word; word += strcspn(word, " ")) {
        word += *word == ' ';
        if (strcspn(word, " ") == length && memcmp(word, name, length) == 0)
            return true;
    }
    return false;
}

int options_known(const struct node *n, const char *options, struct error *e)
{
    const char *key;
    json_t *value;
    if (node_object(n, e))
        return -1;
    json_object_foreach(n->value, key, value)
    {
        struct node option = node_member(n, key);
        if (!word_in(options, key))
            return node_fail(&option, ERROR_UNSUPPORTED, e,
                             "is not an option that is known here (%s)",
                             options);
    }
    return 0;
}

static const struct step_type *find_type(const struct step_table *table,
                                         const char *name)
{
    for (size_t i = 0; i < table->n_types; i++)
        if (strcmp(table->types[i].name, name) == 0)
            return &table->types[i];
    return NULL;
}

static int unknown_type(const struct node *n, const struct step_table *table,
                        const char *name, struct error *e)
{
    struct bytes known = {0};
    for (size_t i = 0; i < table->n_types; i++) {
        bytes_add_string(&known, table->types[i].name);
        bytes_add_string(&known, ", ");
    }
    bytes_add_string(&known, "Sequence");
    node_fail(n, ERROR_UNSUPPORTED, e, "the %s %s is not supported (%.*s are)",
              table->what, name, (int)known.size, known.data);
    bytes_free(&known);
    return -1;
}

static int read_sequence(const struct node *n, const struct step_table *table,
                         void *chain, struct error *e)
{
    struct node list = node_member(n, table->list);
    size_t length = 0;
    if (node_array(&list, &length, e))
        return -1;
    for (size_t i = 0; i < length; i++) {
        struct node step = node_element(&list, i);
        if (node_object(&step, e) || steps_read(&step, table, chain, e))
            return -1;
    }
    return 0;
}

/* "type" and the options: the members that a step may have. */
static int check_members(const struct node *n, const char *options,
                         struct error *e)
{
    struct bytes all = {0};
    bytes_add_string(&all, *options ? "type " : "type");
    bytes_add_string(&all, options);
    bytes_add(&all, "", 1);
    int result =
        all.failed ? fail_memory(e, "options") : options_known(n, all.data, e);
    bytes_free(&all);
    return result;
}

int steps_read(const struct node *n, const struct step_table *table,
               void *chain, struct error *e)
{
    const char *name;
    struct node type = node_member(n, "type");
    if (!node_has(n))
        return 0;
    if (node_object(n, e) || node_string(&type, &name, e))
        return -1;
    if (strcmp(name, "Sequence") == 0)
        return check_members(n, table->list, e) ||
                       read_sequence(n, table, chain, e)
                   ? -1
                   : 0;
    const struct step_type *known = find_type(table, name);
    if (!known)
        return unknown_type(&type, table, name, e);
    if (check_members(n, known->options, e))
        return -1;
    return known->read(n, chain, e);
}
