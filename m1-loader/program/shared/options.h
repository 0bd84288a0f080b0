/* The command line: one table of options for the whole program.
 *
 * Every command shares the table, and names the options that it takes; a
 * rung that needs a new option adds a field and a row.  Options may stand
 * before, between or after the other arguments; "--" ends them.  A value may
 * stand alone or not: "-m x", "-mx", "--model x", "--model=x". */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/* What the command line asked for.  The strings belong to argv. */
struct settings {
    const char *model; /* -m: a folder, or one file in it; never NULL */
    bool pieces;       /* --pieces */
    bool no_special;   /* --no-special */
    bool json;         /* --json */
    bool jsonl;        /* --jsonl */
    bool color;        /* --color */

    bool stats;        /* --stats */
    const char *output; /* -o: a file to write; NULL when not said */

    char **arguments; /* (n_arguments,) what is not an option */
    int n_arguments;
};

struct command {
    const char *name;      /* "encode" */
    const char *arguments; /* "[TEXT|-]", for the help text */
    const char *summary;   /* one line */
    const char *takes;     /* its options, by name: "model json" */
    int least, most;       /* how many arguments; most -1: any number */
    int (*run)(const struct settings *s, struct error *e);
};

/* Read argv[0 .. argc-1], the words after the command's name, into *s.  The
 * words that are not options are moved to the front of argv.  Fails on an
 * unknown option, one that the command does not take, a missing or malformed
 * value, and a wrong number of arguments. */
int options_parse(const struct command *command, int argc, char **argv,
                  struct settings *s, struct error *e);

/* Print the help of one command: its usage, summary and options. */
void options_help(const struct command *command);

#endif
