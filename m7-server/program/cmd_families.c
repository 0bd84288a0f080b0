/* The command that prints the table of families: what makes them differ. */
#include "commands.h"
#include "family.h"
#include "silence.h"

#include <stdio.h>
#include <string.h>

enum cell_limits {
    CELL_TEXT = 160
};

/* What one family has at one switch, as words. */
typedef void describe_cell(const struct family *f, char *out);

struct column {
    const char *title;
    describe_cell *describe;
};

/* Add a word to a cell. */
static void put(char *out, const char *word)
{
    size_t length = strlen(out);
    if (*word)
        snprintf(out + length, CELL_TEXT - length, "%s%s", length ? ", " : "",
                 word);
}

static void describe_name(const struct family *f, char *out)
{
    size_t length = strcspn(f->architecture, "F");
    const char *end = strstr(f->architecture, "For");
    if (end)
        length = (size_t)(end - f->architecture);
    snprintf(out, CELL_TEXT, "%.*s%s", (int)length, f->architecture,
             f->outer_keys ? " with pictures" : "");
}

static void describe_norm_kind(const struct family *f, char *out)
{
    put(out, f->norm == NORM_LAYER ? "LayerNorm" : "RMS");
    put(out, f->norm_offset != 0 ? "1 + w" : "");
}

static void describe_places(const struct family *f, char *out)
{
    put(out, f->names->mix_norm ? "before" : "");
    put(out, f->names->mix_after ? "after" : "");
    put(out, family_reads(f, "use_parallel_residual") ? "parallel" : "");
}

static void describe_qkv_norm(const struct family *f, char *out)
{
    put(out, f->qk_norm == QK_NORM_HEAD ? "q, k by head" : "");
    put(out, f->qk_norm == QK_NORM_TURNED ? "q, k by turned head" : "");
    put(out, f->qk_norm == QK_NORM_ALL ? "q, k all heads" : "");
    put(out, f->v_norm ? "v" : "");
}

/* A bias that `key` of config.json turns on, or that is always there. */
static void put_bias(char *out, const char *word, const char *key)
{
    char cell[CELL_TEXT];
    snprintf(cell, sizeof cell, "%s always", word);
    if (key)
        put(out, strcmp(key, "always") == 0 ? cell : word);
}

static void describe_bias(const struct family *f, char *out)
{
    put_bias(out, "qkv", f->qkv_bias);
    put_bias(out, "o", f->o_bias);
    put_bias(out, "mlp", f->mlp_bias);
}

static void describe_mlp_kind(const struct family *f, char *out)
{
    put(out, f->activation ? f->activation : "silu");
    put(out, f->names->up ? "gated" : "");
}

static void describe_windows(const struct family *f, char *out)
{
    static const char *const rules[] = {[WINDOW_NONE] = "",
                                        [WINDOW_ALL] = "all layers",
                                        [WINDOW_UPPER] = "upper layers",
                                        [WINDOW_UNTURNED] = "unturned layers",
                                        [WINDOW_MOST] = "most layers"};
    put(out, rules[f->windows]);
}

static void describe_rotation(const struct family *f, char *out)
{
    char part[CELL_TEXT] = "";
    if (f->fraction != 0 && f->fraction != 1)
        snprintf(part, sizeof part, "%g of a head", f->fraction);
    put(out, part);
    put(out, f->neighbours ? "neighbours" : "");
    put(out, f->two_ropes ? "two thetas" : "");
    put(out, family_reads(f, "no_rope_layers") ? "not in all layers" : "");
}

/* The kinds of scaling, where they are not the usual ones. */
static void describe_scaling(const struct family *f, char *out)
{
    put(out, f->scalings ? f->scalings + strlen("default ") : "");
}

static void describe_scales(const struct family *f, char *out)
{
    put(out, f->scale_embedding || family_reads(f, "embedding_multiplier")
                 ? "embedding"
                 : "");
    put(out, f->plain_scores || family_reads(f, "query_pre_attn_scalar") ||
                     family_reads(f, "attention_multiplier")
                 ? "scores"
                 : "");
    put(out, family_reads(f, "residual_multiplier") ? "residual" : "");
    put(out, f->layer_scale ? "layer" : "");
    put(out, family_reads(f, "logits_scaling") ? "logits" : "");
}

static void describe_caps(const struct family *f, char *out)
{
    put(out, family_reads(f, "attn_logit_softcapping") ? "scores" : "");
    put(out, family_reads(f, "final_logit_softcapping") ? "logits" : "");
}

static void describe_heads(const struct family *f, char *out)
{
    put(out, family_reads(f, "global_head_dim") ? "own size if full" : "");
    put(out, family_reads(f, "attention_k_eq_v") ? "k = v if full" : "");
}

