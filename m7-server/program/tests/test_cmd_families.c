/* The command that prints the table of families. */
#include "test_commands.h"

#include "family.h"

static size_t count_families(void)
{
    size_t n = 0;
    while (family_row(n))
        n++;
    return n;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* The line of the table that begins so, with the columns that were asked
 * for. */
static void assert_row_of(char *column, const char *family, const char *cell)
{
    struct outcome o =
        run_rung(WORDS("families", "--markdown", column), "", 0);
    char begin[80];
    snprintf(begin, sizeof begin, "\n| %-22s | %s ", family, cell);
    if (!strstr(o.out.data, begin))
        assert_string_equal(o.out.data, begin);
    outcome_free(&o);
}

static void families_prints_a_row_for_each(void **state)
{
    (void)state;
    struct outcome o = run_rung(WORDS("families", "--markdown"), "", 0);
    size_t titles = 2; /* and the rule below */
    assert_true(count_families() > 0);
    assert_int_equal(count_lines(o.out.data), titles + count_families());
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void families_says_what_sets_each_apart(void **state)
{
    (void)state;
    assert_row_of("norm", "Gemma2", "RMS, 1 + w");
    assert_row_of("norm", "Starcoder2", "LayerNorm");
    assert_row_of("blocks", "GPTNeoX", "before, parallel");
    assert_row_of("blocks", "Olmo2", "after ");
    assert_row_of("qk-norm", "Gemma4", "q, k by head, v");
    assert_row_of("qk-norm", "HunYuanDenseV1", "q, k by turned head");
    assert_row_of("qk-norm", "Olmo2", "q, k all heads");
    assert_row_of("biases", "Qwen2", "qkv always");
    assert_row_of("biases", "Granite", "qkv, o, mlp ");
    assert_row_of("mlp", "Llama", "silu, gated");
    assert_row_of("mlp", "GPTNeoX", "gelu ");
    assert_row_of("windows", "Mistral", "all layers");
    assert_row_of("windows", "SmolLM3", "unturned layers");
    assert_row_of("rotary", "SmolLM3", "not in all layers");
    assert_row_of("rotary", "Glm4", "0.5 of a head, neighbours");
    assert_row_of("scaling", "Phi3", "longrope");
    assert_row_of("scaling", "HunYuanDenseV1",
                  "linear llama3 yarn longrope dynamic alpha");
    assert_row_of("heads", "Gemma4", "own size if full, k = v if full");
    assert_row_of("scales", "Granite", "embedding, scores, residual, logits");
    assert_row_of("scales", "Gemma4 with pictures",
                  "embedding, scores, layer");
    assert_row_of("soft-caps", "Gemma2", "scores, logits");
    assert_row_of("fused", "GPTNeoX", "qkv, by group");
    assert_row_of("fused", "InternLM2", "qkv, by group");
    assert_row_of("fused", "Phi3", "qkv, gate and up");
    assert_row_of("lm-head", "SmolLM3", "tied");
    assert_row_of("lm-head", "Llama", "own");
    assert_row_of("lm-head", "Mistral", "own");
    assert_row_of("lm-head", "Mistral3 with pictures", "tied");
}

static void families_prints_the_columns_that_were_asked_for(void **state)
{
    (void)state;
    struct outcome o = run_rung(WORDS("families", "lm-head", "norm"), "", 0);
    static const char begin[] = "family                  lm-head  norm\n"
                                "Llama                   own      RMS\n";
    assert_memory_equal(o.out.data, begin, strlen(begin));
    assert_null(strstr(o.out.data, "An empty cell"));
    outcome_free(&o);
    o = run_rung(WORDS("families"), "", 0);
    assert_non_null(strstr(o.out.data, "\n\nAn empty cell: "));
    outcome_free(&o);
}

static void a_column_that_is_not_there_is_refused(void **state)
{
    (void)state;
    struct outcome o = run_rung(WORDS("families", france), "", 0);
    assert_string_equal(
        o.err.data,
        "rung: there is no column The capital of France is, but norm, blocks, "
        "qk-norm, biases, mlp, windows, rotary, scaling, "
        "heads, scales, soft-caps, fused, lm-head\n");
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, 2);
    outcome_free(&o);
}

static void more_columns_than_there_are_are_refused(void **state)
{
    (void)state;
    struct outcome o = run_rung(
        WORDS("families", "norm", "norm", "norm", "norm", "norm", "norm",
              "norm", "norm", "norm", "norm", "norm", "norm", "norm", "norm"),
        "", 0);
    assert_string_equal(o.err.data,
                        "rung: there are only 13 columns to choose from\n");
    assert_int_equal(o.status, 2);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_prints_a_row_for_each),
        cmocka_unit_test(families_says_what_sets_each_apart),
        cmocka_unit_test(families_prints_the_columns_that_were_asked_for),
        cmocka_unit_test(a_column_that_is_not_there_is_refused),
        cmocka_unit_test(more_columns_than_there_are_are_refused),
    };
    return cmocka_run_group_tests_name("cmd_families", tests, name_model,
                                       NULL);
}
