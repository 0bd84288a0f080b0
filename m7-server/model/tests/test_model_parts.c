/* What a model is made of: the shape of every weight and every switch, of
 * models of several families.  What is expected follows from their
 * config.json by hand. */
#include "model.h"

#include "test_model_open.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* --- a layer in words --------------------------------------------------- */

static void put_weight(FILE *f, const char *name, const struct weight *w)
{
    if (w->rows)
        fprintf(f, " %s %zux%zu", name, w->rows, w->cols);
}

static void put_linear(FILE *f, const char *name, const struct linear *l)
{
    put_weight(f, name, &l->weight);
    put_weight(f, "+", &l->bias);
}

static void put_norm(FILE *f, const char *name, const struct norm *n)
{
    if (n->kind == NORM_NONE)
        return;
    fprintf(f, " %s %s of %zu", name, n->kind == NORM_RMS ? "rms" : "layer",
            n->width);
    put_weight(f, "*", &n->weight);
    put_weight(f, "+", &n->bias);
}

static void put_attention(FILE *f, const struct attention *a)
{
    put_linear(f, "q", &a->q);
    put_linear(f, "k", &a->k);
    put_linear(f, "v", &a->v);
    put_linear(f, "o", &a->o);
    put_norm(f, "q_norm", &a->q_norm);
    put_norm(f, "k_norm", &a->k_norm);
    put_norm(f, "v_norm", &a->v_norm);
}

/* All weights of a layer: name, rows x columns. */
static void assert_parts(const struct layer *l, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    put_norm(f, "mix_norm", &l->mix_norm);
    put_attention(f, &l->attention);
    put_norm(f, "mix_after", &l->mix_after);
    put_norm(f, "feed_norm", &l->feed_norm);
    put_linear(f, "gate", &l->mlp.gate);
    put_linear(f, "up", &l->mlp.up);
    put_linear(f, "down", &l->mlp.down);
    put_norm(f, "feed_after", &l->feed_after);
    put_weight(f, "scale", &l->scale);
    fclose(f);
    assert_string_equal(text + 1, expected);
    free(text);
}

static void describe(struct model *m, const struct change *changes, size_t n)
{
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    assert_accepted(model_describe(m, ".", &e), &e);
}

/* --- families ----------------------------------------------------------- */

/* Hidden 8, two heads of 4, one of keys, 6 in the MLP. */
static void a_llama_has_no_more_than_is_needed(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"num_hidden_layers", "2"}));
    for (size_t l = 0; l < 2; l++) {
        assert_parts(&m.layers[l],
                     "mix_norm rms of 8 * 8x1 q 8x8 k 4x8 v 4x8 o 8x8 "
                     "feed_norm rms of 8 * 8x1 gate 6x8 up 6x8 down 8x6");
        assert_true(m.layers[l].attention.scale == 0.5F);
        assert_true(m.layers[l].residual == 1 && !m.layers[l].parallel);
        assert_false(m.layers[l].attention.turns_first);
    }
    assert_true(m.embedding.rows == 5 && m.embedding.cols == 8);
    assert_true(m.head.rows == 5 && m.head.cols == 8);
    assert_true(m.embedding_scale == 1 && m.logit_scale == 1);
    assert_true(m.logit_cap == 0 && !m.tied && m.max_positions == 32);
    assert_true(m.norm.width == 8 && m.norm.weight.rows == 8);
    model_close(&m);
}

/* An MLP without a gate, LayerNorm, and biases everywhere. */
static void a_starcoder2_has_biases(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"Starcoder2ForCausalLM\"]"},
                         {"model_type", "\"starcoder2\""},
                         {"tie_word_embeddings", "true"}));
    assert_parts(&m.layers[0],
                 "mix_norm layer of 8 * 8x1 + 8x1 q 8x8 + 8x1 k 4x8 + 4x1 "
                 "v 4x8 + 4x1 o 8x8 + 8x1 feed_norm layer of 8 * 8x1 + 8x1 "
                 "gate 6x8 + 6x1 down 8x6 + 8x1");
    assert_true(m.tied);
    model_close(&m);
}

/* Biases of queries, keys and values alone, heads that are wider together than
 * the model, and a norm behind each half. */
static void a_glm4_has_some_biases(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"Glm4ForCausalLM\"]"},
                         {"model_type", "\"glm4\""}, {"head_dim", "8"}));
    assert_parts(&m.layers[0],
                 "mix_norm rms of 8 * 8x1 q 16x8 + 16x1 k 8x8 + 8x1 "
                 "v 8x8 + 8x1 o 8x16 mix_after rms of 8 * 8x1 "
                 "feed_norm rms of 8 * 8x1 gate 6x8 up 6x8 down 8x6 "
                 "feed_after rms of 8 * 8x1");
    model_close(&m);
}

