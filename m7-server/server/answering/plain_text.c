/* What others wrote: see plain_text.h. */
#define _GNU_SOURCE /* memmem */
#include "plain_text.h"

#include "stand_ins.h"
#include "text_index.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* 1: the text does not stand here. */
static int passes_text(struct plain_search *s, struct plain_string t,
                       struct error *e)
{
    size_t from = s->at;
    if (t.size == 0)
        return 0;
    int result = passes(s, t.text, t.size) ? 0 : passes_as_json(s, t, e);
    return result ? result : add_plain_range(s->found, from, s->at, e);
}

static void skip_own(struct plain_search *s, size_t size)
{
    s->own += size;
    s->own_size -= size;
}

/* The template's own words up to a stand-in, then the text that it is for, in
 * the order in which the template has them; then what is left of its own.  1:
 * something else stands there. */
static int follow(struct plain_search *s, const struct chat_texts *texts,
                  struct error *e)
{
    size_t before, length, number;
    while (stand_in_find(s->own, s->own_size, texts->n, &before, &length,
                         &number)) {
        if (!passes(s, s->own, before))
            return 1;
        skip_own(s, before + length);
        struct plain_string t = string_of(texts->list[number], s->trims);
        int result = passes_text(s, t, e);
        if (result)
            return result;
    }
    return !passes(s, s->own, s->own_size) || s->at < s->size;
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
static int search_words(struct plain_search *s, const json_t *text,
                        struct error *e)
{
    struct plain_string t = string_of(text, true);
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

/* Begin again with the space at the ends of texts, or else without it.  1: not
 * found. */
static int follow_all(struct plain_search *s, const struct chat_texts *texts,
                      const struct bytes *own, struct error *e)
{
    int result = 1;
    for (int trims = 0; result == 1 && trims < 2; trims++) {
        s->found->n = s->at = 0;
        s->trims = trims;
        s->own = own->data;
        s->own_size = own->size;
        result = follow(s, texts, e);
    }
    return result;
}

static int search_all(struct plain_search *s, const struct chat_texts *texts,
                      struct error *e)
{
    int result = 0;
    s->found->n = s->at = 0;
    for (size_t i = 0; result == 0 && i < texts->n; i++)
        result = search_words(s, texts->list[i], e);
    text_index_free(&s->index);
    return result;
}

int plain_text_find(struct plain_text *p, const struct rung_model *model,
                    const json_t *messages, const struct bytes *stand_ins,
                    const struct bytes *prompt, struct error *e)
{
    struct chat_texts texts;
    struct plain_search s = {.model = model,
                             .found = p,
                             .prompt = prompt->data,
                             .size = prompt->size};
    *p = (struct plain_text){0};
    e->code = ERROR_NONE;
    int result = chat_texts_init(&texts, messages, e) ? -1 : 1;
    if (result == 1 && stand_ins->size > 0 && prompt->size > 0)
        result = follow_all(&s, &texts, stand_ins, e);
    if (result == 1)
        result = search_all(&s, &texts, e);
    chat_texts_free(&texts);
    return result;
}

void plain_text_free(struct plain_text *p)
{
    free(p->ranges);
    *p = (struct plain_text){0};
}
