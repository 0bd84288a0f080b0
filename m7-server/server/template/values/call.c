/* Calls: see call.h. */
#include "call.h"

#include <string.h>

int value_function(struct sandbox *s, const struct built_in *b,
                   struct value self, struct value *out)
{
    struct function *f = sandbox_alloc(s, 1, sizeof *f);
    if (!f)
        return -1;
    *f = (struct function){b, self};
    *out = (struct value){.type = VALUE_FUNCTION, .as.function = f};
    return 0;
}

/* The next word of a list of parameters; its size, 0 at the end. */
static size_t next_word(const char **words)
{
    *words += strspn(*words, " |");
    return strcspn(*words, " |");
}

/* The place of a parameter, or -1. */
static int find_parameter(const char *words, const struct text *name)
{
    size_t size;
    for (int i = 0; (size = next_word(&words)) > 0; i++, words += size)
        if (size == name->size && memcmp(words, name->data, size) == 0)
            return i;
    return -1;
}

/* How many there are, and how many must be given. */
static size_t count_parameters(const char *words, size_t *required)
{
    const char *optional = strchr(words, '|');
    size_t n = 0, size;
    *required = 0;
    for (; (size = next_word(&words)) > 0; words += size)
        if (*words != '/') {
            *required += !optional || words < optional;
            n++;
        }
    return n;
}

static int bind_keyword(struct sandbox *s, const struct built_in *b,
                        const struct keyword *k, struct call *c)
{
    int place = strchr(b->parameters, '/')
                    ? -1
                    : find_parameter(b->parameters, k->name);
    if (place < 0)
        return sandbox_fail(s,
                            "%s() got an unexpected keyword argument '%.*s'",
                            b->name, (int)k->name->size, k->name->data);
    if (c->a[place].type != VALUE_ABSENT)
        return sandbox_fail(s, "%s() got multiple values for argument '%.*s'",
                            b->name, (int)k->name->size, k->name->data);
    c->a[place] = k->value;
    return 0;
}

static int bind_arguments(struct sandbox *s, const struct built_in *b,
                          struct call *c)
{
    const struct arguments *a = c->raw;
    size_t required, n = count_parameters(b->parameters, &required);
    if (a->n > n)
        return sandbox_fail(s, "%s() takes at most %zu arguments (%zu given)",
                            b->name, n, a->n);
    for (size_t i = 0; i < a->n; i++)
        c->a[i] = a->items[i];
    for (size_t i = 0; i < a->n_keywords; i++)
        if (bind_keyword(s, b, &a->keywords[i], c))
            return -1;
    const char *words = b->parameters;
    for (size_t i = 0, size; i < required; i++, words += size) {
        size = next_word(&words);
        if (c->a[i].type == VALUE_ABSENT)
            return sandbox_fail(s, "%s() missing required argument '%.*s'",
                                b->name, (int)size, words);
    }
    return 0;
}

static int refuse_keywords(struct sandbox *s, const struct built_in *b,
                           const struct arguments *a)
{
    if (!a->n_keywords || !strchr(b->parameters, '/'))
        return 0;
    const struct text *name = a->keywords[0].name;
    return sandbox_fail(s, "%s() got an unexpected keyword argument '%.*s'",
                        b->name, (int)name->size, name->data);
}

int built_in_call(struct sandbox *s, const struct built_in *b,
                  struct value self, const struct arguments *a,
                  struct value *out)
{
    struct call c = {.self = self, .raw = a};
    if (*b->parameters != '*' ? bind_arguments(s, b, &c)
                              : refuse_keywords(s, b, a))
        return -1;
    if (sandbox_work(s, 0) || sandbox_enter(s) || b->call(s, &c, out))
        return -1;
    sandbox_leave(s);
    return 0;
}

const struct built_in *built_in_find(const struct built_in *table, size_t n,
                                     const char *name, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(table[i].name) == size &&
            memcmp(table[i].name, name, size) == 0)
            return &table[i];
    return NULL;
}

int argument_int(struct sandbox *s, struct value v, int64_t *out)
{
    if (v.type == VALUE_ABSENT || value_is_int(v, out))
        return 0;
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    return sandbox_fail(s, "'%s' object cannot be interpreted as an integer",
                        value_type_name(v));
}

int argument_text(struct sandbox *s, struct value v, const char *name,
                  const struct text **out)
{
    if (v.type == VALUE_ABSENT)
        return 0;
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    if (v.type != VALUE_STRING)
        return sandbox_fail(s, "%s must be str, not %s", name,
                            value_type_name(v));
    *out = v.as.text;
    return 0;
}
