/* What config.json says of single layers: one key after the other, in families
 * that are made up for a test. */
#include "layer_config.h"

#include "test_model_open.h"

/* Asks one function about layer l. */
typedef int asks(const struct family *f, const struct config *c, size_t l,
                 size_t *answer, struct error *e);

static int ask_all(const struct family *f, const struct config *c, size_t l,
                   size_t *answer, struct error *e)
{
    *answer = l;
    return layers_check(f, c, e);
}

static int ask_kind(const struct family *f, const struct config *c, size_t l,
                    size_t *answer, struct error *e)
{
    enum layer_kind kind = LAYER_FULL;
    int result = layer_kind_of(f, c, l, &kind, e);
    *answer = kind == LAYER_WINDOWED;
    return result;
}

static int ask_window(const struct family *f, const struct config *c, size_t l,
                      size_t *answer, struct error *e)
{
    return layer_window(f, c, l, answer, e);
}

static int ask_turns(const struct family *f, const struct config *c, size_t l,
                     size_t *answer, struct error *e)
{
    bool turns = false;
    int result = layer_turns(f, c, l, &turns, e);
    *answer = turns;
    return result;
}

/* 1000 times the size of a head, and the heads of keys. */
static int ask_heads(const struct family *f, const struct config *c, size_t l,
                     size_t *answer, struct error *e)
{
    size_t head_dim = 0, n_kv_heads = 0;
    int result = layer_heads(f, c, l, &head_dim, &n_kv_heads, e);
    *answer = 1000 * head_dim + n_kv_heads;
    return result;
}

static int ask_shares(const struct family *f, const struct config *c, size_t l,
                      size_t *answer, struct error *e)
{
    bool shares = false;
    int result = layer_shares_keys(f, c, l, &shares, e);
    *answer = shares;
    return result;
}

/* The answer about the last of two layers. */
static void assert_answer(size_t expected, asks *ask, const struct family *f,
                          struct change a, struct change b)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    size_t answer = 99;
    open_small_config(&c, COUNTED({"num_hidden_layers", "2"}, a, b));
    assert_accepted(ask(f, &c, 1, &answer, &e), &e);
    assert_int_equal(answer, expected);
    config_free(&c);
}

static void assert_no_answer(asks *ask, const struct family *f,
                             const char *key, const char *value,
                             const char *message)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    size_t answer;
    char expected[160];
    open_small_config(&c, COUNTED({"num_hidden_layers", "2"}, {key, value}));
    assert_int_equal(ask(f, &c, 1, &answer, &e), -1);
    snprintf(expected, sizeof expected, "./config.json: %s", message);
    assert_string_equal(e.message, expected);
    config_free(&c);
}

/* Each must refuse a wrong list of types, whoever reads it. */
static void types_are_words_one_a_layer(void **state)
{
    (void)state;
    asks *const all[] = {ask_kind, ask_window, ask_heads, ask_shares};
    const struct family f = {
        .keys = "layer_types global_head_dim attention_k_eq_v"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_no_answer(all[i], &f, "layer_types", "3",
                         "layer_types: expected an array, found an integer");
        assert_no_answer(all[i], &f, "layer_types", "[\"full_attention\"]",
                         "layer_types: 1 types for 2 layers");
        assert_no_answer(all[i], &f, "layer_types", "[\"full_attention\", 3]",
                         "layer_types[1]: expected a string, found an "
                         "integer");
        assert_no_answer(all[i], &f, "layer_types",
                         "[\"full_attention\", \"round\"]",
                         "layer_types[1]: this program knows no layer type "
                         "\"round\"");
    }
}

/* Keys that are values are asked for their kind, too; without them nobody else
 * would refuse it. */
static void heads_are_of_a_kind_that_is_known(void **state)
{
    (void)state;
    const struct family f = {.keys = "layer_types global_head_dim"};
    assert_no_answer(ask_heads, &f, "layer_types", "3",
                     "layer_types: expected an array, found an integer");
}

