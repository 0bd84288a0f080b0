/* Each weight points to its own tensor, and into it where parts share one. */
#include "bind.h"

#include "test_examples.h"
#include "test_model_open.h"

#include <stdio.h>
#include <stdlib.h>

/* Bind an example without tensor number `missing`; bind_weights's result. */
static int bind_example(const struct example *x, size_t missing,
                        struct model *m, struct error *e)
{
    write_example(x, missing);
    *e = (struct error){ERROR_NONE, ""};
    assert_int_equal(model_describe(m, ".", e), 0);
    assert_int_equal(checkpoint_open(&m->checkpoint, ".", e), 0);
    return bind_weights(m, family_find(&m->config, e), e);
}

/* --- where weights point ------------------------------------------------ */

/* The name of the tensor that a weight points into, without the layer's, and
 * the row at which it begins. */
static void put_place(FILE *f, const struct model *m, const char *label,
                      const struct weight *w)
{
    for (size_t i = 0; w->rows && i < m->checkpoint.n_tensors; i++) {
        const struct tensor *t = &m->checkpoint.tensors[i];
        const char *name = t->name;
        if (w->data < t->data || w->data >= t->data + t->bytes)
            continue;
        name += strncmp(name, L, strlen(L)) == 0 ? strlen(L) : 0;
        name += strncmp(name, G, strlen(G)) == 0 ? strlen(G) : 0;
        fprintf(f, "%s: %s %zu", label, name,
                w->first + (size_t)(w->data - t->data) / (4 * w->cols));
        if (w->run || w->stride || w->dtype != t->dtype)
            fprintf(f, ", %zu of %zu", w->run, w->stride);
        fputs("\n", f);
    }
}

static void put_linear_place(FILE *f, const struct model *m, const char *label,
                             const struct linear *l)
{
    put_place(f, m, label, &l->weight);
    put_place(f, m, label, &l->bias);
}

static void put_norm_place(FILE *f, const struct model *m, const char *label,
                           const struct norm *n)
{
    put_place(f, m, label, &n->weight);
    put_place(f, m, label, &n->bias);
}

static void put_places(FILE *f, const struct model *m)
{
    const struct layer *l = &m->layers[0];
    put_place(f, m, "embedding", &m->embedding);
    put_norm_place(f, m, "mix_norm", &l->mix_norm);
    put_linear_place(f, m, "q", &l->attention.q);
    put_linear_place(f, m, "k", &l->attention.k);
    put_linear_place(f, m, "v", &l->attention.v);
    put_linear_place(f, m, "o", &l->attention.o);
    put_norm_place(f, m, "q_norm", &l->attention.q_norm);
    put_norm_place(f, m, "k_norm", &l->attention.k_norm);
    put_norm_place(f, m, "mix_after", &l->mix_after);
    put_norm_place(f, m, "feed_norm", &l->feed_norm);
    put_linear_place(f, m, "gate", &l->mlp.gate);
    put_linear_place(f, m, "up", &l->mlp.up);
    put_linear_place(f, m, "down", &l->mlp.down);
    put_norm_place(f, m, "feed_after", &l->feed_after);
    put_place(f, m, "scale", &l->scale);
    put_norm_place(f, m, "norm", &m->norm);
    put_place(f, m, "head", &m->head);
}

