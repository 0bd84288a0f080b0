/* What others wrote: see plain_text.h. */
#define _GNU_SOURCE /* memmem */
#include "plain_text.h"

#include "text_index.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the texts of messages ----------------------------------------------- */

/* Told each text that is looked for, in their order, and where it stands: a
 * member of an object.  Another result than 0 ends the visits. */
typedef int text_visitor(void *context, json_t *holder, const char *name,
                         struct error *e);

static int visit_message(json_t *message, text_visitor *visit, void *context,
                         struct error *e)
{
    const char *role = json_string_value(json_object_get(message, "role"));
    json_t *content = json_object_get(message, "content");
    if (!role || strcmp(role, "assistant") == 0)
        return 0;
    if (json_is_string(content))
        return visit(context, message, "content", e);
    int result = 0;
    for (size_t i = 0; result == 0 && i < json_array_size(content); i++)
        result = visit(context, json_array_get(content, i), "text", e);
    return result;
}

static int visit_texts(json_t *messages, text_visitor *visit, void *context,
                       struct error *e)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < json_array_size(messages); i++)
        result = visit_message(json_array_get(messages, i), visit, context, e);
    return result;
}

enum stand_in_sizes {
    STAND_IN = 32 /* bytes, with the end */
};

/* Two characters for private use (Unicode, section 23.5), and a number. */
static void write_stand_in(size_t i, char out[STAND_IN])
{
    snprintf(out, STAND_IN, "\xee\x80\x80%zu\xee\x80\x81", i);
}

static int replace(void *context, json_t *holder, const char *name,
                   struct error *e)
{
    size_t *n = context;
    char text[STAND_IN];
    write_stand_in((*n)++, text);
    return json_object_set_new(holder, name, json_string(text))
               ? fail_memory(e, "a chat")
               : 0;
}

json_t *plain_text_stand_ins(const json_t *messages)
{
    struct error e;
    size_t n = 0;
    json_t *copy = json_deep_copy(messages);
    if (copy && visit_texts(copy, replace, &n, &e)) {
        json_decref(copy);
        return NULL;
    }
    return copy;
}

/* --- where they stand ---------------------------------------------------- */

/* A prompt, and how far it was looked through: texts come in their order. */
struct plain_search {
    const struct rung_model *model; /* that has the marks; NULL: there are
                                       none */
    struct plain_text *found;
    const char *prompt; /* (size,) */
    size_t size, at;
    const char *own; /* (own_size,): the template's, before the next text */
    size_t own_size;
    size_t n;                /* texts so far */
    bool trims;              /* the template cuts space off their ends */
    struct text_index index; /* of the prompt, once a text was not found */
};

enum search_bounds {
    MOST_SEARCHED = 1 << 28, /* bytes of prompts, for all texts of a chat */
    MARKS_COST = 64 /* of those is a byte in which marks are looked for */
};

/* Where a text (size,) begins in the prompt from `at` on; the prompt's size
 * when it does not.  Both may be millions of bytes of one letter: glibc's
 * memmem takes a time of their sum for texts of more than 256 bytes.  Shorter
 * ones it looks for in another way, which on such a prompt can take 10 times
 * as long: 8.2 ns were measured for each byte of it against 0.8. */
static size_t find_text(const struct plain_search *s, const char *text,
                        size_t size)
{
    size_t left = s->size - s->at;
    const char *found =
        size <= left ? memmem(s->prompt + s->at, left, text, size) : NULL;
    return found ? (size_t)(found - s->prompt) : s->size;
}

static int add_plain_range(struct plain_text *p, size_t from, size_t end,
                           struct error *e)
{
    struct rung_range *ranges =
        grow(p->ranges, &p->room, p->n + 1, sizeof *ranges);
    if (!ranges)
        return fail_memory(e, "a prompt's plain parts");
    p->ranges = ranges;
    ranges[p->n++] = (struct rung_range){from, end};
    return 0;
}

/* A text, without the space at its ends where templates cut that off. */
struct plain_string {
    const char *text; /* (size,) */
    size_t size;
};