static void what_a_family_does_not_read_says_nothing(void **state)
{
    (void)state;
    const struct family f = {.keys = ""};
    const struct change types = {"layer_types", "[\"round\"]"};
    const struct change shares = {"attention_k_eq_v", "true"};
    const struct change none = {"no_rope_layers", "[0, 0]"};
    const struct change own = {"per_layer_config", "{\"9\": {}}"};
    assert_answer(0, ask_kind, &f, types, none);
    assert_answer(0, ask_window, &f, types, none);
    assert_answer(1, ask_turns, &f, types, none);
    assert_answer(0, ask_shares, &f, types, shares);
    assert_answer(4001, ask_heads, &f, types, own);
    assert_answer(4001, ask_heads, &f, types, none);
    assert_answer(1, ask_all, &f, types, own);
    const struct family listed = {.keys = "layer_types"};
    assert_answer(4001, ask_heads, &listed, types, none);
}

static void a_rule_is_a_number(void **state)
{
    (void)state;
    const struct family upper = {.keys = "max_window_layers",
                                 .windows = WINDOW_UPPER};
    const struct family most = {.keys = "sliding_window_pattern",
                                .windows = WINDOW_MOST};
    const struct family unturned = {.keys = "no_rope_layers",
                                    .windows = WINDOW_UNTURNED};
    asks *const both[] = {ask_kind, ask_window};
    for (size_t i = 0; i < 2; i++) {
        assert_no_answer(both[i], &upper, "max_window_layers", "[]",
                         "max_window_layers: expected an integer, found an "
                         "array");
        assert_no_answer(both[i], &most, "sliding_window_pattern", "[]",
                         "sliding_window_pattern: expected an integer, found "
                         "an array");
        assert_no_answer(both[i], &most, "sliding_window_pattern", "0",
                         "sliding_window_pattern: there is no 0th layer");
        assert_no_answer(both[i], &unturned, "no_rope_layers", "[1, 2]",
                         "no_rope_layers[1]: expected an integer from 0 to 1, "
                         "found 2");
    }
}

static void every_layer_may_be_the_first_of_one(void **state)
{
    (void)state;
    const struct change none = NOTHING, nor_this = {"made_up_too", "0"};
    const struct change one = {"sliding_window_pattern", "1"};
    const struct change interval = {"no_rope_layer_interval", "1"};
    const struct family most = {.keys = "sliding_window_pattern",
                                .windows = WINDOW_MOST,
                                .full_every = 3};
    const struct family turning = {
        .keys = "no_rope_layers no_rope_layer_interval"};
    assert_answer(1, ask_kind, &most, none, nor_this);
    assert_answer(0, ask_kind, &most, one, none);
    assert_answer(1, ask_turns, &turning, none, nor_this);
    assert_answer(0, ask_turns, &turning, interval, none);
}

static void a_window_has_a_size(void **state)
{
    (void)state;
    const struct family f = {.keys = "use_sliding_window sliding_window",
                             .windows = WINDOW_ALL};
    const struct family plain = {.keys = "sliding_window",
                                 .windows = WINDOW_ALL};
    assert_no_answer(ask_window, &f, "use_sliding_window", "1",
                     "use_sliding_window: expected true or false, found an "
                     "integer");
    assert_no_answer(ask_window, &plain, "sliding_window", "\"7\"",
                     "sliding_window: expected an integer, found a string");
    assert_no_answer(ask_window, &plain, "sliding_window", "0",
                     "sliding_window: a token must see at least itself");
}

