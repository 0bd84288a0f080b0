/* The command that shows what each step of sampling leaves of the logits. */
#include "commands.h"
#include "print.h"
#include "prompt.h"
#include "show.h"
#include "views.h"

#include <jansson.h>
#include <stdio.h>

enum sample_width {
    COLUMN = 13 /* of a step */
};

static void print_steps(const struct views *v)
{
    printf("    id  %-14s", "token");
    for (size_t i = 0; i < v->n; i++)
        printf("%*s", COLUMN, v->items[i].name);
    putchar('\n');
}

/* A row of the table: how likely a token is, step by step. */
static int print_token_row(const struct tokenizer *t, const struct views *v,
                           int id, struct error *e)
{
    struct bytes piece = {0}, text = {0};
    int result = tokenizer_bytes(t, id, &piece, e);
    bytes_add_string(&text, "\"");
    show_text(piece.data, piece.size, &text);
    bytes_add_string(&text, "\"");
    if (result == 0 && text.failed)
        result = fail_memory(e, "a token");
    if (result == 0)
        printf("%6d  %-14.*s", id, (int)text.size, text.data);
    for (size_t i = 0; i < v->n && result == 0; i++)
        if (v->items[i].probabilities[id] > 0)
            printf("%*.4f", COLUMN, (double)v->items[i].probabilities[id]);
        else
            printf("%*s", COLUMN, "-");
    if (result == 0)
        putchar('\n');
    bytes_free(&text);
    bytes_free(&piece);
    return result;
}

static void print_left(const struct views *v)
{
    printf("        %-14s", "tokens left");
    for (size_t i = 0; i < v->n; i++)
        printf("%*zu", COLUMN, v->items[i].left);
    putchar('\n');
}

static int print_views(const struct tokenizer *t, const struct views *v,
                       size_t most, struct error *e)
{
    print_steps(v);
    for (size_t i = 0; i < v->n_ranked && i < most; i++)
        if (print_token_row(t, v, v->ranking[i].id, e))
            return -1;
    print_left(v);
    return 0;
}

/* The tokens that a step has left, as [{"id": 13, "probability": 0.5} ...]. */
static json_t *json_tokens(const struct views *v, const struct view *view,
                           size_t most)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n_ranked && json_array_size(list) < most; i++) {
        int id = v->ranking[i].id;
        double p = (double)view->probabilities[id];
        if (p > 0)
            json_add(&list,
                     json_pack("{s:i,s:f}", "id", id, "probability", p));
    }
    return list;
}

static json_t *json_views(const struct views *v, size_t most)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n; i++)
        json_add(&list,
                 json_pack("{s:s,s:I,s:o}", "step", v->items[i].name, "left",
                           (json_int_t)v->items[i].left, "tokens",
                           json_tokens(v, &v->items[i], most)));
    return list;
}

int cmd_sample(const struct settings *s, struct error *e)
{
    struct input in;
    struct views v;
    size_t most = number_or(s->best, 5);
    if (prompt_open(&in, s, 0, e))
        return -1;
    print_ignored(&in.model);
    int result = views_init(&v, &in, s, e);
    if (result == 0) {
        result = s->json ? print_json_line(json_views(&v, most), e)
                         : print_views(in.tokenizer, &v, most, e);
        views_free(&v);
    }
    input_close(&in);
    return result;
}
