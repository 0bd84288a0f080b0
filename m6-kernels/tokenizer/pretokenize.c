/* The pre-tokenizer: see pretokenize.h.  Knows nothing of tokens.
 *
 * The pieces flow through the steps depth first: each piece goes through all
 * the steps after before its neighbour is cut off, so that nothing grows with
 * the text. */
#include "pretokenize.h"

#include "buffer.h"
#include "bytelevel.h"
#include "steps.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

enum prepend_scheme {
    PREPEND_NEVER,
    PREPEND_FIRST, /* only where the whole text begins */
    PREPEND_ALWAYS
};

/* Append the rewritten piece to `out`; its first_size is *first_size. */
typedef void respell(const struct cut_step *step, struct piece in,
                     struct bytes *out, size_t *first_size);

/* A step cuts, or, where `run` is set, rewrites. */
struct cut_step {
    struct split split;
    respell *run;
    enum prepend_scheme scheme; /* of Metaspace */
    char mark[5];               /* of Metaspace: its character, mostly ▁ */
};

/* Where a piece is on its way: before step `level`. */
struct passage {
    const struct pretokenizer *pretokenizer;
    size_t level;
    piece_sink *sink;
    void *context;
};

static int pass(void *context, struct piece piece, struct error *e);

static int pass_rewritten(const struct cut_step *step, struct passage *next,
                          struct piece piece, struct error *e)
{
    struct bytes text = {0};
    size_t first_size = piece.first_size;
    step->run(step, piece, &text, &first_size);
    struct piece rewritten = {text.data, text.size, first_size};
    int result = text.failed ? fail_memory(e, "a rewritten piece")
                             : pass(next, rewritten, e);
    bytes_free(&text);
    return result;
}

static int pass(void *context, struct piece piece, struct error *e)
{
    const struct passage *at = context;
    if (at->level == at->pretokenizer->n_steps)
        return at->sink(at->context, piece, e);

    const struct cut_step *step = &at->pretokenizer->steps[at->level];
    struct passage next = *at;
    next.level++;
    if (step->run)
        return pass_rewritten(step, &next, piece, e);
    return split_run(&step->split, piece, pass, &next, e);
}

int pretokenize(const struct pretokenizer *p, struct piece piece,
                piece_sink *sink, void *context, struct error *e)
{
    struct passage start = {p, 0, sink, context};
    return piece.size ? pass(&start, piece, e) : 0;
}

static void run_space(const struct cut_step *step, struct piece in,
                      struct bytes *out, size_t *first_size)
{
    (void)step;
    if (in.text[0] != ' ') {
        bytes_add(out, " ", 1);
        *first_size += in.first_size > 0;
    }
    bytes_add(out, in.text, in.size);
}

static void run_spell(const struct cut_step *step, struct piece in,
                      struct bytes *out, size_t *first_size)
{
    (void)step;
    bytelevel_spell(in.text, in.first_size, out);
    *first_size = out->size;
    bytelevel_spell(in.text + in.first_size, in.size - in.first_size, out);
}

/* Append the text, each space replaced by the mark. */
static void mark_spaces(const char *mark, const char *text, size_t size,
                        struct bytes *out)
{
    const char *end = text + size, *space;
    for (; (space = memchr(text, ' ', (size_t)(end - text)));
         text = space + 1) {
        bytes_add(out, text, (size_t)(space - text));
        bytes_add_string(out, mark);
    }
    bytes_add(out, text, (size_t)(end - text));
}

static void run_metaspace(const struct cut_step *step, struct piece in,
                          struct bytes *out, size_t *first_size)
{
    size_t length = strlen(step->mark);
    bool marked =
        in.text[0] == ' ' ||
        (in.size >= length && memcmp(in.text, step->mark, length) == 0);
    bool wanted = step->scheme == PREPEND_ALWAYS ||
                  (step->scheme == PREPEND_FIRST && in.first_size > 0);
    if (wanted && !marked)
        bytes_add_string(out, step->mark);
    mark_spaces(step->mark, in.text, in.first_size, out);
    *first_size = in.first_size > 0 ? out->size : 0;
    mark_spaces(step->mark, in.text + in.first_size, in.size - in.first_size,
                out);
}

