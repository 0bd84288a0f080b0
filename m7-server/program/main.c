/* The program: finds the command that was asked for and runs it.  The only
 * file that exits; the commands themselves are in cmd_*.c and demo.c. */
#include "commands.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command commands[] = {
    {"demo", "", "show what this rung can do", "model color", 0, 0, cmd_demo},
    {"encode", "[TEXT|-]",
     "text, or standard input to its last byte, to token ids",
     "model pieces no-special json jsonl color", 0, 1, cmd_encode},
    {"decode", "[ID...|-]", "token ids, or standard input, to text",
     "model no-special json jsonl", 0, -1, cmd_decode},
    {"tensors", "[MODEL]", "the weights of a model: names, shapes, sizes",
     "model stats json", 0, 1, cmd_tensors},
    {"config", "[MODEL]", "what config.json says, checked", "model json", 0, 1,
     cmd_config},
    {"picture", "KIND NAME",
     "draw numbers as a PNG file: weights TENSOR; attention, probs, cost or "
     "cache TEXT; compare A B TEXT; error or codes A B TENSOR; roofline; "
     "timeline",
     "model output layer head best chunk cache window stride tokens exact "
     "threads " SAMPLING,
     1, -1, cmd_picture},
    {"next", "TEXT|-", "the likeliest next tokens",
     "model best json cache exact threads keep-packed", 1, 1, cmd_next},
    {"generate", "TEXT|-", "go on with a text",
     "model tokens json chat system think " SAMPLING
     " seed chunk cache samples stop stop-id logprobs quiet load save draft"
     " draft-tokens exact threads keep-packed",
     1, 1, cmd_generate},
    {"session", "WHAT FILE...",
     "show FILE, fork FILE NEW, or rewind FILE: what --save has kept",
     "at json", 2, 3, cmd_session},
    {"trace", "TEXT|-",
     "what each step of going on with a text reads, computes, keeps",
     "model tokens chunk cache draft draft-tokens json", 1, 1, cmd_trace},
    {"sample", "TEXT|-",
     "how likely each next token is, after each step of sampling",
     "model best json chat system think cache exact threads "
     "keep-packed " SAMPLING, 1, 1, cmd_sample},
    {"layers", "TEXT|-", "what comes out of each layer", "model json cache",
     1, 1, cmd_layers},
    {"embed", "TEXT...",
     "a text as one vector; of several, how alike they are",
     "model json cache exact threads keep-packed", 1, -1, cmd_embed},
    {"quantize", "MODEL OUT",
     "write a model with its weights as a few bits and shared scales",
     "to group keep search calibrate", 2, 2, cmd_quantize},
    {"perplexity", "TEXT|-", "how well a model foresees a text",
     "model window stride tokens cache json quiet exact threads keep-packed",
     1, 1, cmd_perplexity},
    {"compare", "A B TEXT|-", "how far model B is from model A, on a text",
     "window stride tokens cache json exact threads", 3, 3, cmd_compare},
    {"bench", "[MODEL]",
     "how fast a model runs here; or \"kernels\": how fast one could",
     "model shape to tokens samples cache exact threads keep-packed json "
     "jsonl", 0, 1, cmd_bench},
    {"chat", "[MODEL...]",
     "talk with a model, or by /model with several; without a MODEL with "
     "that of -m or $RUNG_MODEL, else with those that rung serve would take; "
     "what is not said of sampling is as its makers advise",
     "model tokens system think thoughts quiet tools seed stop stop-id "
     "context cache draft draft-tokens exact threads keep-packed " SAMPLING,
     0, -1, cmd_chat},
    {"serve", "[MODEL...]",
     "answer many at once over HTTP, as OpenAI's API does; without a MODEL "
     "those in the folder $RUNG_MODELS, else those that came with the "
     "program, where NAME-draft guesses for the other NAME-",
     "host port api-key cors allow-host parallel context queue max-body "
     "connections header-time total-time log "
     "cache draft draft-tokens exact threads keep-packed",
     0, -1, cmd_serve},
    {"families", "[COLUMN]...",
     "the models that this program knows, and how they differ", "markdown", 0,
     -1, cmd_families},
};

static const size_t n_commands = sizeof commands / sizeof commands[0];

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void help_all(void)
{
    printf("usage: rung COMMAND [OPTION]... [ARGUMENT]...\n\n");
    for (size_t i = 0; i < n_commands; i++)
        printf("  %-8s %-12s %s\n", commands[i].name, commands[i].arguments,
               commands[i].summary);
    printf("  %-8s %-12s %s\n", "help", "[COMMAND]",
           "this list, or a command's options");
}

/* What to do about a word that is not in the table of commands. */
static int fail_command(const char *name, struct error *e)
{
    return fail(e, ERROR_USAGE, "unknown command \"%s\" (see: rung help)",
                name);
}

static bool is_help_option(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* `rung`, `rung help` and `rung help help` list the commands. */
static int help(const char *name, struct error *e)
{
    const struct command *command = name ? find_command(name) : NULL;
    if (command)
        options_help(command);
    else if (!name || is_help_option(name) || strcmp(name, "help") == 0)
        help_all();
    else
        return fail_command(name, e);
    return 0;
}

/* Whether one of a command's words asks for its help; behind "--" they are
 * arguments. */
static bool asks_for_help(int n, char **words)
{
    for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++)
        if (is_help_option(words[i]))
            return true;
    return false;
}

static int run(int argc, char **argv, struct error *e)
{
    if (argc < 2)
        return help(NULL, e);
    if (is_help_option(argv[1]) || strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL, e);
    if (asks_for_help(argc - 2, argv + 2))
        return help(argv[1], e);

    const struct command *command = find_command(argv[1]);
    struct settings settings;
    if (!command)
        return fail_command(argv[1], e);
    if (options_parse(command, argc - 2, argv + 2, &settings, e))
        return -1;
    return command->run(&settings, e);
}

/* A full disk shows here at the latest, when the last bytes are written. */
static int finish_output(struct error *e)
{
    errno = 0;
    if (fflush(stdout))
        return fail_errno(e, "standard output");
    if (ferror(stdout))
        return fail(e, ERROR_SYSTEM, "standard output: a part was lost");
    return 0;
}

int main(int argc, char **argv)
{
    struct error e = {ERROR_NONE, ""};
    int failed = run(argc, argv, &e);
    if (!failed && finish_output(&e) == 0)
        return EXIT_SUCCESS;
    fflush(stdout);
    fprintf(stderr, "rung: %s\n", e.message);
    return e.code == ERROR_USAGE ? 2 : EXIT_FAILURE;
}
