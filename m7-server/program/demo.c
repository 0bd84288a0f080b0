/* The demo of this rung: a sentence becomes numbers, and a model goes on with
 * it. */
#include "checkpoint.h"
#include "commands.h"
#include "guard.h"
#include "show.h"
#include "speaker.h"
#include "tokenizer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const sentences[] = {
    "The capital of France is",
    "naïve 🙂",
};

/* Append one sentence: its pieces, their ids, and what the ids say. */
static int add_sentence(const struct tokenizer *t, const char *text,
                        bool color, struct bytes *out, struct error *e)
{
    struct ids ids = {0};
    int result = tokenizer_encode(t, text, strlen(text), true, &ids, e);
    bytes_add_string(out, "text    ");
    bytes_add_string(out, text);
    bytes_add_string(out, "\npieces  ");
    if (result == 0)
        result = show_strip(t, ids.data, ids.size, color, out, e);
    bytes_add_string(out, "ids     ");
    show_ids(&ids, " ", out);
    bytes_add_string(out, "\nback    ");
    if (result == 0)
        result = tokenizer_decode(t, ids.data, ids.size, true, out, e);
    bytes_add_string(out, "\n\n");
    ids_free(&ids);
    return result;
}

static int add_demo(const struct tokenizer *t, bool color, struct bytes *out,
                    struct error *e)
{
    size_t n = sizeof sentences / sizeof sentences[0];
    for (size_t i = 0; i < n; i++)
        if (add_sentence(t, sentences[i], color, out, e))
            return -1;
    bytes_add_string(out, "A model reads numbers, not letters.  Common words "
                          "have a number of their own;\nwhat is rare is "
                          "spelled out in pieces, down to single bytes.\n"
                          "See more, in this rung's folder:\n    ./rung "
                          "encode --pieces 'Hello, world'\n");
    return out->failed ? fail_memory(e, "the demo") : 0;
}

/* Append a line of text, printf-like. */
static void add_line(struct bytes *out, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    bytes_add_string(out, line);
    bytes_add_string(out, "\n");
}

/* The table with a row for each token, or NULL where it has another name. */
static const struct tensor *find_embedding(const struct checkpoint *c)
{
    const struct tensor *t = checkpoint_find(c, "model.embed_tokens.weight");
    if (!t)
        t = checkpoint_find(c, "embed_tokens.weight");
    bool fits = t && t->rank == 2 && dtype_is_real(t->dtype);
    return fits && t->shape[1] >= 4 ? t : NULL;
}

/* The two ends of the row of a token. */
static void add_weights_row(const struct tensor *t, size_t id,
                            struct bytes *out)
{
    float begin[2], end[2];
    size_t columns = t->shape[1];
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    tensor_read(t, id * columns, 2, begin);
    tensor_read(t, (id + 1) * columns - 2, 2, end);
    add_line(out, "tensor  %s %s %s", t->name, shape, tensor_type(t));
    add_line(out, "row %zu  %.4f %.4f ... %.4f %.4f", id, begin[0], begin[1],
             end[0], end[1]);
    add_line(out, "\nThe row of an id is what the model knows of that token "
                  "before it has read\na sentence.");
}

static void add_weights(const struct checkpoint *c, size_t id,
                        struct bytes *out)
{
    const struct tensor *t = find_embedding(c);
    add_line(out, "\nweights %s\n        %zu tensors, mapped, not read",
             c->files[0].path, c->n_tensors);
    if (t && id < t->shape[0])
        add_weights_row(t, id, out);
    add_line(out, "See more, in this rung's folder:\n    ./rung tensors "
                  "--stats");
    if (t)
        add_line(out, "    ./rung picture weights %s -o weights.png", t->name);
}

/* The last id, or one that no table has a row for. */
static size_t last_of(const struct ids *ids)
{
    return ids->size > 0 ? (size_t)ids->data[ids->size - 1] : SIZE_MAX;
}

/* Append what stands in the weights for the last token of a sentence. */
static int add_model(const struct tokenizer *t, const char *model,
                     struct bytes *out, struct error *e)
{
    struct ids ids = {0};
    struct checkpoint c;
    struct guard g;
    const char *text = sentences[0];
    int result = tokenizer_encode(t, text, strlen(text), false, &ids, e);
    if (result == 0)
        result = checkpoint_open(&c, model, e);
    if (result == 0) {
        guard_begin(&g, c.files, c.n_files);
        add_weights(&c, last_of(&ids), out);
        guard_end(&g);
        checkpoint_close(&c);
    }
    ids_free(&ids);
    return result;
}

