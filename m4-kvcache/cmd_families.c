/* The command that prints the table of families: what makes them differ. */
#include "commands.h"
#include "family.h"

#include <stdio.h>
#include <string.h>

enum cell_limits {
    CELL_TEXT = 80
};

/* What one family has at one switch, as words. */
typedef void describe_cell(const struct family *f, char *out);

struct column {
    const char *title;
    describe_cell *describe;
};

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
    put(out, f->qk_norm == QK_NORM_ALL ? "q, k all heads" : "");
    put(out, f->v_norm ? "v" : "");
}

static void describe_bias(const struct family *f, char *out)
{
    put(out, f->qkv_bias ? "qkv" : "");
    put(out, f->o_bias ? "o" : "");
    put(out, f->mlp_bias ? "mlp" : "");
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
    put(out, family_reads(f, "no_rope_layers") ? "not in some layers" : "");
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

static void describe_stacked(const struct family *f, char *out)
{
    const struct weight_names *n = f->names;
    put(out, strcmp(n->q, n->k) == 0 ? "qkv" : "");
    put(out, f->interleaved_qkv ? "by head" : "");
    put(out, n->up && strcmp(n->gate, n->up) == 0 ? "gate and up" : "");
}

static const struct column columns[] = {
    {"family", describe_name},        {"norm", describe_norm_kind},
    {"norms stand", describe_places}, {"heads' norms", describe_qkv_norm},
    {"biases", describe_bias},        {"MLP", describe_mlp_kind},
    {"windows", describe_windows},    {"rotation", describe_rotation},
    {"scales", describe_scales},      {"soft caps", describe_caps},
    {"stacked", describe_stacked},
};

enum table_sizes {
    N_COLUMNS = sizeof columns / sizeof columns[0]
};

static void describe_cell_of(const struct family *f, size_t column, char *out)
{
    *out = 0;
    columns[column].describe(f, out);
}

/* How wide a column must be for its title and all its cells. */
static int width_of(size_t column)
{
    char cell[CELL_TEXT];
    size_t width = strlen(columns[column].title);
    for (size_t i = 0; family_row(i); i++) {
        describe_cell_of(family_row(i), column, cell);
        if (strlen(cell) > width)
            width = strlen(cell);
    }
    return (int)width;
}

/* Row f of the table, or its title row for NULL. */
static void print_row(const struct family *f, bool markdown)
{
    char cell[CELL_TEXT];
    for (size_t i = 0; i < N_COLUMNS; i++) {
        const char *text = columns[i].title;
        if (f) {
            describe_cell_of(f, i, cell);
            text = cell;
        }
        if (markdown)
            printf("| %-*s ", width_of(i), text);
        else if (i + 1 < N_COLUMNS)
            printf("%-*s  ", width_of(i), text);
        else
            printf("%s", text);
    }
    printf(markdown ? "|\n" : "\n");
}

static void print_rule(void)
{
    for (size_t i = 0; i < N_COLUMNS; i++) {
        printf("|");
        for (int j = -2; j < width_of(i); j++)
            printf("-");
    }
    printf("|\n");
}

int cmd_families(const struct settings *s, struct error *e)
{
    (void)e;
    print_row(NULL, s->markdown);
    if (s->markdown)
        print_rule();
    for (size_t i = 0; family_row(i); i++)
        print_row(family_row(i), s->markdown);
    return 0;
}