/* A model that says which layers have a window must say how wide it is. */
static void a_window_that_is_planned_has_a_size(void **state)
{
    (void)state;
    const struct change none = NOTHING, nor_this = {"made_up_too", "0"};
    const struct change one = {"sliding_window", "1"};
    const struct change sliding = {
        "layer_types", "[\"full_attention\", \"sliding_attention\"]"};
    const struct change full = {
        "layer_types", "[\"sliding_attention\", \"full_attention\"]"};
    struct family f = {.keys = "layer_types", .windows = WINDOW_ALL};
    const struct family never = {.keys = "", .window = 5};
    assert_no_answer(ask_window, &f, sliding.name, sliding.value,
                     "layer_types: layer 1 has a window, but its size is not "
                     "given");
    assert_answer(0, ask_window, &f, none, nor_this);
    assert_answer(0, ask_window, &f, full, none);
    assert_answer(1, ask_window, &f, sliding, one);
    assert_answer(0, ask_window, &never, one, none);
    f = (struct family){.keys = "", .windows = WINDOW_MOST, .full_every = 3};
    assert_no_answer(ask_window, &f, "made_up", "0",
                     "layer_types: layer 1 has a window, but its size is not "
                     "given");
}

static void turning_is_yes_or_no(void **state)
{
    (void)state;
    const struct family f = {.keys = "no_rope_layers no_rope_layer_interval"};
    assert_no_answer(ask_turns, &f, "no_rope_layers", "{}",
                     "no_rope_layers: expected an array, found an object");
    assert_no_answer(ask_turns, &f, "no_rope_layers", "[1]",
                     "no_rope_layers: 1 entries for 2 layers");
    assert_no_answer(ask_turns, &f, "no_rope_layers", "[1, 2]",
                     "no_rope_layers[1]: expected an integer from 0 to 1, "
                     "found 2");
    assert_no_answer(ask_turns, &f, "no_rope_layer_interval", "[]",
                     "no_rope_layer_interval: expected an integer, found an "
                     "array");
    assert_no_answer(ask_turns, &f, "no_rope_layer_interval", "0",
                     "no_rope_layer_interval: there is no 0th layer");
}

static const struct family own_heads = {
    .keys = "per_layer_config global_head_dim attention_k_eq_v layer_types "
            "num_global_key_value_heads"};

static void heads_of_a_layer_have_limits(void **state)
{
    (void)state;
    const struct family *f = &own_heads;
    const struct change none = NOTHING;
    assert_answer(4001, ask_heads, f,
                  (struct change){"per_layer_config", "{}"}, none);
    assert_answer(1002, ask_heads, f,
                  (struct change){"per_layer_config",
                                  "{\"1\": {\"head_dim\": 1, "
                                  "\"num_key_value_heads\": 2}}"},
                  none);
    assert_answer(65536001, ask_heads, f,
                  (struct change){"per_layer_config",
                                  "{\"1\": {\"head_dim\": 65536}}"},
                  none);
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"head_dim\": 65537}}",
                     "per_layer_config.1.head_dim: expected an integer from 0 "
                     "to 65536, found 65537");
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"num_key_value_heads\": 65537}}",
                     "per_layer_config.1.num_key_value_heads: expected an "
                     "integer from 0 to 65536, found 65537");
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"num_key_value_heads\": 65536}}",
                     "65536 heads of keys in layer 1 do not divide 2 heads");
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"num_key_value_heads\": 0}}",
                     "0 heads of keys in layer 1 do not divide 2 heads");
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"head_dim\": 0}}",
                     "per_layer_config.1.head_dim: a head must have a size");
}

static void heads_of_a_layer_are_objects(void **state)
{
    (void)state;
    const struct family *f = &own_heads;
    assert_no_answer(ask_heads, f, "per_layer_config", "[]",
                     "per_layer_config: expected an object, found an array");
    assert_no_answer(ask_heads, f, "per_layer_config", "{\"1\": 3}",
                     "per_layer_config.1: expected an object, found an "
                     "integer");
    assert_no_answer(ask_heads, f, "per_layer_config",
                     "{\"1\": {\"made_up\": 3}}",
                     "per_layer_config.1.made_up: is not a key that this "
                     "program knows for one layer");
    assert_no_answer(ask_heads, f, "attention_k_eq_v", "3",
                     "attention_k_eq_v: expected true or false, found an "
                     "integer");
    assert_no_answer(ask_heads, f, "global_head_dim", "0",
                     "global_head_dim: a head must have a size");
    assert_no_answer(ask_shares, f, "attention_k_eq_v", "3",
                     "attention_k_eq_v: expected true or false, found an "
                     "integer");
}

