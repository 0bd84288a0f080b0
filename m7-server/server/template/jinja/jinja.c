/* Templates: see jinja.h. */
#include "jinja.h"

#include "from_json.h"
#include "parser.h"
#include "rendering.h"

#include <stdlib.h>
#include <string.h>

enum jinja_defaults {
    DEFAULT_BYTES = 512 << 20,
    DEFAULT_STEPS = 50 * 1000 * 1000
};

struct jinja {
    struct sandbox memory; /* of the tree; only freed after parsing */
    char *name;
    struct value source; /* with "\n" for each line's end */
    struct statement *body;
    struct value_dict *words;
};

/* An error with the template's name and the line in front. */
static int fail_at(struct error *e, const char *name, int line)
{
    char message[sizeof e->message];
    memcpy(message, e->message, sizeof message);
    return fail(e, e->code, "%s: line %d: %s", name, line, message);
}

/* As jinja2 reads a file: each line's end is "\n", and the last one goes. */
static int normalize_lines(struct sandbox *s, const char *text, size_t size,
                           struct value *out)
{
    struct bytes made = {0};
    for (size_t i = 0; i < size; i++) {
        bool pair = text[i] == '\r' && i + 1 < size && text[i + 1] == '\n';
        if (!pair)
            bytes_add(&made, text[i] == '\r' ? "\n" : text + i, 1);
    }
    if (made.size && made.data[made.size - 1] == '\n')
        made.size--;
    return value_take_bytes(s, &made, out);
}

static int parse(struct jinja *t, const char *text, size_t size,
                 struct error *e)
{
    struct lexemes lexemes = {0};
    struct value words, blocks;
    int line = 1;
    if (normalize_lines(&t->memory, text, size, &t->source) ||
        dict_new(&t->memory, &words) || dict_new(&t->memory, &blocks))
        return -1;
    t->words = words.as.dict;
    const struct text *source = t->source.as.text;
    if (lex(&t->memory, source->data, source->size, &lexemes, &line))
        return fail_at(e, t->name, line);
    struct parser p = {
        .sandbox = &t->memory, .at = lexemes.items, .words = t->words,
        .blocks = blocks.as.dict};
    if (parse_template(&p, &t->body))
        return fail_at(e, t->name, p.at->line);
    return 0;
}

struct jinja *jinja_parse(const char *text, size_t size, const char *name,
                          struct error *e)
{
    struct jinja *t = calloc(1, sizeof *t);
    char *copy = malloc(strlen(name) + 1);
    if (!t || !copy) {
        free(t);
        free(copy);
        fail_memory(e, "a template");
        return NULL;
    }
    t->name = strcpy(copy, name);
    sandbox_init(&t->memory, DEFAULT_BYTES, DEFAULT_STEPS, e);
    if (parse(t, text, size, e)) {
        jinja_free(t);
        return NULL;
    }
    t->memory.error = NULL;
    return t;
}

void jinja_free(struct jinja *t)
{
    if (!t)
        return;
    sandbox_free(&t->memory);
    free(t->name);
    free(t);
}

static int render_jinja(const struct jinja *t, struct sandbox *s,
                        const struct jinja_input *input, struct bytes *out)
{
    struct value context;
    struct rendering r = {.sandbox = s, .out = out};
    if (!json_is_object(input->context))
        return sandbox_fail(s, "a template's variables must be an object");
    if (value_from_json(s, input->context, &context) ||
        scope_begin(&r, NULL))
        return -1;
    r.context = context.as.dict;
    r.top = r.scope;
    if (jinja_mentions(t, "self") && set_self(&r, t->body))
        return -1;
    if (!execute(&r, t->body))
        return 0;
    return s->raised ? -1 : fail_at(s->error, t->name, r.line);
}

int jinja_render(const struct jinja *t, const struct jinja_input *input,
                 struct jinja_output *output, struct error *e)
{
    struct sandbox s;
    size_t bytes = input->limits.bytes, steps = input->limits.steps;
    sandbox_init(&s, bytes ? bytes : DEFAULT_BYTES,
                 steps ? steps : DEFAULT_STEPS, e);
    s.now = input->now;
    int result = render_jinja(t, &s, input, &output->text);
    output->raised = s.raised;
    sandbox_free(&s);
    return result;
}

bool jinja_mentions(const struct jinja *t, const char *word)
{
    return dict_find(t->words, word, strlen(word)) != NULL;
}