/* Norms behind the halves and none before; all heads of a token are normalized
 * together. */
static void an_olmo2_normalizes_all_heads_together(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"Olmo2ForCausalLM\"]"},
                         {"model_type", "\"olmo2\""},
                         {"num_attention_heads", "4"},
                         {"num_key_value_heads", "2"}));
    assert_parts(&m.layers[0],
                 "q 8x8 k 4x8 v 4x8 o 8x8 q_norm rms of 8 * 8x1 "
                 "k_norm rms of 4 * 4x1 mix_after rms of 8 * 8x1 gate 6x8 "
                 "up 6x8 down 8x6 feed_after rms of 8 * 8x1");
    assert_false(m.layers[0].attention.turns_first);
    model_close(&m);
}

static void a_hunyuan_normalizes_each_head_when_it_has_turned(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
                         {"model_type", "\"hunyuan_v1_dense\""},
                         {"head_dim", "4"}, {"num_key_value_heads", "2"}));
    assert_parts(&m.layers[0],
                 "mix_norm rms of 8 * 8x1 q 8x8 k 8x8 v 8x8 o 8x8 "
                 "q_norm rms of 4 * 4x1 k_norm rms of 4 * 4x1 "
                 "feed_norm rms of 8 * 8x1 gate 6x8 up 6x8 down 8x6");
    assert_true(m.layers[0].attention.turns_first);
    model_close(&m);
}

static void a_gpt_neox_mixes_and_feeds_at_once(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"GPTNeoXForCausalLM\"]"},
                         {"model_type", "\"gpt_neox\""},
                         {"num_key_value_heads", NULL},
                         {"rotary_pct", "0.5"}, {"attention_bias", "false"}));
    assert_parts(&m.layers[0],
                 "mix_norm layer of 8 * 8x1 + 8x1 q 8x8 k 8x8 v 8x8 o 8x8 "
                 "feed_norm layer of 8 * 8x1 + 8x1 gate 6x8 + 6x1 "
                 "down 8x6 + 8x1");
    assert_true(m.layers[0].parallel && m.layers[0].residual == 1);
    model_close(&m);
}

static void a_granite_has_four_scales(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"GraniteForCausalLM\"]"},
                         {"model_type", "\"granite\""},
                         {"embedding_multiplier", "12"},
                         {"attention_multiplier", "0.125"},
                         {"residual_multiplier", "0.25"},
                         {"logits_scaling", "8"}, {"mlp_bias", "true"}));
    assert_true(m.embedding_scale == 12 && m.logit_scale == 0.125F);
    assert_true(m.layers[0].residual == 0.25F);
    assert_true(m.layers[0].attention.scale == 0.125F);
    assert_true(m.layers[0].attention.soft_cap == 0 && m.logit_cap == 0);
    assert_parts(&m.layers[0],
                 "mix_norm rms of 8 * 8x1 q 8x8 k 4x8 v 4x8 o 8x8 "
                 "feed_norm rms of 8 * 8x1 gate 6x8 + 6x1 up 6x8 + 6x1 "
                 "down 8x6 + 8x1");
    model_close(&m);
}

static void a_gemma2_has_two_caps(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"architectures", "[\"Gemma2ForCausalLM\"]"},
                         {"model_type", "\"gemma2\""}, {"head_dim", "4"},
                         {"num_hidden_layers", "2"},
                         {"query_pre_attn_scalar", "64"},
                         {"sliding_window", "7"}));
    assert_true(m.embedding_scale == (float)sqrt(8));
    assert_true(m.logit_cap == 30 && m.logit_scale == 1);
    assert_true(m.layers[0].attention.soft_cap == 50);
    assert_true(m.layers[0].attention.scale == 0.125F);
    assert_int_equal(m.layers[0].attention.window, 7);
    assert_int_equal(m.layers[1].attention.window, 0);
    assert_int_equal(m.n_ropes, 1);
    model_close(&m);
}

/* The second layer sees everything: its heads are wider, and its keys are its
 * values, too. */