static struct cut_step *add_cut(struct pretokenizer *p, struct error *e)
{
    struct cut_step *moved =
        grow(p->steps, &p->capacity, p->n_steps + 1, sizeof *moved);
    if (!moved) {
        fail_memory(e, "the pre-tokenizer");
        return NULL;
    }
    p->steps = moved;
    p->steps[p->n_steps] = (struct cut_step){0};
    return &p->steps[p->n_steps++];
}

/* Add a step that cuts at the characters of a class. */
static int add_class(struct pretokenizer *p, character_class *in_class,
                     enum split_behavior behavior, struct error *e)
{
    struct cut_step *step = add_cut(p, e);
    if (!step)
        return -1;
    step->split.pattern.in_class = in_class;
    step->split.behavior = behavior;
    return 0;
}

static int add_respell(struct pretokenizer *p, respell *run, struct error *e)
{
    struct cut_step *step = add_cut(p, e);
    if (!step)
        return -1;
    step->run = run;
    return 0;
}

static int read_split(const struct node *n, void *chain, struct error *e)
{
    struct node pattern = node_member(n, "pattern");
    struct node behavior = node_member(n, "behavior");
    struct node invert = node_member(n, "invert");
    struct cut_step *step = add_cut(chain, e);
    if (!step || pattern_read(&pattern, &step->split.pattern, e) ||
        split_behavior_read(&behavior, &step->split.behavior, e))
        return -1;
    return node_bool(&invert, &step->split.invert, e);
}

/* GPT-2's own expression, which ByteLevel carries with it. */
static int add_gpt2_split(struct pretokenizer *p, struct error *e)
{
    static const char expression[] =
        "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|"
        "\\s+(?!\\S)|\\s+";
    struct cut_step *step = add_cut(p, e);
    if (!step)
        return -1;
    step->split.behavior = SPLIT_ISOLATED;
    step->split.pattern.regex = regex_new(expression, strlen(expression), e);
    return step->split.pattern.regex ? 0 : -1;
}

static int read_bytelevel(const struct node *n, void *chain, struct error *e)
{
    bool add_space, use_regex;
    struct node space = node_member(n, "add_prefix_space");
    struct node regex = node_member(n, "use_regex");
    if (node_bool(&space, &add_space, e) ||
        node_bool_or(&regex, true, &use_regex, e))
        return -1;
    if (add_space && add_respell(chain, run_space, e))
        return -1;
    if (use_regex && add_gpt2_split(chain, e))
        return -1;
    return add_respell(chain, run_spell, e);
}

static int read_digits(const struct node *n, void *chain, struct error *e)
{
    bool individual;
    struct node each = node_member(n, "individual_digits");
    if (node_bool(&each, &individual, e))
        return -1;
    return add_class(chain, unicode_is_numeric,
                     individual ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS, e);
}

static int read_punctuation(const struct node *n, void *chain, struct error *e)
{
    enum split_behavior behavior = SPLIT_ISOLATED;
    struct node name = node_member(n, "behavior");
    if (node_has(&name) && split_behavior_read(&name, &behavior, e))
        return -1;
    return add_class(chain, unicode_is_punctuation, behavior, e);
}

static int read_whitespace_split(const struct node *n, void *chain,
                                 struct error *e)
{
    (void)n;
    return add_class(chain, unicode_is_space, SPLIT_REMOVED, e);
}

/* \w+|[^\w\s]+: without the spaces, runs of word characters and runs of
 * others. */
static int read_whitespace(const struct node *n, void *chain, struct error *e)
{
    return read_whitespace_split(n, chain, e) ||
                   add_class(chain, unicode_is_word, SPLIT_CONTIGUOUS, e)
               ? -1
               : 0;
}

