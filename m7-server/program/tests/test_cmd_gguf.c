/* Every command takes a GGUF file where it takes a folder. */
#include "folder.h"
#include "test_commands.h"

/* A file of tests/gguf, by a path that holds in every folder. */
static char *gguf_path(const char *name)
{
    static char path[4200];
    snprintf(path, sizeof path, "%s/../../gguf/%s", getenv("RUNG_MODEL"),
             name);
    return path;
}

static char *blocks_path(void)
{
    return gguf_path("blocks.gguf");
}

/* What the command prints, which the caller frees. */
static struct outcome run_on_blocks(char **words)
{
    need_model();
    struct outcome o = run_rung(words, "", 0);
    assert_int_equal(o.status, 0);
    return o;
}

static void assert_begins(char **words, const char *beginning)
{
    struct outcome o = run_on_blocks(words);
    o.out.data[strnlen(o.out.data, strlen(beginning))] = 0;
    assert_string_equal(o.out.data, beginning);
    outcome_free(&o);
}

static void its_tensors_are_listed_by_the_names_that_others_have(void **state)
{
    (void)state;
    struct outcome o =
        run_on_blocks(WORDS("tensors", blocks_path(), "--stats"));
    assert_non_null(strstr(o.out.data, "model.layers.1.mlp.up_proj.weight   "
                                       "            Q5_K    [64, 256]        "
                                       " 11264      -0.3701   0.0006436 "
                                       "     0.6833\n"));
    assert_non_null(strstr(o.out.data, "\n20 tensors, 328960 values, 189440 "
                                       "bytes in 1 file\n"));
    outcome_free(&o);
}

static void its_configuration_is_shown(void **state)
{
    (void)state;
    assert_begins(WORDS("config", blocks_path()),
                  "architecture         LlamaForCausalLM\n"
                  "model_type           llama\n"
                  "vocab_size           512\n"
                  "hidden_size          256\n");
}

/* A file of a tokenizer alone is enough for that. */
static void its_tokenizer_is_the_reading_models(void **state)
{
    (void)state;
    struct outcome o = run_on_blocks(WORDS("encode", france));
    assert_begins(WORDS("encode", "-m", gguf_path("merges.gguf"), france),
                  o.out.data);
    outcome_free(&o);
}

static void it_goes_on_with_a_text(void **state)
{
    (void)state;
    struct outcome a = run_on_blocks(
        WORDS("generate", "-m", blocks_path(), france, "-n", "5"));
    struct outcome b = run_on_blocks(
        WORDS("generate", "-m", blocks_path(), france, "-n", "5"));
    assert_true(a.out.size > 5);
    assert_string_equal(a.out.data, b.out.data);
    outcome_free(&a);
    outcome_free(&b);
}

static void its_blocks_are_drawn(void **state)
{
    (void)state;
    struct outcome o = run_on_blocks(
        WORDS("picture", "weights", "model.layers.0.mlp.up_proj.weight", "-m",
              blocks_path(), "-o", "up.png"));
    assert_true(path_exists("up.png"));
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(its_tensors_are_listed_by_the_names_that_others_have),
        SCRATCH(its_configuration_is_shown),
        SCRATCH(its_tokenizer_is_the_reading_models),
        SCRATCH(it_goes_on_with_a_text),
        SCRATCH(its_blocks_are_drawn),
    };
    return cmocka_run_group_tests_name("cmd_gguf", tests, name_model, NULL);
}
