/* The command line: one table of options for the whole program.
 *
 * Every command shares the table, and names the options that it takes; a
 * rung that needs a new option adds a field and a row.  Options may stand
 * before, between or after the other arguments; "--" ends them.  A value may
 * stand alone or not: "-m x", "-mx", "--model x", "--model=x". */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "error.h"
#include "values.h"

#include <stdbool.h>
#include <stddef.h>

/* A number that may be left out. */
struct number {
    bool said;
    size_t value;
};

/* Its value, or `otherwise`. */
static inline size_t number_or(struct number n, size_t otherwise)
{
    return n.said ? n.value : otherwise;
}

enum option_limits {
    MOST_OPTIONS = 80 /* rows of the table */
};

/* The options of whatever asks how likely the next tokens are. */
#define SAMPLING                                                              \
    "temperature top-k top-p min-p typical-p repetition-penalty "             \
    "presence-penalty frequency-penalty bias"

/* What the command line asked for.  The strings belong to argv. */
struct settings {
    const char *model; /* -m: a folder, or one file in it; never NULL */
    bool own_model;    /* it came with the program: neither -m nor $RUNG_MODEL
                          names one */
    bool pieces;       /* --pieces */
    bool no_special;   /* --no-special */
    bool json;         /* --json */
    bool jsonl;        /* --jsonl */
    bool color;        /* --color */

    bool stats;         /* --stats */
    const char *output; /* -o: a file to write; NULL when not said */

    bool markdown; /* --markdown */

    struct number best;   /* -k */
    struct number tokens; /* -n */
    struct number layer;  /* --layer */
    struct number head;   /* --head */

    struct real temperature, top_p, min_p, typical_p; /* by these names */
    struct real repetition, presence, frequency;      /* --...-penalty */
    struct number top_k;                              /* --top-k */
    struct biases biases;                             /* --bias */
    struct seed seed;                                 /* --seed */
    struct number samples;                            /* --samples */
    struct texts stops;                               /* --stop */
    struct numbers stop_ids;                          /* --stop-id */
    struct number logprobs;                           /* --logprobs */

    bool chat, think;   /* --chat, --think */
    const char *system; /* --system; NULL when not said */
    bool quiet;         /* --quiet */

    const char *load, *save; /* --load, --save; NULL when not said */
    struct number at;        /* --at */
    struct number chunk;     /* --chunk */

    struct number window, stride; /* --window, --stride */
    const struct cache_form *cache; /* --cache; NULL when not said */

    const char *draft;          /* --draft; NULL when not said */
    struct number draft_tokens; /* --draft-tokens */

    const char *shape;     /* --shape; NULL when not said */
    bool exact;            /* --exact */
    struct number threads; /* --threads */
    bool keep_packed;      /* --keep-packed */

    const char *to, *keep; /* --to, --keep; NULL when not said */
    struct number group;   /* --group */
    bool search;           /* --search */
    const char *calibrate; /* --calibrate; NULL when not said */

    const char *host;     /* --host; NULL when not said */
    struct number port;   /* --port */
    struct texts keys;    /* --api-key */
    struct texts origins; /* --cors */
    struct texts names;   /* --allow-host */
    struct number parallel, context, queue; /* by these names */
    struct number most_body;                /* --max-body, in megabytes */
    struct number connections;              /* --connections */
    struct number header_time, total_time;  /* by these names, in seconds */
    bool log;                               /* --log */

    bool thoughts;     /* --thoughts */
    const char *tools; /* --tools; NULL when not said */

    char **arguments; /* (n_arguments,) what is not an option */
    int n_arguments;

    bool given[MOST_OPTIONS]; /* whether the option of each row was */
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

/* Fail when the command line gave an option that the command takes, but not
 * this part of it, as `rung picture` takes --layer and `rung picture weights`
 * does not.  `takes` as in struct command; part: "picture weights". */
int options_check(const struct settings *s, const char *part,
                  const char *takes, struct error *e);

/* Print the help of one command: its usage, summary and options. */
void options_help(const struct command *command);

#endif
