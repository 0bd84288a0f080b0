/* What one layer has of its own, in families that are made up for a test. */
#include "switches.h"

#include "test_model_open.h"

/* What config.json says of layer l, with these switches of all; the result of
 * switches_layer. */
static int read_layer(const struct family *f, const struct switches *s,
                      size_t l, const struct change *changes, size_t n,
                      struct layer_switches *out, struct error *e)
{
    struct config c;
    open_small_config(&c, changes, n);
    *e = (struct error){ERROR_NONE, ""};
    int result = switches_layer(f, &c, s, l, out, e);
    config_free(&c);
    return result;
}

static const struct switches three_ropes = {
    .ropes = {{.head_dim = 6}, {.head_dim = 4}, {.head_dim = 0}},
    .n_ropes = 3};

static struct layer_switches accept_layer(const struct family *f, size_t l,
                                          struct change change)
{
    struct layer_switches own;
    struct error e;
    int result = read_layer(f, &three_ropes, l,
                            COUNTED(three_layers, full_first, change,
                                    {"global_head_dim", "6"}),
                            &own, &e);
    assert_accepted(result, &e);
    return own;
}

static void a_layer_is_of_its_kind(void **state)
{
    (void)state;
    const struct change shared = {"attention_k_eq_v", "true"};
    const struct change turning = {"no_rope_layers", "[1, 1, 1]"};
    struct layer_switches own = accept_layer(&two_kinds, 1, turning);
    assert_true(own.kind == LAYER_WINDOWED && own.window == 3);
    assert_int_equal(own.rope, LAYER_WINDOWED);
    assert_int_equal(own.head_dim, 4);
    assert_int_equal(own.n_kv_heads, 1);
    assert_false(own.values_are_keys);
    own = accept_layer(&two_kinds, 2, shared);
    assert_true(own.kind == LAYER_FULL && own.window == 0);
    assert_int_equal(own.rope, LAYER_FULL);
    assert_int_equal(own.head_dim, 6);
    assert_true(own.values_are_keys);
}

/* The last rope turns nothing; it fits heads of any size. */
static void a_layer_has_the_rope_of_its_kind_or_the_last(void **state)
{
    (void)state;
    const struct change some = {"no_rope_layers", "[0, 1, 0]"};
    struct family one_rope = two_kinds;
    one_rope.two_ropes = false;
    one_rope.keys = "layer_types no_rope_layers sliding_window";
    struct switches s = {.ropes = {{.head_dim = 4}}, .n_ropes = 2};
    struct layer_switches own;
    struct error e;
    assert_int_equal(accept_layer(&two_kinds, 0, some).rope, 2);
    assert_int_equal(accept_layer(&two_kinds, 1, some).rope, 1);
    assert_int_equal(read_layer(&one_rope, &s, 1,
                                COUNTED(three_layers, full_first, some), &own,
                                &e),
                     0);
    assert_true(own.kind == LAYER_WINDOWED && own.rope == 0);
}

static void assert_layer_refused(const struct change *changes, size_t n,
                                 enum error_code code, const char *message)
{
    struct layer_switches own;
    struct error e;
    assert_int_equal(
        read_layer(&two_kinds, &three_ropes, 0, changes, n, &own, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
}

static void a_layer_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_layer_refused(
        COUNTED({"layer_types", "[\"round\"]"}), ERROR_UNSUPPORTED,
        "./config.json: layer_types[0]: this program knows no layer type "
        "\"round\"");
    assert_layer_refused(
        COUNTED({"sliding_window", "0"}), ERROR_INPUT,
        "./config.json: sliding_window: a token must see at least itself");
    assert_layer_refused(
        COUNTED({"no_rope_layers", "[2]"}), ERROR_INPUT,
        "./config.json: no_rope_layers[0]: expected an integer from 0 to 1, "
        "found 2");
    assert_layer_refused(
        COUNTED({"per_layer_config", "[]"}), ERROR_INPUT,
        "./config.json: per_layer_config: expected an object, found an array");
    assert_layer_refused(COUNTED({"attention_k_eq_v", "2"}), ERROR_INPUT,
                         "./config.json: attention_k_eq_v: expected true or "
                         "false, found an integer");
    assert_layer_refused(
        COUNTED({"layer_types", "[\"full_attention\"]"},
                {"per_layer_config", "{\"0\": {\"head_dim\": 4}}"}),
        ERROR_UNSUPPORTED,
        "./config.json: the heads of layer 0 have another size than those of "
        "its kind");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_layer_is_of_its_kind),
        SCRATCH(a_layer_has_the_rope_of_its_kind_or_the_last),
        SCRATCH(a_layer_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("switches, a layer", tests, NULL, NULL);
}