static void assert_places(const struct example *x, const char *expected)
{
    struct model m;
    struct error e;
    char *text = NULL;
    size_t size = 0;
    int result = bind_example(x, NONE_MISSING, &m, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
    FILE *f = open_memstream(&text, &size);
    put_places(f, &m);
    fclose(f);
    assert_string_equal(text, expected);
    free(text);
    model_close(&m);
}

static void each_norm_has_its_tensor(void **state)
{
    (void)state;
    assert_places(&gemma4, "embedding: model.embed_tokens.weight 0\n"
                           "mix_norm: input_layernorm.weight 0\n"
                           "q: self_attn.q_proj.weight 0\n"
                           "k: self_attn.k_proj.weight 0\n"
                           "v: self_attn.k_proj.weight 0\n"
                           "o: self_attn.o_proj.weight 0\n"
                           "q_norm: self_attn.q_norm.weight 0\n"
                           "k_norm: self_attn.k_norm.weight 0\n"
                           "mix_after: post_attention_layernorm.weight 0\n"
                           "feed_norm: pre_feedforward_layernorm.weight 0\n"
                           "gate: mlp.gate_proj.weight 0\n"
                           "up: mlp.up_proj.weight 0\n"
                           "down: mlp.down_proj.weight 0\n"
                           "feed_after: post_feedforward_layernorm.weight 0\n"
                           "scale: layer_scalar 0\n"
                           "norm: model.norm.weight 0\n"
                           "head: lm_head.weight 0\n");
}

static void each_bias_has_its_tensor(void **state)
{
    (void)state;
    assert_places(&starcoder2, "embedding: model.embed_tokens.weight 0\n"
                               "mix_norm: input_layernorm.weight 0\n"
                               "mix_norm: input_layernorm.bias 0\n"
                               "q: self_attn.q_proj.weight 0\n"
                               "q: self_attn.q_proj.bias 0\n"
                               "k: self_attn.k_proj.weight 0\n"
                               "k: self_attn.k_proj.bias 0\n"
                               "v: self_attn.v_proj.weight 0\n"
                               "v: self_attn.v_proj.bias 0\n"
                               "o: self_attn.o_proj.weight 0\n"
                               "o: self_attn.o_proj.bias 0\n"
                               "feed_norm: post_attention_layernorm.weight 0\n"
                               "feed_norm: post_attention_layernorm.bias 0\n"
                               "gate: mlp.c_fc.weight 0\n"
                               "gate: mlp.c_fc.bias 0\n"
                               "down: mlp.c_proj.weight 0\n"
                               "down: mlp.c_proj.bias 0\n"
                               "norm: model.norm.weight 0\n"
                               "norm: model.norm.bias 0\n"
                               "head: lm_head.weight 0\n");
}

static void parts_stand_one_below_the_other(void **state)
{
    (void)state;
    assert_places(&phi3, "embedding: model.embed_tokens.weight 0\n"
                         "mix_norm: input_layernorm.weight 0\n"
                         "q: self_attn.qkv_proj.weight 0\n"
                         "k: self_attn.qkv_proj.weight 8\n"
                         "v: self_attn.qkv_proj.weight 12\n"
                         "o: self_attn.o_proj.weight 0\n"
                         "feed_norm: post_attention_layernorm.weight 0\n"
                         "gate: mlp.gate_up_proj.weight 0\n"
                         "up: mlp.gate_up_proj.weight 6\n"
                         "down: mlp.down_proj.weight 0\n"
                         "norm: model.norm.weight 0\n"
                         "head: lm_head.weight 0\n");
}

static void parts_take_turns(void **state)
{
    (void)state;
    assert_places(&neox, "embedding: gpt_neox.embed_in.weight 0\n"
                         "mix_norm: input_layernorm.weight 0\n"
                         "mix_norm: input_layernorm.bias 0\n"
                         "q: attention.query_key_value.weight 0, 4 of 12\n"
                         "q: attention.query_key_value.bias 0, 4 of 12\n"
                         "k: attention.query_key_value.weight 4, 4 of 12\n"
                         "k: attention.query_key_value.bias 4, 4 of 12\n"
                         "v: attention.query_key_value.weight 8, 4 of 12\n"
                         "v: attention.query_key_value.bias 8, 4 of 12\n"
                         "o: attention.dense.weight 0\n"
                         "o: attention.dense.bias 0\n"
                         "feed_norm: post_attention_layernorm.weight 0\n"
                         "feed_norm: post_attention_layernorm.bias 0\n"
                         "gate: mlp.dense_h_to_4h.weight 0\n"
                         "gate: mlp.dense_h_to_4h.bias 0\n"
                         "down: mlp.dense_4h_to_h.weight 0\n"
                         "down: mlp.dense_4h_to_h.bias 0\n"
                         "norm: gpt_neox.final_layer_norm.weight 0\n"
                         "norm: gpt_neox.final_layer_norm.bias 0\n"
                         "head: embed_out.weight 0\n");
}

/* --- what is missing, and what is too much ------------------------------ */

static void assert_each_is_missed(const struct example *x)
{
    for (size_t i = 0; i < x->n_tensors; i++) {
        struct model m;
        struct error e;
        char message[160];
        snprintf(message, sizeof message,
                 "./model.safetensors: there is no tensor %s",
                 x->tensors[i].name);
        assert_int_equal(bind_example(x, i, &m, &e), -1);
        assert_string_equal(e.message, message);
        model_close(&m);
    }
}

static void each_tensor_that_is_missing_is_named(void **state)
{
    (void)state;
    assert_each_is_missed(&gemma4);
    assert_each_is_missed(&starcoder2);
    assert_each_is_missed(&phi3);
}

/* bind_weights of the small model with one tensor more, for a family that has
 * others beside texts; how many of these there are. */
static int bind_with(const char *name, const char *others, struct model *m,
                     struct error *e)
{
    struct family f = *family_row(0); /* a Llama */
    f.other_tensors = others;
    *e = (struct error){ERROR_NONE, ""};
    write_small_config(NULL, 0);
    write_small_weights(CHANGES({name, "[2]"}, {"a.sound", "[1]"}), 2, "F32");
    assert_int_equal(model_describe(m, ".", e), 0);
    assert_int_equal(checkpoint_open(&m->checkpoint, ".", e), 0);
    return bind_weights(m, &f, e);
}

static void other_parts_are_counted_and_not_used(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    assert_int_equal(bind_with("eye.b", "a. eye.", &m, &e), 0);
    assert_int_equal(m.n_ignored, 2);
    assert_string_equal(m.ignored, "a.sound");
    model_close(&m);
    assert_int_equal(bind_with("a.text", "eye. a.", &m, &e), 0);
    assert_int_equal(m.n_ignored, 2);
    model_close(&m);
    assert_int_equal(bind_with("eye.b", "a. mouth.", &m, &e), -1);
    assert_string_equal(e.message,
                        "./model.safetensors: nothing uses tensor eye.b, so "
                        "the model is not what config.json says it is");
    model_close(&m);
    assert_int_equal(bind_with("eye.b", NULL, &m, &e), -1);
    model_close(&m);
}

/* bind_weights of an example with one tensor more in its layer. */
static int bind_with_part(const struct example *x, const char *name)
{
    struct change tensors[MOST_TENSORS];
    struct example more = *x;
    struct model m;
    struct error e;
    memcpy(tensors, x->tensors, x->n_tensors * sizeof *tensors);
    tensors[more.n_tensors++] = (struct change){name, "[2]"};
    more.tensors = tensors;
    int result = bind_example(&more, NONE_MISSING, &m, &e);
    model_close(&m);
    return result;
}

static void old_files_of_gpt_neox_hold_masks(void **state)
{
    (void)state;
    assert_int_equal(bind_with_part(&neox, G "attention.bias"), 0);
    assert_int_equal(bind_with_part(&neox, G "attention.masked_bias"), 0);
    assert_int_equal(bind_with_part(&neox, G "attention.other"), -1);
    assert_int_equal(bind_with_part(&phi3, L "attention.bias"), -1);
    assert_int_equal(bind_with_part(&phi3, L "attention.masked_bias"), -1);
}

/* rotary_emb.inv_freq is a part of a layer, not a name of its own. */
static void a_part_stands_in_a_layer(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    assert_int_equal(bind_with("x.rotary_emb.inv_freq", "a.", &m, &e), 0);
    assert_int_equal(m.n_ignored, 1);
    model_close(&m);
    assert_int_equal(bind_with("rotary_emb.inv_freq", "a.", &m, &e), -1);
    model_close(&m);
    assert_int_equal(bind_with("xrotary_emb.inv_freq", "a.", &m, &e), -1);
    model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(each_norm_has_its_tensor),
        SCRATCH(each_bias_has_its_tensor),
        SCRATCH(parts_stand_one_below_the_other),
        SCRATCH(parts_take_turns),
        SCRATCH(each_tensor_that_is_missing_is_named),
        SCRATCH(other_parts_are_counted_and_not_used),
        SCRATCH(old_files_of_gpt_neox_hold_masks),
        SCRATCH(a_part_stands_in_a_layer),
    };
    return cmocka_run_group_tests_name("bind, place by place", tests, NULL,
                                       NULL);
}
