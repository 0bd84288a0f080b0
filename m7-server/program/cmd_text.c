/* The commands that turn text into token ids and back.  They know the
 * tokenizer only by its header. */
#include "commands.h"
#include "json.h"
#include "show.h"
#include "tokenizer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* What a command works with. */
struct text_command {
    const struct settings *settings;
    struct tokenizer *tokenizer;
    struct bytes out; /* the answer, until it is printed */
};

static const char input_name[] = "standard input";

/* --- answers ------------------------------------------------------------ */

static int print_answer(struct text_command *c, struct error *e)
{
    if (c->out.failed)
        return fail_memory(e, "the answer");
    size_t size = c->out.size;
    c->out.size = 0;
    if (size && fwrite(c->out.data, 1, size, stdout) != size)
        return fail_errno(e, "standard output");
    return 0;
}

static int add_encoded(struct text_command *c, const struct ids *ids,
                       struct error *e)
{
    const struct settings *s = c->settings;
    if (s->pieces && !s->json && !s->jsonl)
        return show_table(c->tokenizer, ids->data, ids->size,
                          show_in_color(s->color), &c->out, e);
    int result = 0;
    if (s->pieces) {
        result = show_json_tokens(c->tokenizer, ids, &c->out, e);
    } else if (s->json || s->jsonl) {
        bytes_add_string(&c->out, "[");
        show_ids(ids, ",", &c->out);
        bytes_add_string(&c->out, "]");
    } else {
        show_ids(ids, " ", &c->out);
    }
    bytes_add_string(&c->out, "\n");
    return result;
}

static int answer_text(struct text_command *c, const char *text, size_t size,
                       struct error *e)
{
    struct ids ids = {0};
    int result = tokenizer_encode(c->tokenizer, text, size,
                                  !c->settings->no_special, &ids, e);
    if (result == 0)
        result = add_encoded(c, &ids, e);
    ids_free(&ids);
    return result;
}

/* The text itself, to the byte; only on a terminal is its last line ended. */
static void add_plain(struct text_command *c, const struct bytes *text)
{
    bytes_add(&c->out, text->data, text->size);
    if (isatty(STDOUT_FILENO) && text->size &&
        text->data[text->size - 1] != '\n')
        bytes_add_string(&c->out, "\n");
}

static int add_decoded(struct text_command *c, const struct bytes *text,
                       struct error *e)
{
    if (!c->settings->json && !c->settings->jsonl) {
        add_plain(c, text);
        return 0;
    }
    if (show_json_text(text->data, text->size, &c->out, e))
        return -1;
    bytes_add_string(&c->out, "\n");
    return 0;
}

static int answer_ids(struct text_command *c, const struct ids *ids,
                      struct error *e)
{
    if (ids->failed)
        return fail_memory(e, "the token ids");
    struct bytes text = {0};
    int result = tokenizer_decode(c->tokenizer, ids->data, ids->size,
                                  !c->settings->no_special, &text, e);
    if (result == 0)
        result = add_decoded(c, &text, e);
    bytes_free(&text);
    return result;
}

/* --- one JSON value a line ---------------------------------------------- */

static int encode_value(struct text_command *c, const struct node *value,
                        struct error *e)
{
    const char *text = NULL;
    size_t size = 0;
    if (node_text(value, &text, &size, e))
        return -1;
    return answer_text(c, text, size, e);
}

static int read_ids(const struct node *array, struct ids *ids, struct error *e)
{
    size_t length = 0, id = 0;
    if (node_array(array, &length, e))
        return -1;
    for (size_t i = 0; i < length; i++) {
        struct node element = node_element(array, i);
        if (node_size(&element, INT_MAX, &id, e))
            return -1;
        ids_add(ids, (int)id);
    }
    return 0;
}

/* Append the ids of a JSON list (size,) that begins at byte `offset` of
 * `name`. */
static int parse_list(const char *text, size_t size, const char *name,
                      size_t offset, struct ids *ids, struct error *e)
{
    json_t *value = json_parse(text, size, name, offset, e);
    if (!value)
        return -1;
    struct node root = node_root(name, value);
    int result = read_ids(&root, ids, e);
    json_decref(value);
    return result;
}

static int decode_value(struct text_command *c, const struct node *value,
                        struct error *e)
{
    struct ids ids = {0};
    int result = read_ids(value, &ids, e);
    if (result == 0)
        result = answer_ids(c, &ids, e);
    ids_free(&ids);
    return result;
}

/* Appends the answer to one line's value. */
typedef int line_answer(struct text_command *c, const struct node *value,
                        struct error *e);

static int answer_line(struct text_command *c, line_answer *answer,
                       const char *line, size_t size, const char *name,
                       struct error *e)
{
    json_t *value = json_parse(line, size, name, 0, e);
    if (!value)
        return -1;
    struct node root = node_root(name, value);
    int result = answer(c, &root, e);
    json_decref(value);
    return result;
}

/* The error of one line, which may not name it yet. */
static int fail_line(const char *name, struct error *e)
{
    struct error why = *e;
    if (strncmp(why.message, name, strlen(name)) == 0)
        return -1;
    return fail(e, why.code, "%s: %s", name, why.message);
}

