/* The program: finds the command that was asked for and runs it.  The only
 * file that exits; the commands themselves are in cmd_*.c and demo.c. */
#include "commands.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command commands[] = {
    {"demo", "", "show what this rung can do", "model", 0, 0, cmd_demo},
    {"encode", "[TEXT|-]", "text to token ids",
     "model pieces no-special json jsonl", 0, 1, cmd_encode},
    {"decode", "[ID...|-]", "token ids to text", "model no-special json jsonl",
     0, -1, cmd_decode},
};

static const size_t n_commands = sizeof commands / sizeof commands[0];

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int help(const char *name)
{
    const struct command *one = name ? find_command(name) : NULL;
    if (one) {
        options_help(one);
        return EXIT_SUCCESS;
    }
    printf("usage: rung COMMAND [OPTION]... [ARGUMENT]...\n\n");
    for (size_t i = 0; i < n_commands; i++)
        printf("  %-8s %-12s %s\n", commands[i].name, commands[i].arguments,
               commands[i].summary);
    printf("  %-8s %-12s %s\n", "help", "[COMMAND]",
           "this list, or a command's options");
    return EXIT_SUCCESS;
}

static int report(const struct error *e)
{
    fprintf(stderr, "rung: %s\n", e->message);
    return e->code == ERROR_USAGE ? 2 : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0 ||
        strcmp(argv[1], "--help") == 0)
        return help(argc > 2 ? argv[2] : NULL);

    const struct command *command = find_command(argv[1]);
    struct settings settings;
    struct error e = {ERROR_NONE, ""};
    if (!command) {
        fail(&e, ERROR_USAGE, "unknown command %s (see: rung help)", argv[1]);
        return report(&e);
    }
    if (options_parse(command, argc - 2, argv + 2, &settings, &e) ||
        command->run(&settings, &e))
        return report(&e);
    return EXIT_SUCCESS;
}
