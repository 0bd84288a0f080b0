/* Models that compute differently have different fingerprints. */
#include "fingerprint.h"

#include "test_model_files.h"
#include "test_numbers.h"

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

/* Of the small model that is in the current folder. */
static uint64_t fingerprint_here(void)
{
    struct model m;
    struct error e;
    uint64_t found;
    assert_ok(model_open(&m, ".", &e), &e);
    assert_ok(model_fingerprint(&m, &found, &e), &e);
    model_close(&m);
    return found;
}

static uint64_t with_config(const char *name, const char *value)
{
    struct change change = {name, value};
    write_small_config(&change, 1);
    return fingerprint_here();
}

static void the_same_model_has_the_same(void **state)
{
    (void)state;
    write_small_weights(NULL, 0, "F32");
    uint64_t first = with_config("rope_theta", "10000.0");
    assert_int_equal(with_config("rope_theta", "10000.0"), first);
    assert_int_equal(with_config("rope_theta", "  1e4"), first);
}

static void a_model_that_turns_otherwise_has_another(void **state)
{
    (void)state;
    write_small_weights(NULL, 0, "F32");
    uint64_t first = with_config("rope_theta", "10000.0");
    assert_true(with_config("rope_theta", "10001.0") != first);
    assert_true(with_config("rms_norm_eps", "0.001") != first);
}

/* As xxhash 4.1 of PyPI has it, of this text and, behind it, each tensor's
 * name, type, shape and zeros, ordered by name; what ends with a zero here
 * ends with one there:
 *
 *     {"architectures":["LlamaForCausalLM"],"hidden_size":8, … }\0
 *     lm_head.weight\0F32[5, 8]\0 … */
static void it_is_the_hash_of_keys_and_tensors(void **state)
{
    (void)state;
    write_small_weights(NULL, 0, "F32");
    write_small_config(NULL, 0);
    assert_int_equal(fingerprint_here(), 0x7dd6bc1530ec3e7a);
}

static uint64_t with_keys(const struct change *keys)
{
    write_small_config(keys, 2);
    return fingerprint_here();
}

static void the_order_of_keys_does_not(void **state)
{
    (void)state;
    const struct change one[] = {{"pad_token_id", "1"},
                                 {"initializer_range", "2"}};
    const struct change other[] = {{"initializer_range", "2"},
                                   {"pad_token_id", "1"}};
    const struct change third[] = {{"initializer_range", "1"},
                                   {"pad_token_id", "2"}};
    write_small_weights(NULL, 0, "F32");
    assert_true(with_keys(one) == with_keys(other));
    assert_true(with_keys(one) != with_keys(third));
}

static uint64_t fingerprint_of(const struct model *m)
{
    struct error e;
    uint64_t found;
    assert_ok(model_fingerprint(m, &found, &e), &e);
    return found;
}

/* Two models may have the same bytes in the same order. */
static void names_types_and_shapes_count(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    write_small_weights(NULL, 0, "F32");
    write_small_config(NULL, 0);
    assert_ok(model_open(&m, ".", &e), &e);
    uint64_t first = fingerprint_of(&m);
    struct tensor *t = &m.checkpoint.tensors[0], before = *t;
    t->name = "another";
    assert_true(fingerprint_of(&m) != first);
    *t = before;
    t->dtype = DTYPE_I32;
    assert_true(fingerprint_of(&m) != first);
    *t = before;
    t->shape[0]++;
    assert_true(fingerprint_of(&m) != first);
    *t = before;
    assert_true(fingerprint_of(&m) == first);
    model_close(&m);
}

/* Change the byte that is `before` bytes before the end of the weights. */
static void change_weight(long before)
{
    FILE *f = fopen("model.safetensors", "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, -before, SEEK_END), 0);
    fputc(1, f);
    fclose(f);
}

enum large_sizes {
    TABLE = 64000,  /* bytes of the largest tensor, which is the first */
    OTHERS = 65440, /* of all others */
    STEP = 997      /* bytes from one that is changed to the next */
};

/* Anywhere in any tensor: two models may differ in the row of one token. */
static void other_weights_have_another(void **state)
{
    (void)state;
    struct change sizes[] = {{"model.embed_tokens.weight", "[2000, 8]"},
                             {"lm_head.weight", "[2000, 8]"}};
    write_small_weights(sizes, 2, "F32");
    uint64_t last = with_config("vocab_size", "2000");
    for (long place = 1; place <= OTHERS + TABLE; place += STEP) {
        change_weight(place);
        uint64_t next = fingerprint_here();
        assert_true(next != last);
        last = next;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(the_same_model_has_the_same),
        SCRATCH(it_is_the_hash_of_keys_and_tensors),
        SCRATCH(a_model_that_turns_otherwise_has_another),
        SCRATCH(names_types_and_shapes_count),
        SCRATCH(the_order_of_keys_does_not),
        SCRATCH(other_weights_have_another),
    };
    return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