/* Each answer goes out at once, for whoever waits for it at the other end of
 * a pipe. */
static int answer_lines(struct text_command *c, line_answer *answer,
                        struct error *e)
{
    char *line = NULL;
    size_t capacity = 0;
    int result = 0;
    for (size_t number = 1; result == 0; number++) {
        ssize_t size = getline(&line, &capacity, stdin);
        if (size < 0)
            break;
        char name[64];
        snprintf(name, sizeof name, "%s: line %zu", input_name, number);
        if (size > 0 && line[size - 1] == '\n')
            size--;
        result = answer_line(c, answer, line, (size_t)size, name, e);
        if (result)
            fail_line(name, e);
        else
            result = print_answer(c, e);
        if (result == 0 && fflush(stdout))
            result = fail_errno(e, "standard output");
    }
    free(line);
    return result == 0 && ferror(stdin) ? fail_errno(e, input_name) : result;
}

/* --- the commands ------------------------------------------------------- */

/* True when there are no arguments, or the one that means standard input. */
static bool from_input(const struct settings *s)
{
    return s->n_arguments == 0 ||
           (s->n_arguments == 1 && strcmp(s->arguments[0], "-") == 0);
}

static int encode_all(struct text_command *c, struct error *e)
{
    const struct settings *s = c->settings;
    if (!from_input(s))
        return answer_text(c, s->arguments[0], strlen(s->arguments[0]), e);
    struct bytes text = {0};
    int result = bytes_read(&text, stdin, input_name, e);
    if (result == 0)
        result = answer_text(c, text.data ? text.data : "", text.size, e);
    bytes_free(&text);
    return result;
}

/* Whether it may stand between ids. */
static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* Read one id from text (size,), the rest of a list; *size becomes what it
 * takes up. */
static int parse_id(const char *text, size_t *size, int *id, struct error *e)
{
    size_t end = 0;
    while (end < *size && !separates(text[end]))
        end++;
    int value = 0;
    bool good = true;
    for (size_t i = 0; i < end; i++) {
        int digit = text[i] - '0';
        good = good && digit >= 0 && digit <= 9 &&
               value <= (INT_MAX - digit) / 10;
        value = good ? 10 * value + digit : 0;
    }
    if (!good)
        return fail(e, ERROR_USAGE, "\"%.*s\" is no token id",
                    (int)(end < 40 ? end : 40), text);
    *id = value;
    *size = end;
    return 0;
}

/* Append the ids that stand in text (size,), as `rung encode` prints them:
 * with blanks or commas between them, or as a JSON list. */
static int parse_ids(const char *text, size_t size, const char *name,
                     struct ids *ids, struct error *e)
{
    for (size_t at = 0, length; at < size; at += length) {
        length = 1;
        if (separates(text[at]))
            continue;
        if (text[at] == '[' && ids->size == 0)
            return parse_list(text + at, size - at, name, at, ids, e);
        int id = 0;
        length = size - at;
        if (parse_id(text + at, &length, &id, e))
            return -1;
        ids_add(ids, id);
    }
    return 0;
}

/* The arguments as one text, a blank between them. */
static int join_arguments(const struct settings *s, struct bytes *text,
                          struct error *e)
{
    for (int i = 0; i < s->n_arguments; i++) {
        bytes_add_string(text, i ? " " : "");
        bytes_add_string(text, s->arguments[i]);
    }
    return text->failed ? fail_memory(e, "the arguments") : 0;
}

static int find_ids(const struct settings *s, struct ids *ids, struct error *e)
{
    struct bytes text = {0};
    bool input = from_input(s);
    int result = input ? bytes_read(&text, stdin, input_name, e)
                       : join_arguments(s, &text, e);
    if (result == 0)
        result = parse_ids(text.data, text.size,
                           input ? input_name : "arguments", ids, e);
    bytes_free(&text);
    return result;
}

static int decode_all(struct text_command *c, struct error *e)
{
    struct ids ids = {0};
    int result = find_ids(c->settings, &ids, e);
    if (result == 0)
        result = answer_ids(c, &ids, e);
    ids_free(&ids);
    return result;
}

static int run_text_command(const struct settings *s, line_answer *line,
                            int (*all)(struct text_command *c,
                                       struct error *e),
                            struct error *e)
{
    if (s->jsonl && !from_input(s))
        return fail(e, ERROR_USAGE,
                    "--jsonl reads standard input: it takes no argument");
    struct text_command c = {.settings = s,
                             .tokenizer = tokenizer_load(s->model, e)};
    int result = -1;
    if (c.tokenizer)
        result = s->jsonl ? answer_lines(&c, line, e) : all(&c, e);
    if (result == 0)
        result = print_answer(&c, e);
    bytes_free(&c.out);
    tokenizer_free(c.tokenizer);
    return result;
}

int cmd_encode(const struct settings *s, struct error *e)
{
    return run_text_command(s, encode_value, encode_all, e);
}

int cmd_decode(const struct settings *s, struct error *e)
{
    return run_text_command(s, decode_value, decode_all, e);
}
