/* Texts that stand in for others: see stand_ins.h. */
#define _GNU_SOURCE /* memmem */
#include "stand_ins.h"

#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the texts ----------------------------------------------------------- */

static int note_text(void *context, json_t *holder, const char *name,
                   struct error *e)
{
    struct chat_texts *t = context;
    json_t **list = grow(t->list, &t->room, t->n + 1, sizeof *list);
    if (!list)
        return fail_memory(e, "the texts of a chat");
    t->list = list;
    t->list[t->n++] = json_object_get(holder, name);
    return 0;
}

int chat_texts_init(struct chat_texts *t, const json_t *messages,
                    struct error *e)
{
    *t = (struct chat_texts){0};
    int result = visit_texts((json_t *)messages, note_text, t, e);
    if (result)
        chat_texts_free(t);
    return result;
}

void chat_texts_free(struct chat_texts *t)
{
    free(t->list);
    *t = (struct chat_texts){0};
}

/* --- the others ---------------------------------------------------------- */

enum stand_in_sizes {
    STAND_IN = 32 /* bytes, with the end */
};

/* Two characters for private use (Unicode, section 23.5), and a number. */
static const char stand_in_begin[] = "\xee\x80\x80";

static void write_stand_in(size_t i, char out[STAND_IN])
{
    snprintf(out, STAND_IN, "%s%zu\xee\x80\x81", stand_in_begin, i);
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

json_t *stand_ins_for(const json_t *messages)
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

/* How long the stand-in is that a text (size,) begins with; 0: with none. */
static size_t read_stand_in(const char *text, size_t size, size_t n,
                            size_t *number)
{
    char stand_in[STAND_IN];
    *number = 0;
    for (size_t at = strlen(stand_in_begin); at < size; at++) {
        if (text[at] < '0' || text[at] > '9')
            break;
        *number = 10 * *number + (size_t)(text[at] - '0');
    }
    write_stand_in(*number, stand_in);
    size_t length = strlen(stand_in);
    bool same = length <= size && memcmp(text, stand_in, length) == 0;
    return same && *number < n ? length : 0;
}

bool stand_in_find(const char *text, size_t size, size_t n, size_t *before,
                   size_t *length, size_t *number)
{
    size_t sign = strlen(stand_in_begin);
    for (size_t from = 0; from < size; from = *before + sign) {
        const char *found =
            memmem(text + from, size - from, stand_in_begin, sign);
        if (!found)
            return false;
        *before = (size_t)(found - text);
        *length = read_stand_in(found, size - *before, n, number);
        if (*length > 0)
            return true;
    }
    return false;
}
