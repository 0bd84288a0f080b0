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
    MOST_SEARCHED = 1 << 28 /* bytes of prompts, for all texts of a chat */
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
    if (!passes(s, t.text, t.size))
        return 1;
    return add_plain_range(s->found, from, s->at, e);
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
    if (s->found->searched > MOST_SEARCHED)
        return fail(e, ERROR_INPUT,
                    "messages: too many of their texts do not stand in the "
                    "prompt that the model's chat template makes of them: "
                    "%d bytes of it were searched",
                    MOST_SEARCHED);
    *from = find_text(s, t.text, t.size);
    s->found->searched += *from - s->at;
    if (*from < s->size || s->index.last)
        return 0;
    return text_index_init(&s->index, s->prompt, s->size, e);
}

/* Where the template has made something else of it, word for word. */
static int search_words(void *context, json_t *holder, const char *name,
                        struct error *e)
{
    struct plain_search *s = context;
    struct plain_string t = string_of(json_object_get(holder, name), true);
    size_t from;
    if (search_prompt(s, t, &from, e))
        return -1;
    if (from == s->size)
        return 0;
    s->at = from + t.size;
    return add_plain_range(s->found, from, s->at, e);
}

/* Begin again, and go through all texts. */
static int search_all(struct plain_text *p, const json_t *messages,
                      const struct bytes *own, const struct bytes *prompt,
                      bool trims, text_visitor *visit, struct error *e)
{
    struct plain_search s = {.found = p,
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

int plain_text_find(struct plain_text *p, const json_t *messages,
                    const struct bytes *stand_ins, const struct bytes *prompt,
                    struct error *e)
{
    *p = (struct plain_text){0};
    e->code = ERROR_NONE;
    if (stand_ins->size > 0 && prompt->size > 0)
        for (int trims = 0; trims < 2; trims++) {
            int result =
                search_all(p, messages, stand_ins, prompt, trims, follow, e);
            if (result == 0 || e->code != ERROR_NONE)
                return result;
        }
    return search_all(p, messages, stand_ins, prompt, true, search_words, e);
}

void plain_text_free(struct plain_text *p)
{
    free(p->ranges);
    *p = (struct plain_text){0};
}