static int read_scheme(const struct node *n, enum prepend_scheme *out,
                       struct error *e)
{
    static const char *const names[] = {"never", "first", "always"};
    const char *name;
    struct node scheme = node_member(n, "prepend_scheme");
    if (node_string_or(&scheme, "always", &name, e))
        return -1;
    for (int i = PREPEND_NEVER; i <= PREPEND_ALWAYS; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (enum prepend_scheme)i;
            return 0;
        }
    return node_fail(&scheme, ERROR_UNSUPPORTED, e, "unknown scheme %s", name);
}

/* The older spelling: add_prefix_space false stands for never, and true for
 * what prepend_scheme says. */
static int read_old_scheme(const struct node *n, enum prepend_scheme *scheme,
                           struct error *e)
{
    bool add_space;
    struct node old = node_member(n, "add_prefix_space");
    struct node named = node_member(n, "prepend_scheme");
    if (node_bool_or(&old, true, &add_space, e) || read_scheme(n, scheme, e))
        return -1;
    if (!add_space && node_has(&named) && *scheme != PREPEND_NEVER)
        return node_fail(&old, ERROR_INPUT, e,
                         "false contradicts the prepend_scheme");
    if (!add_space)
        *scheme = PREPEND_NEVER;
    return 0;
}

/* One character, as UTF-8. */
static int read_mark(const struct node *n, char mark[5], struct error *e)
{
    const char *text;
    size_t length;
    struct node replacement = node_member(n, "replacement");
    if (node_string(&replacement, &text, e))
        return -1;
    if (text[0])
        utf8_decode(text, &length);
    if (!text[0] || text[length])
        return node_fail(&replacement, ERROR_INPUT, e,
                         "expected one character, found \"%s\"", text);
    memcpy(mark, text, length + 1);
    return 0;
}

static int read_metaspace(const struct node *n, void *chain, struct error *e)
{
    bool split;
    char mark[5];
    struct node cut = node_member(n, "split");
    struct cut_step *step = add_cut(chain, e);
    if (!step || read_mark(n, mark, e) ||
        read_old_scheme(n, &step->scheme, e) ||
        node_bool_or(&cut, true, &split, e))
        return -1;
    memcpy(step->mark, mark, sizeof mark);
    step->run = run_metaspace;

    if (!split || !(step = add_cut(chain, e)))
        return split ? -1 : 0;
    step->split.behavior = SPLIT_MERGED_WITH_NEXT;
    return pattern_literal(mark, strlen(mark), &step->split.pattern, e);
}

static const struct step_type cut_types[] = {
    {"Split", "pattern behavior invert", read_split},
    {"ByteLevel", "add_prefix_space trim_offsets use_regex", read_bytelevel},
    {"Digits", "individual_digits", read_digits},
    {"Punctuation", "behavior", read_punctuation},
    {"Whitespace", "", read_whitespace},
    {"WhitespaceSplit", "", read_whitespace_split},
    {"Metaspace", "replacement prepend_scheme split add_prefix_space str_rep",
     read_metaspace},
};

static const struct step_table cut_table = {
    "pre-tokenizer", "pretokenizers", cut_types,
    sizeof cut_types / sizeof cut_types[0]};

int pretokenizer_read(const struct node *node, struct pretokenizer *p,
                      struct error *e)
{
    return steps_read(node, &cut_table, p, e);
}

void pretokenizer_leave_spelling(struct pretokenizer *p)
{
    p->leaves_spelling =
        p->n_steps > 0 && p->steps[p->n_steps - 1].run == run_spell;
    p->n_steps -= p->leaves_spelling;
}

void pretokenizer_free(struct pretokenizer *p)
{
    for (size_t i = 0; i < p->n_steps; i++)
        pattern_free(&p->steps[i].split.pattern);
    free(p->steps);
    *p = (struct pretokenizer){0};
}
