/* The command line: see options.h.  Knows no command. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;  /* without the dashes */
    char letter;       /* its short form, or 0 */
    const char *value; /* what the help calls its value; NULL for a flag */

    /* Reads the value into the field; NULL for a flag, which becomes true. */
    int (*read)(const char *value, void *field, struct error *e);
    size_t offset; /* of the field in struct settings */
    const char *help;
};

static int read_string(const char *value, void *field, struct error *e)
{
    if (!*value)
        return fail(e, ERROR_USAGE, "is empty");
    *(const char **)field = value;
    return 0;
}

/* 1 to 9 digits. */
static int read_number(const char *value, void *field, struct error *e)
{
    size_t length = strspn(value, "0123456789");
    if (length == 0 || length > 9 || value[length])
        return fail(e, ERROR_USAGE, "must be a whole number, not \"%s\"",
                    value);
    *(struct number *)field = (struct number){true, strtoul(value, NULL, 10)};
    return 0;
}

static const struct option options[] = {
    {"model", 'm', "MODEL", read_string, offsetof(struct settings, model),
     "a model's folder, or a file in it (else\n"
     "$RUNG_MODEL, else ../tests/models/tiny-chat)"},
    {"pieces", 0, NULL, NULL, offsetof(struct settings, pieces),
     "one line a token: its id, its bytes, its piece"},
    {"no-special", 0, NULL, NULL, offsetof(struct settings, no_special),
     "encode: do not add the tokens that the model wants\n"
     "before and after a text; decode: leave special tokens\n"
     "out (else they are kept)"},
    {"json", 0, NULL, NULL, offsetof(struct settings, json),
     "print the result as one JSON value"},
    {"jsonl", 0, NULL, NULL, offsetof(struct settings, jsonl),
     "read one JSON value a line from standard input, and\n"
     "answer each at once with a line"},
    {"color", 0, NULL, NULL, offsetof(struct settings, color),
     "use colours although this is no terminal"},
    {"stats", 0, NULL, NULL, offsetof(struct settings, stats),
     "read every value: show the smallest, their mean, and\n"
     "the largest"},
    {"output", 'o', "FILE", read_string, offsetof(struct settings, output),
     "the file to write"},
    {"markdown", 0, NULL, NULL, offsetof(struct settings, markdown),
     "print a table as Markdown has them"},
    {"best", 'k', "K", read_number, offsetof(struct settings, best),
     "how many tokens to show (else 5; in a picture 12)"},
    {"tokens", 'n', "N", read_number, offsetof(struct settings, tokens),
     "how many tokens to add, at most (else 32; trace: 4); of a\n"
     "text to be judged, how many to read (else all)"},
    {"layer", 0, "L", read_number, offsetof(struct settings, layer),
     "the layer to draw, counted from 0 (else 0)"},
    {"head", 0, "H", read_number, offsetof(struct settings, head),
     "the head to draw, counted from 0 (else the mean of all)"},

    {"temperature", 't', "T", read_temperature,
     offsetof(struct settings, temperature),
     "0: the likeliest token, always; below 1: bolder about\n"
     "the likely ones; above 1: fairer to the others (else 1\n"
     "where something of chance is asked for, or else 0)"},
    {"top-k", 0, "K", read_number, offsetof(struct settings, top_k),
     "choose from the K likeliest tokens (0: from all)"},
    {"top-p", 0, "P", read_share, offsetof(struct settings, top_p),
     "... from the likeliest ones that together have the\n"
     "probability P"},
    {"min-p", 0, "P", read_share, offsetof(struct settings, min_p),
     "... from those at least P times as likely as the best"},
    {"typical-p", 0, "P", read_share, offsetof(struct settings, typical_p),
     "... from those whose surprise is nearest to what is to\n"
     "be expected, and that together have the probability P"},
    {"repetition-penalty", 0, "R", read_repetition,
     offsetof(struct settings, repetition),
     "divide the logits of the tokens of the text by R"},
    {"presence-penalty", 0, "A", read_penalty,
     offsetof(struct settings, presence),
     "subtract A from the logits of tokens chosen before"},
    {"frequency-penalty", 0, "A", read_penalty,
     offsetof(struct settings, frequency),
     "... A for each time that they were chosen"},
    {"bias", 0, "ID=B", read_token_bias, offsetof(struct settings, biases),
     "add B to the logit of a token; can be given again"},
    {"seed", 0, "S", read_seed, offsetof(struct settings, seed),
     "where chance begins: the same seed, the same text"},
    {"samples", 0, "N", read_samples, offsetof(struct settings, samples),
     "how many continuations to draw (else 1)"},
    {"stop", 0, "TEXT", read_stop, offsetof(struct settings, stops),
     "end before this text; can be given again"},
    {"stop-id", 0, "ID", read_stop_id, offsetof(struct settings, stop_ids),
     "end at this token; can be given again"},
    {"logprobs", 0, "N", read_few, offsetof(struct settings, logprobs),
     "show how sure the model was of each token, and of the\n"
     "N likeliest"},
    {"chat", 0, NULL, NULL, offsetof(struct settings, chat),
     "the text is a question: answer it"},
    {"system", 0, "TEXT", read_string, offsetof(struct settings, system),
     "with --chat: who to be"},
    {"think", 0, NULL, NULL, offsetof(struct settings, think),
     "with --chat: think before answering"},
    {"quiet", 'q', NULL, NULL, offsetof(struct settings, quiet),
     "do not say how long it took"},

    {"load", 0, "FILE", read_string, offsetof(struct settings, load),
     "a session: what it has of the text is not read again"},
    {"save", 0, "FILE", read_string, offsetof(struct settings, save),
     "keep the session in this file: the text and what followed,\n"
     "with --samples the last one; a file that is there keeps its\n"
     "permissions, and a link stays and its file is replaced"},
    {"at", 0, "N", read_number, offsetof(struct settings, at),
     "how many tokens of the session are to stay"},
    {"chunk", 0, "C", read_chunk, offsetof(struct settings, chunk),
     "how many tokens of the text to read at once (else 64,\n"
     "with AVX-512 and AMX 256; for a picture, 1): it\n"
     "changes the time, and no bit of the result"},

    {"cache", 0, "FORM", read_cache_form, offsetof(struct settings, cache),
     "how keys and values are kept: f32 (if not said), f16,\n"
     "int8, or in 4, 3 or 2 bits: k4v4, k4v3, k3v2; compare:\n"
     "those of B"},
    {"window", 0, "N", read_chunk, offsetof(struct settings, window),
     "how many tokens of the text to read as one, each window\n"
     "as if the text began there (else 512, or what the model\n"
     "can hold)"},
    {"stride", 0, "N", read_chunk, offsetof(struct settings, stride),
     "how many tokens further on the next window begins (else\n"
     "half of a window); no token is scored twice"},

    {"draft", 0, "MODEL", read_string, offsetof(struct settings, draft),
     "a small model that guesses ahead; or ngram: what followed\n"
     "when the last tokens stood earlier in the text"},
    {"draft-tokens", 0, "N", read_number,
     offsetof(struct settings, draft_tokens),
     "how many tokens to guess at once (else up to 4, as long as\n"
     "guesses save more time than they cost)"},

    {"shape", 0, "NAME", read_string, offsetof(struct settings, shape),
     "a published model's sizes, filled with random weights:\n"
     "smollm2-135m, qwen2.5-0.5b, -1.5b, -3b, qwen3-0.6b,\n"
     "llama-3.2-1b"},
    {"exact", 0, NULL, NULL, offsetof(struct settings, exact),
     "compute one operation after another, without kernels:\n"
     "slow, and each sum in the order that a loop has"},
    {"threads", 0, "N", read_threads, offsetof(struct settings, threads),
     "how many threads compute (else one for each core that\n"
     "there is time for): no bit of the result changes"},
    {"keep-packed", 0, NULL, NULL, offsetof(struct settings, keep_packed),
     "write the weights as kernels read them beside the model,\n"
     "a file of about its size (MODEL.rung-packed): the next\n"
     "start maps it, with this option or without, as long as\n"
     "the model stays the same"},

    {"to", 0, "FORMAT", read_string, offsetof(struct settings, to),
     "int8 or int4: how many bits a weight has"},
    {"group", 0, "N", read_number, offsetof(struct settings, group),
     "how many weights share a scale: 32, 64 or 128 (else\n"
     "the largest of them that divides the rows of every\n"
     "matrix)"},
    {"keep", 0, "WHAT", read_string, offsetof(struct settings, keep),
     "embed, head, or both with a comma between them: stay\n"
     "as they are (where both are one matrix, so does it)"},
    {"search", 0, NULL, NULL, offsetof(struct settings, search),
     "choose each scale for the least squared error, not by\n"
     "the largest weight"},
    {"calibrate", 0, "FILE", read_string, offsetof(struct settings, calibrate),
     "the same, by what each column meets in this text: its\n"
     "weights count as much as the squares of that"},
};