static struct plain_string string_of(const json_t *value, bool trims)
{
    static const char space[] = " \t\r\n";
    const char *text = json_string_value(value);
    size_t size = text ? json_string_length(value) : 0;
    while (trims && size > 0 && strchr(space, text[size - 1]))
        size--;
    for (; trims && size > 0 && strchr(space, *text); size--)
        text++;
    return (struct plain_string){text, size};
}

static bool passes(struct plain_search *s, const char *text, size_t size)
{
    if (size > s->size - s->at || memcmp(s->prompt + s->at, text, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* The text as `tojson` writes it, without the quotes around it: templates do
 * so with what tools found. */
static int json_form(struct plain_string t, struct bytes *out, struct error *e)
{
    static const char signs[] = "\"\\\n\r\t\f\b", names[] = "\"\\nrtfb";
    for (size_t i = 0; i < t.size; i++) {
        char escape[8] = {'\\'};
        const char *sign = t.text[i] ? strchr(signs, t.text[i]) : NULL;
        bool control = (unsigned char)t.text[i] < ' ';
        if (sign)
            escape[1] = names[sign - signs];
        else if (control)
            snprintf(escape, sizeof escape, "\\u%04x", t.text[i]);
        if (sign || control)
            bytes_add_string(out, escape);
        else
            bytes_add(out, t.text + i, 1);
    }
    return out->failed ? fail_memory(e, "a text of the chat") : 0;
}

/* 1: the text does not stand here. */
static int passes_as_json(struct plain_search *s, struct plain_string t,
                          struct error *e)
{
    struct bytes form = {0};
    int result = json_form(t, &form, e);
    if (result == 0)
        result = !passes(s, form.data, form.size);
    bytes_free(&form);
    return result;
}

/* The template's own words up to the stand-in, then the text.  1: something
 * else stands there. */
static int follow(void *context, json_t *holder, const char *name,
                  struct error *e)
{
    struct plain_search *s = context;
    struct plain_string t = string_of(json_object_get(holder, name), s->trims);
    struct plain_search own = {.prompt = s->own, .size = s->own_size};
    char stand_in[STAND_IN];
    write_stand_in(s->n++, stand_in);
    size_t length = strlen(stand_in);
    size_t before = find_text(&own, stand_in, length);
    if (before == own.size || !passes(s, s->own, before))
        return 1;
    s->own += before + length;
    s->own_size -= before + length;
    size_t from = s->at;
    if (t.size == 0)
        return 0;
    int result = passes(s, t.text, t.size) ? 0 : passes_as_json(s, t, e);
    return result ? result : add_plain_range(s->found, from, s->at, e);
}

static int check_searched(const struct plain_search *s, struct error *e)
{
    if (s->found->searched <= MOST_SEARCHED)
        return 0;
    return fail(e, ERROR_INPUT,
                "messages: too many of their texts do not stand in the prompt "
                "that the model's chat template makes of them: %d bytes of it "
                "were searched",
                MOST_SEARCHED);
}

/* A text that is found is looked for up to where it stands, and all of them
 * together once through the prompt.  One that is not takes the whole rest: so
 * after the first of them there is an index, which knows of most that they are
 * not there. */
static int search_prompt(struct plain_search *s, struct plain_string t,
                         size_t *from, struct error *e)
{
    *from = s->size;
    if (t.size == 0 || t.size > s->size - s->at ||
        text_index_excludes(&s->index, s->at, t.text, t.size))
        return 0;
    if (check_searched(s, e))
        return -1;
    *from = find_text(s, t.text, t.size);
    s->found->searched += *from - s->at;
    if (*from < s->size || s->index.last)
        return 0;
    return text_index_init(&s->index, s->prompt, s->size, e);
}

/* The same with the text as JSON, after the text itself was not found: *t
 * becomes that form, whose memory is *form. */
static int search_json(struct plain_search *s, struct plain_string *t,
                       struct bytes *form, size_t *from, struct error *e)
{
    if (json_form(*t, form, e))
        return -1;
    if (form->size == t->size)
        return 0;
    *t = (struct plain_string){form->data, form->size};
    return search_prompt(s, *t, from, e);
}

/* Does it have the marks of the model in it: is it other tokens where they
 * are not looked for?  One that is too long to say counts as if.  -1: *e is
 * filled in. */
static int has_marks(struct plain_search *s, struct plain_string t,
                     struct error *e)
{
    const struct rung_range whole = {0, t.size};
    struct rung_encoding marked = {0}, plain = {.plain = &whole, .n_plain = 1};
    struct rung_error why;
    int *ids = NULL, *others = NULL;
    size_t n = 0, n_others = 0;
    if (!s->model || t.size == 0)
        return 0;
    s->found->searched += t.size * MARKS_COST;
    if (check_searched(s, e))
        return -1;
    marked.most = plain.most = 2 * rung_facts(s->model)->context;
    int failed = rung_encode(s->model, t.text, t.size, &marked, &ids, &n,
                             &why) ||
                 rung_encode(s->model, t.text, t.size, &plain, &others,
                             &n_others, &why);
    bool same = !failed && n == n_others &&
                (n == 0 || memcmp(ids, others, n * sizeof *ids) == 0);
    rung_free_ids(ids);
    rung_free_ids(others);
    if (failed && why.code != RUNG_TOO_LONG)
        return fail_memory(e, "the tokens of a text");
    return !same;
}

static int refuse_marks(struct error *e)
{
    return fail(e, ERROR_INPUT,
                "messages: one that is not the assistant's has a mark of the "
                "model in it (such as \"<|im_end|>\"), and the model's chat "
                "template writes it in another way, so that the mark could "
                "be taken for the template's own");
}

/* Where the template has made something else of it, word for word.  One with
 * marks in it is refused where its place is not certain: where it is not
 * found, or found again. */
static int search_words(void *context, json_t *holder, const char *name,
                        struct error *e)
{
    struct plain_search *s = context;
    struct plain_string t = string_of(json_object_get(holder, name), true);
    struct bytes form = {0};
    size_t from;
    int marks = has_marks(s, t, e);
    int result = marks < 0 ? -1 : search_prompt(s, t, &from, e);
    if (result == 0 && from == s->size)
        result = search_json(s, &t, &form, &from, e);
    if (result == 0 && from < s->size) {
        s->at = from + t.size;
        result = add_plain_range(s->found, from, s->at, e);
        if (result == 0 && marks)
            result = search_prompt(s, t, &from, e);
        marks = marks && from < s->size;
    }
    if (result == 0 && marks)
        result = refuse_marks(e);
    bytes_free(&form);
    return result;
}

/* Begin again, and go through all texts. */
static int search_all(struct plain_text *p, const struct rung_model *model,
                      const json_t *messages, const struct bytes *own,
                      const struct bytes *prompt, bool trims,
                      text_visitor *visit, struct error *e)
{
    struct plain_search s = {.model = model,
                             .found = p,
                             .prompt = prompt->data,
                             .size = prompt->size,
                             .own = own->data,
                             .own_size = own->size,
                             .trims = trims};
    p->n = 0;
    int result = visit_texts((json_t *)messages, visit, &s, e);
    text_index_free(&s.index);
    if (result == 0 && visit == follow &&
        (!passes(&s, s.own, s.own_size) || s.at < s.size))
        return 1;
    return result;
}

int plain_text_find(struct plain_text *p, const struct rung_model *model,
                    const json_t *messages, const struct bytes *stand_ins,
                    const struct bytes *prompt, struct error *e)
{
    *p = (struct plain_text){0};
    e->code = ERROR_NONE;
    if (stand_ins->size > 0 && prompt->size > 0)
        for (int trims = 0; trims < 2; trims++) {
            int result = search_all(p, model, messages, stand_ins, prompt,
                                    trims, follow, e);
            if (result == 0 || e->code != ERROR_NONE)
                return result;
        }
    return search_all(p, model, messages, stand_ins, prompt, true,
                      search_words, e);
}

void plain_text_free(struct plain_text *p)
{
    free(p->ranges);
    *p = (struct plain_text){0};
}