/* "10" is the eleventh of eleven layers, whatever base one counts in. */
static void assert_no_layer_of_eleven(const char *name)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    char own[40], message[120];
    snprintf(own, sizeof own, "{\"%s\": {}}", name);
    open_small_config(&c, COUNTED({"num_hidden_layers", "11"},
                                  {"per_layer_config", own}));
    assert_int_equal(layers_check(&own_heads, &c, &e), -1);
    snprintf(message, sizeof message,
             "./config.json: per_layer_config.%s: is none of the 11 layers, "
             "which count from 0",
             name);
    assert_string_equal(e.message, message);
    config_free(&c);
}

static void layers_have_decimal_numbers(void **state)
{
    (void)state;
    const struct family *f = &own_heads;
    const struct change eleven = {"num_hidden_layers", "11"};
    struct config c;
    struct error e = {ERROR_NONE, ""};
    open_small_config(
        &c, COUNTED(eleven, {"per_layer_config", "{\"10\": {}, \"9\": {}}"}));
    assert_int_equal(layers_check(f, &c, &e), 0);
    config_free(&c);
    assert_no_layer_of_eleven("11");
    assert_no_layer_of_eleven("00");
    assert_no_layer_of_eleven("x");
}

/* Of two rules the second is looked at, too. */
static void every_rule_is_checked(void **state)
{
    (void)state;
    const struct family f = {
        .keys = "max_window_layers sliding_window_pattern"};
    struct config c;
    struct error e = {ERROR_NONE, ""};
    open_small_config(&c, COUNTED({"max_window_layers", "7"},
                                  {"sliding_window_pattern", "\"7\""}));
    assert_int_equal(layers_check(&f, &c, &e), -1);
    config_free(&c);
}

static void each_rule_is_checked_that_is_read(void **state)
{
    (void)state;
    static const char *const rules[] = {"max_window_layers",
                                        "sliding_window_pattern",
                                        "no_rope_layer_interval"};
    const struct family none = {.keys = ""};
    for (size_t i = 0; i < 3; i++) {
        char message[100];
        const struct family f = {.keys = rules[i]};
        snprintf(message, sizeof message,
                 "%s: expected an integer, found a string", rules[i]);
        assert_no_answer(ask_all, &f, rules[i], "\"7\"", message);
        assert_answer(1, ask_all, &f, (struct change){rules[i], "7"},
                      (struct change)NOTHING);
        assert_answer(1, ask_all, &none, (struct change){rules[i], "\"7\""},
                      (struct change)NOTHING);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(types_are_words_one_a_layer),
        SCRATCH(heads_are_of_a_kind_that_is_known),
        SCRATCH(what_a_family_does_not_read_says_nothing),
        SCRATCH(a_rule_is_a_number),
        SCRATCH(every_layer_may_be_the_first_of_one),
        SCRATCH(a_window_has_a_size),
        SCRATCH(a_window_that_is_planned_has_a_size),
        SCRATCH(turning_is_yes_or_no),
        SCRATCH(heads_of_a_layer_have_limits),
        SCRATCH(heads_of_a_layer_are_objects),
        SCRATCH(layers_have_decimal_numbers),
        SCRATCH(every_rule_is_checked),
        SCRATCH(each_rule_is_checked_that_is_read),
    };
    return cmocka_run_group_tests_name("layer_config, key by key", tests,
                                       NULL, NULL);
}