static const size_t n_options = sizeof options / sizeof options[0];

/* True when `name` is one of the words in `list`. */
static bool listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

/* The option that a word names: "-m", "-mx", "--model" or "--model=x". */
static const struct option *find_option(const char *word)
{
    for (size_t i = 0; i < n_options; i++) {
        const struct option *o = &options[i];
        size_t length = strlen(o->name);
        if (word[1] == '-' && strncmp(word + 2, o->name, length) == 0 &&
            (word[2 + length] == 0 || word[2 + length] == '='))
            return o;
        if (o->letter && word[1] == o->letter && (o->read || word[2] == 0))
            return o;
    }
    return NULL;
}

/* The value of the option at argv[*at]: in the same word, behind the letter or
 * a "=", or the next word. */
static const char *find_value(int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    const char *rest = word + (word[1] == '-' ? strcspn(word, "=") : 2);
    if (*rest)
        return rest + (*rest == '=');
    return ++*at < argc ? argv[*at] : NULL;
}

/* "-model" is no model called "odel": the long option that a word with a
 * dash too few names, or NULL. */
static const struct option *find_misspelled(const char *word)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < n_options; i++)
        if (strlen(options[i].name) + 1 == length &&
            memcmp(options[i].name, word + 1, length - 1) == 0)
            return &options[i];
    return NULL;
}

