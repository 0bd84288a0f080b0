/* A Llama's weights: under which names they stand, and in which shapes. */
#include "bind.h"

#include "test_model_open.h"

#include <stdio.h>

#define L "model.layers.0."

/* bind_weights of a small Llama of so many layers, with changes (n,) to its
 * tensors. */
static int bind_llama(const char *n_layers, const struct change *changes,
                      size_t n, const char *dtype, struct model *m,
                      struct error *e)
{
    *e = (struct error){ERROR_NONE, ""};
    write_small_config(CHANGES({"num_hidden_layers", n_layers},
                               {"tie_word_embeddings", "true"}),
                       2);
    write_small_weights(changes, n, dtype);
    assert_int_equal(model_describe(m, ".", e), 0);
    assert_int_equal(checkpoint_open(&m->checkpoint, ".", e), 0);
    return bind_weights(m, family_row(0), e);
}

static void assert_unbound(const struct change *changes, size_t n,
                           const char *dtype, const char *message)
{
    struct model m;
    struct error e;
    assert_int_equal(bind_llama("1", changes, n, dtype, &m, &e), -1);
    assert_string_equal(e.message, message);
    model_close(&m);
}

static void assert_misfit(const char *name, const char *shape,
                          const char *expected)
{
    char message[200];
    snprintf(message, sizeof message,
             "./model.safetensors: tensor %s is %s, but by config.json it "
             "should be %s",
             name, shape, expected);
    assert_unbound(CHANGES({name, shape}), 1, "F32", message);
}

/* A type must be one that can be multiplied, and a shape the one that
 * config.json says. */
static void a_tensor_is_what_it_should_be(void **state)
{
    (void)state;
    assert_misfit(L "mlp.up_proj.weight", "[8, 6]", "[6, 8]");
    assert_misfit(L "mlp.up_proj.weight", "[5, 8]", "[6, 8]");
    assert_misfit(L "mlp.up_proj.weight", "[6, 7]", "[6, 8]");
    assert_misfit(L "mlp.up_proj.weight", "[48]", "[6, 8]");
    assert_misfit("model.norm.weight", "[7]", "[8]");
    assert_misfit("model.norm.weight", "[8, 1]", "[8]");
    assert_unbound(CHANGES({L "mlp.up_proj.weight", "[6, 8]"}), 1, "I8",
                   "./model.safetensors: tensor model.embed_tokens.weight has "
                   "numbers of type I8; F32, F16 and BF16 can be multiplied");
}

/* Bind a small Llama whose names begin with this, with or without its tied
 * head: the tensor that its head is then must have this name. */
static void assert_head(const char *before, bool stored, const char *expected)
{
    char names[N_TENSORS][80];
    struct change changes[2 * N_TENSORS];
    struct model m;
    struct error e;
    size_t n = 0;
    for (size_t i = 0; i < N_TENSORS; i++) {
        const struct member *t = &small_tensors[i];
        bool absent = !stored && strcmp(t->key, "lm_head.weight") == 0;
        snprintf(names[i], sizeof names[i], "%s%s", before, t->key);
        changes[n++] = (struct change){names[i], absent ? NULL : t->value};
        if (*before)
            changes[n++] = (struct change){t->key, NULL};
    }
    int result = bind_llama("1", changes, n, "F32", &m, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
    const struct tensor *t = checkpoint_find(&m.checkpoint, expected);
    assert_ptr_equal(m.head.data, t ? t->data : NULL);
    assert_non_null(m.head.data);
    model_close(&m);
}

static void a_tied_head_is_the_embedding_unless_it_is_there(void **state)
{
    (void)state;
    assert_head("", true, "lm_head.weight");
    assert_head("", false, "model.embed_tokens.weight");
    assert_head("language_model.", true, "language_model.lm_head.weight");
    assert_head("language_model.", false,
                "language_model.model.embed_tokens.weight");
}

static void each_layer_has_tensors_of_its_own(void **state)
{
    (void)state;
    char names[N_TENSORS][80], up[80];
    struct change changes[N_TENSORS];
    struct model m;
    struct error e;
    size_t n = 0;
    for (size_t i = 0; i < N_TENSORS; i++) {
        const struct member *t = &small_tensors[i];
        if (strncmp(t->key, L, strlen(L)) == 0) {
            snprintf(names[n], sizeof names[n], "model.layers.1.%s",
                     t->key + strlen(L));
            changes[n] = (struct change){names[n], t->value};
            n++;
        }
    }
    assert_int_equal(bind_llama("2", changes, n, "F32", &m, &e), 0);
    for (size_t l = 0; l < 2; l++) {
        snprintf(up, sizeof up, "model.layers.%zu.mlp.up_proj.weight", l);
        assert_ptr_equal(m.layers[l].mlp.up.weight.data,
                         checkpoint_find(&m.checkpoint, up)->data);
    }
    model_close(&m);
}

/* With an embedding under the usual name, another is one too many. */
static void names_begin_as_the_embeddings_does(void **state)
{
    (void)state;
    assert_unbound(CHANGES({"embed_tokens.weight", "[5, 8]"}), 1, "F32",
                   "./model.safetensors: nothing uses tensor "
                   "embed_tokens.weight, so the model is not what config.json "
                   "says it is");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_tensor_is_what_it_should_be),
        SCRATCH(a_tied_head_is_the_embedding_unless_it_is_there),
        SCRATCH(each_layer_has_tensors_of_its_own),
        SCRATCH(names_begin_as_the_embeddings_does),
    };
    return cmocka_run_group_tests_name("bind, names and shapes", tests, NULL,
                                       NULL);
}
