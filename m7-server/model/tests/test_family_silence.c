/* Each family has a row, and no more are there; and where the config.json of a
 * Gemma 3 is silent, its switches are set as transformers sets them. */
#include "family.h"
#include "switches.h"
#include "test_silences.h"

#include <math.h>

#undef fail /* cmocka's; here it is ours */

static const char *const kind_names[] = {
    [LAYER_FULL] = "f", [LAYER_WINDOWED] = "s"};

static double number(const json_t *one, const char *key)
{
    return json_number_value(silence_means(one, key));
}

static bool acts_alike(const struct switches *s, const json_t *one)
{
    const char *name =
        json_string_value(silence_means(one, "hidden_activation"));
    return s->activate ==
           (strcmp(name, "gelu_pytorch_tanh") == 0 ? gelu_tanh : gelu);
}

/* The number or name of one kind of layers' rope. */
static const json_t *rope_of(const json_t *one, enum layer_kind kind,
                             const char *key)
{
    const json_t *ropes = silence_means(one, "rope");
    return json_object_get(json_object_get(ropes, kind_names[kind]), key);
}

static bool turns_alike(const struct switches *s, const json_t *one,
                        enum layer_kind kind)
{
    const struct rope_config *r = &s->ropes[kind];
    const char *type = json_string_value(rope_of(one, kind, "rope_type"));
    enum rope_scaling scaling =
        strcmp(type, "linear") == 0 ? ROPE_LINEAR : ROPE_DEFAULT;
    return r->theta == json_number_value(rope_of(one, kind, "rope_theta")) &&
           r->scaling == scaling &&
           r->factor == json_number_value(rope_of(one, kind, "factor"));
}

/* Which layers have a window, and how large it is. */
static bool layers_are_alike(const struct family *f, const struct config *c,
                             const struct switches *s, const json_t *one)
{
    const char *kinds = json_string_value(silence_means(one, "layer_types"));
    size_t window = (size_t)number(one, "sliding_window");
    struct layer_switches layer;
    struct error e;
    assert_int_equal(strlen(kinds), c->n_layers);
    for (size_t l = 0; l < c->n_layers; l++)
        if (switches_layer(f, c, s, l, &layer, &e) ||
            *kind_names[layer.kind] != kinds[l] ||
            layer.window != (kinds[l] == 's' ? window : 0))
            return false;
    return true;
}

/* The first switch that is set otherwise than in transformers; NULL: none. */
static const char *differs(const struct family *f, const struct config *c,
                           const struct switches *s, const json_t *one)
{
    bool biased = json_is_true(silence_means(one, "attention_bias"));
    if (s->norm.eps != (float)number(one, "rms_norm_eps"))
        return "rms_norm_eps";
    if (s->score_scale != 1 / sqrt(number(one, "query_pre_attn_scalar")))
        return "query_pre_attn_scalar";
    if (s->qkv_bias != biased || s->o_bias != biased)
        return "attention_bias";
    if (s->logit_cap != number(one, "final_logit_softcapping"))
        return "final_logit_softcapping";
    if (!acts_alike(s, one))
        return "hidden_activation";
    if (!turns_alike(s, one, LAYER_FULL) ||
        !turns_alike(s, one, LAYER_WINDOWED))
        return "rope_parameters";
    return layers_are_alike(f, c, s, one) ? NULL : "layer_types";
}

static void assert_set_alike(const json_t *one)
{
    struct config c;
    struct switches s;
    struct error e = {ERROR_NONE, ""};
    silence_write(one);
    assert_int_equal(config_load(&c, ".", &e), 0);
    const struct family *f = family_find(&c, &e);
    const char *wrong = f && switches_read(f, &c, &s, &e) == 0
                            ? differs(f, &c, &s, one)
                            : e.message;
    if (wrong)
        print_error("%s: %s\n", silence_name(one), wrong);
    assert_null(wrong);
    config_free(&c);
}

static void silence_sets_the_switches_of_transformers(void **state)
{
    json_t *file = silences_read(*state), *one;
    if (!file)
        skip();
    size_t i = 0;
    for (; (one = silence_at(file, i)); i++)
        if (!silence_is_refused(one))
            assert_set_alike(one);
    assert_true(i >= 40);
    json_decref(file);
}

static void behind_the_last_family_is_none(void **state)
{
    (void)state;
    size_t n = 0;
    for (; family_row(n); n++)
        assert_non_null(family_row(n)->architecture);
    assert_int_equal(n, 19);
    assert_null(family_row(n + 1));
    assert_null(family_row(SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_the_last_family_is_none),
        cmocka_unit_test_setup_teardown(
            silence_sets_the_switches_of_transformers, scratch_enter,
            scratch_leave),
    };
    return cmocka_run_group_tests_name("family_silence", tests, NULL, NULL);
}