static int take_value(const struct option *o, const char *value, void *field,
                      struct error *e)
{
    if (!value)
        return fail(e, ERROR_USAGE, "option --%s needs a value: %s", o->name,
                    o->value);
    struct error why;
    if (o->read(value, field, &why))
        return fail(e, ERROR_USAGE, "option --%s %s", o->name, why.message);
    return 0;
}

/* Read the option at argv[*at], and its value, which may be the next word. */
static int take_option(const struct command *command, int argc, char **argv,
                       int *at, struct settings *s, struct error *e)
{
    const char *word = argv[*at];
    const struct option *o = find_misspelled(word);
    if (o)
        return fail(e, ERROR_USAGE, "unknown option %s: write --%s", word,
                    o->name);
    o = find_option(word);
    if (!o)
        return fail(e, ERROR_USAGE, "unknown option %s (see: rung help %s)",
                    word, command->name);
    if (!listed(command->takes, o->name))
        return fail(e, ERROR_USAGE, "rung %s takes no option %s",
                    command->name, word);

    void *field = (char *)s + o->offset;
    s->given[o - options] = true;
    if (o->read)
        return take_value(o, find_value(argc, argv, at), field, e);
    if (strchr(word, '='))
        return fail(e, ERROR_USAGE, "option --%s takes no value", o->name);
    *(bool *)field = true;
    return 0;
}

static int check_count(const struct command *command, const struct settings *s,
                       struct error *e)
{
    if (s->n_arguments < command->least)
        return fail(e, ERROR_USAGE, "too few arguments: rung %s %s",
                    command->name, command->arguments);
    if (command->most >= 0 && s->n_arguments > command->most)
        return fail(e, ERROR_USAGE, "too many arguments: rung %s %s",
                    command->name, command->arguments);
    return 0;
}

int options_check(const struct settings *s, const char *part,
                  const char *takes, struct error *e)
{
    _Static_assert(sizeof options / sizeof options[0] <= MOST_OPTIONS,
                   "struct settings.given has a row for each option");
    for (size_t i = 0; i < n_options; i++)
        if (s->given[i] && !listed(takes, options[i].name))
            return fail(e, ERROR_USAGE, "rung %s takes no option --%s", part,
                        options[i].name);
    return 0;
}

/* The model when the command line names none. */
static const char *default_model(void)
{
    const char *named = getenv("RUNG_MODEL");
    return named && *named ? named : "../tests/models/tiny-chat";
}

int options_parse(const struct command *command, int argc, char **argv,
                  struct settings *s, struct error *e)
{
    *s = (struct settings){.model = default_model(), .arguments = argv};
    bool ended = false;
    for (int i = 0; i < argc; i++) {
        bool plain = ended || argv[i][0] != '-' || argv[i][1] == 0;
        if (plain)
            argv[s->n_arguments++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            ended = true;
        else if (take_option(command, argc, argv, &i, s, e))
            return -1;
    }
    return check_count(command, s, e);
}

/* The column at which the help of an option begins. */
enum help_layout {
    HELP_COLUMN = 22
};

/* Print lines of text, all but the first indented to the help's column. */
static void print_help(const char *text)
{
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n");
        printf("%.*s\n", (int)length, text);
        if (text[length]) {
            length++;
            printf("%*s", HELP_COLUMN, "");
        }
    }
}

void options_help(const struct command *command)
{
    printf("usage: rung %s [OPTION]... %s\n\n%s\n\n", command->name,
           command->arguments, command->summary);
    for (size_t i = 0; i < n_options; i++) {
        const struct option *o = &options[i];
        if (!listed(command->takes, o->name))
            continue;
        char letter[] = {'-', o->letter, ',', ' ', 0};
        int width = printf("  %s--%s %s ", o->letter ? letter : "    ",
                           o->name, o->value ? o->value : "");
        printf("%*s", width < HELP_COLUMN ? HELP_COLUMN - width : 0, "");
        print_help(o->help);
    }
}