static void layers_of_a_gemma4_are_of_two_kinds(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED(GEMMA4, {"num_hidden_layers", "2"},
                         {"num_key_value_heads", "2"},
                         {"attention_k_eq_v", "true"},
                         {"global_head_dim", "6"},
                         {"num_global_key_value_heads", "1"}));
    assert_parts(&m.layers[0],
                 "mix_norm rms of 8 * 8x1 q 8x8 k 8x8 v 8x8 o 8x8 "
                 "q_norm rms of 4 * 4x1 k_norm rms of 4 * 4x1 "
                 "v_norm rms of 4 mix_after rms of 8 * 8x1 "
                 "feed_norm rms of 8 * 8x1 gate 6x8 up 6x8 down 8x6 "
                 "feed_after rms of 8 * 8x1 scale 1x1");
    assert_parts(&m.layers[1],
                 "mix_norm rms of 8 * 8x1 q 12x8 k 6x8 o 8x12 "
                 "q_norm rms of 6 * 6x1 k_norm rms of 6 * 6x1 "
                 "v_norm rms of 6 mix_after rms of 8 * 8x1 "
                 "feed_norm rms of 8 * 8x1 gate 6x8 up 6x8 down 8x6 "
                 "feed_after rms of 8 * 8x1 scale 1x1");
    assert_true(m.layers[0].attention.scale == 1);
    assert_int_equal(m.layers[0].attention.window, 512);
    assert_int_equal(m.layers[0].attention.rope, 1);
    assert_int_equal(m.layers[1].attention.rope, 0);
    assert_int_equal(m.n_ropes, 2);
    assert_true(m.ropes[0].dim == 6 && m.ropes[1].dim == 4);
    model_close(&m);
}

/* --- what cannot be described ------------------------------------------- */

static void assert_not_described(const struct change *changes, size_t n,
                                 const char *message)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    assert_int_equal(model_describe(&m, ".", &e), -1);
    assert_string_equal(e.message, message);
    assert_true(!m.layers && !m.ropes && m.n_ropes == 0);
}

static void what_one_step_refuses_the_next_does_not_see(void **state)
{
    (void)state;
    assert_not_described(COUNTED({"hidden_act", "\"relu\""}),
                         "./config.json: hidden_act: this program knows no "
                         "activation \"relu\"");
    assert_not_described(COUNTED({"architectures", "[\"SmolLM3ForCausalLM\"]"},
                                 {"model_type", "\"smollm3\""},
                                 {"no_rope_layers", "[2]"}),
                         "./config.json: no_rope_layers[0]: expected an "
                         "integer from 0 to 1, found 2");
    assert_not_described(COUNTED({"hidden_size", "0"}),
                         "./config.json: hidden_size: expected an integer "
                         "from 1 to 1048576, found 0");
    assert_not_described(COUNTED({"made_up_key", "7"}, {"model_type", "3"}),
                         "./config.json: model_type: expected a string, found "
                         "an integer");
}

static void a_text_has_no_more_tokens_than_an_int_can_count(void **state)
{
    (void)state;
    struct model m;
    describe(&m, COUNTED({"rope_scaling",
                          "{\"type\": \"dynamic\", \"factor\": 1e9}"}));
    assert_int_equal(m.max_positions, INT_MAX);
    model_close(&m);
    describe(&m, COUNTED({"rope_scaling",
                          "{\"type\": \"linear\", \"factor\": 4}"}));
    assert_int_equal(m.max_positions, 32); /* it is trained for longer ones */
    model_close(&m);
}

static void a_model_is_opened_with_its_files_or_not_at_all(void **state)
{
    (void)state;
    struct model m;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(model_describe(&m, "nowhere", &e), -1);
    write_small_config(NULL, 0);
    assert_int_equal(model_open(&m, ".", &e), -1);
    assert_string_equal(e.message,
                        ".: no .safetensors file in this folder");
    assert_null(m.layers);
    write_small_weights(NULL, 0, "F32");
    assert_int_equal(model_open(&m, ".", &e), 0);
    assert_non_null(m.layers[0].attention.q.weight.data);
    model_close(&m);
    assert_true(!m.layers && !m.ropes && !m.checkpoint.tensors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_llama_has_no_more_than_is_needed),
        SCRATCH(a_starcoder2_has_biases),
        SCRATCH(a_glm4_has_some_biases),
        SCRATCH(an_olmo2_normalizes_all_heads_together),
        SCRATCH(a_hunyuan_normalizes_each_head_when_it_has_turned),
        SCRATCH(a_gpt_neox_mixes_and_feeds_at_once),
        SCRATCH(a_granite_has_four_scales),
        SCRATCH(a_gemma2_has_two_caps),
        SCRATCH(layers_of_a_gemma4_are_of_two_kinds),
        SCRATCH(what_one_step_refuses_the_next_does_not_see),
        SCRATCH(a_text_has_no_more_tokens_than_an_int_can_count),
        SCRATCH(a_model_is_opened_with_its_files_or_not_at_all),
    };
    return cmocka_run_group_tests_name("model, part by part", tests, NULL,
                                       NULL);
}