static void describe_fused(const struct family *f, char *out)
{
    const struct weight_names *n = f->names;
    put(out, strcmp(n->q, n->k) == 0 ? "qkv" : "");
    put(out, f->interleaved_qkv ? "by group" : "");
    put(out, n->up && strcmp(n->gate, n->up) == 0 ? "gate and up" : "");
}

static void describe_lm_head(const struct family *f, char *out)
{
    static const char key[] = "tie_word_embeddings";
    bool tied = silence_is_on(f->model_type, key) ||
                (f->outer_type && silence_is_on(f->outer_type, key));
    put(out, tied ? "tied" : "own");
}

static const struct column columns[] = {
    {"family", describe_name},     {"norm", describe_norm_kind},
    {"blocks", describe_places},   {"qk-norm", describe_qkv_norm},
    {"biases", describe_bias},     {"mlp", describe_mlp_kind},
    {"windows", describe_windows}, {"rotary", describe_rotation},
    {"scaling", describe_scaling}, {"heads", describe_heads},
    {"scales", describe_scales},   {"soft-caps", describe_caps},
    {"fused", describe_fused},     {"lm-head", describe_lm_head},
};

enum table_sizes {
    N_COLUMNS = sizeof columns / sizeof columns[0]
};

/* The columns to print. */
struct choice {
    const struct column *columns[N_COLUMNS]; /* (n,) */
    size_t n;
};

/* The column of a title, or NULL. */
static const struct column *find_column(const char *title)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (strcmp(columns[i].title, title) == 0)
            return &columns[i];
    return NULL;
}

static int fail_column(const char *title, struct error *e)
{
    char known[CELL_TEXT] = "";
    for (size_t i = 1; i < N_COLUMNS; i++)
        put(known, columns[i].title);
    return fail(e, ERROR_USAGE, "there is no column %s, but %s", title, known);
}

/* The names of the families and these columns (n,); all when n is 0. */
static int choose_columns(char *const *titles, size_t n, struct choice *out,
                          struct error *e)
{
    *out = (struct choice){.columns = {&columns[0]}, .n = 1};
    if (n >= N_COLUMNS)
        return fail(e, ERROR_USAGE, "there are only %d columns to choose from",
                    N_COLUMNS - 1);
    for (size_t i = 0; i < n; i++) {
        const struct column *c = find_column(titles[i]);
        if (!c)
            return fail_column(titles[i], e);
        out->columns[out->n++] = c;
    }
    for (size_t i = 1; n == 0 && i < N_COLUMNS; i++)
        out->columns[out->n++] = &columns[i];
    return 0;
}

/* What a column says of family f; its title for NULL. */
static void fill_cell(const struct column *c, const struct family *f,
                      char *cell)
{
    *cell = 0;
    if (f)
        c->describe(f, cell);
    else
        put(cell, c->title);
}

/* How wide a column must be for its title and all its cells. */
static int width_of(const struct column *c)
{
    char cell[CELL_TEXT];
    size_t width = strlen(c->title);
    for (size_t i = 0; family_row(i); i++) {
        fill_cell(c, family_row(i), cell);
        if (strlen(cell) > width)
            width = strlen(cell);
    }
    return (int)width;
}

/* The row of family f, or the titles for NULL. */
static void print_row(const struct choice *chosen, const struct family *f,
                      bool markdown)
{
    char cell[CELL_TEXT];
    for (size_t i = 0; i < chosen->n; i++) {
        const struct column *c = chosen->columns[i];
        int width = markdown || i + 1 < chosen->n ? width_of(c) : 0;
        fill_cell(c, f, cell);
        printf(markdown ? "| %-*s " : "%-*s", width, cell);
        if (!markdown && i + 1 < chosen->n)
            printf("  ");
    }
    printf(markdown ? "|\n" : "\n");
}

static void print_rule(const struct choice *chosen)
{
    for (size_t i = 0; i < chosen->n; i++) {
        printf("|");
        for (int j = -2; j < width_of(chosen->columns[i]); j++)
            printf("-");
    }
    printf("|\n");
}

static const char notes[] =
    "\nAn empty cell: this family leaves the switch off.  A bias is there\n"
    "where config.json says so, or always.  Numbers (eps, theta, the sizes\n"
    "of windows and caps) and the kind of rotary scaling are config.json's:\n"
    "linear, llama3, yarn, longrope or dynamic, unless the table names the\n"
    "kinds.  Queries and keys are normalized before they turn, unless it\n"
    "says that they have turned.  How the names of the weights begin is seen\n"
    "in their file.\n";

int cmd_families(const struct settings *s, struct error *e)
{
    struct choice chosen;
    if (choose_columns(s->arguments, (size_t)s->n_arguments, &chosen, e))
        return -1;
    print_row(&chosen, NULL, s->markdown);
    if (s->markdown)
        print_rule(&chosen);
    for (size_t i = 0; family_row(i); i++)
        print_row(&chosen, family_row(i), s->markdown);
    if (!s->markdown && s->n_arguments == 0)
        fputs(notes, stdout);
    return 0;
}