/* Run the commands of this rung on the first sentence. */
static int run_forward(const struct settings *s, struct error *e)
{
    char *words[] = {(char *)sentences[0]};
    struct settings one = {.model = s->model,
                           .arguments = words,
                           .n_arguments = 1,
                           .quiet = true};
    printf("\nThe model runs over all tokens, and says how likely each one is "
           "to come next:\n\n");
    if (cmd_next(&one, e))
        return -1;
    printf("\nTake the likeliest, run again, and so on:\n\n%s", words[0]);
    fflush(stdout);
    if (cmd_generate(&one, e))
        return -1;
    printf(
        "\n\nSee more, in this rung's folder:\n    ./rung generate 'Once "
        "upon a time'\n    ./rung picture attention '%s' -o look.png\n",
        words[0]);
    return 0;
}

/* Choose with chance: what the steps leave, and two stories of one prompt. */
static int run_sampling(const struct settings *s, struct error *e)
{
    char *words[] = {(char *)"Once upon a time, there was a"};
    struct settings one = {.model = s->model,
                           .arguments = words,
                           .n_arguments = 1,
                           .quiet = true,
                           .temperature = {true, 0.8},
                           .top_p = {true, 0.5},
                           .tokens = {true, 24},
                           .samples = {true, 2},
                           .seed = {true, 7}};
    printf("\nOr let chance choose among the likely ones.  What could follow "
           "\"%s\":\n\n",
           words[0]);
    if (cmd_sample(&one, e))
        return -1;
    printf("\nTwo ways to go on:\n\n");
    fflush(stdout);
    if (cmd_generate(&one, e))
        return -1;
    printf("\nThe same seed gives the same text again.  See more, in this "
           "rung's folder:\n    ./rung generate --chat 'What is the capital "
           "of France?' --seed 7\n    ./rung picture probs '%s' --top-p 0.5 "
           "-o probs.png\n",
           words[0]);
    return 0;
}

/* What reading and going on cost, and what the past is worth. */
static int run_steps_shown(const struct settings *s, struct error *e)
{
    char *words[] = {(char *)"The capital of France is"};
    struct settings one = {.model = s->model,
                           .arguments = words,
                           .n_arguments = 1,
                           .tokens = {true, 3}};
    printf("\nThe text was read in one step, each new token in one of its "
           "own.  What they\nfetched, computed and kept:\n\n");
    if (cmd_trace(&one, e))
        return -1;
    printf("\nA token alone fetches every weight, six together fetch each "
           "once; and what was\nread is never read again, nor tomorrow.  See "
           "more, in this rung's folder:\n"
           "    ./rung generate 'Once upon a time' -n 40 --save tale.session\n"
           "    ./rung generate 'Once upon a time' -n 40 --draft "
           "../tests/models/tiny-draft\n"
           "    ./rung picture cache '%s' -o cache.png\n",
           words[0]);
    return 0;
}

/* A question, and its answer as it comes. */
static int answer_shown(const struct settings *s, struct conversation *c,
                        const char *question, struct error *e)
{
    struct settings one = {.temperature = {true, 0}, .tokens = {true, 80}};
    struct chat_screen screen = {.terminal = isatty(STDOUT_FILENO),
                                 .colour = show_in_color(s->color)};
    struct speaker speaker;
    struct answer_wait wait;
    struct spoken spoken;
    answer_wait_init(&wait);
    int result = conversation_say(c, question, strlen(question), e);
    if (result == 0)
        result = speaker_open(&speaker, &one, s->model, &wait, e);
    if (result == 0) {
        result = speaker_answer(&speaker, c, &screen, &spoken, e);
        speaker_close(&speaker);
    }
    answer_wait_allow(&wait, true);
    return result;
}

/* Ask, and say how others can. */
static int run_chat_shown(const struct settings *s, struct error *e)
{
    static const char question[] = "What is the capital of Japan?";
    struct conversation c;
    if (conversation_init(&c, NULL, NULL, e))
        return -1;
    printf("\nAll this is one engine, which answers many people at once.  Ask "
           "it:\n\n> %s\n",
           question);
    fflush(stdout);
    int result = answer_shown(s, &c, question, e);
    conversation_free(&c);
    if (result == 0)
        printf("\nTalk with it here, or let others ask it: on the page that "
               "the server shows,\nor by OpenAI's API:\n"
               "    cd m7-server\n"
               "    ./rung chat\n"
               "    ./rung serve     and open http://127.0.0.1:8080/\n");
    return result;
}

int cmd_demo(const struct settings *s, struct error *e)
{
    struct tokenizer *t = tokenizer_load(s->model, e);
    struct bytes out = {0};
    int result = t ? add_demo(t, show_in_color(s->color), &out, e) : -1;
    if (result == 0)
        result = add_model(t, s->model, &out, e);
    if (result == 0) {
        fwrite(out.data, 1, out.size, stdout);
        result = run_forward(s, e);
    }
    if (result == 0)
        result = run_sampling(s, e);
    if (result == 0)
        result = run_steps_shown(s, e);
    if (result == 0)
        result = run_chat_shown(s, e);
    bytes_free(&out);
    tokenizer_free(t);
    return result;
}
