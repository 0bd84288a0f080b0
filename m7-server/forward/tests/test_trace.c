/* What is counted, beside a count by hand from the models' config.json. */
#include "test_copies.h"

#include "forward.h"
#include "json.h"
#include "test_reader.h"
#include "test_small.h"
#include "test_step.h"
#include "trace.h"

enum trace_sizes {
    TEXT = 14 /* tokens */
};

static const int text[TEXT] = {5, 9, 2, 7, 7, 31, 12, 8, 3, 40, 41, 6, 5, 9};

/* A model with what watches it. */
struct watched {
    struct model m;
    struct reader r;
    struct trace t;
};

static void watch_state(struct watched *w, size_t capacity, size_t chunk)
{
    reader_open(&w->r, &w->m, capacity, chunk);
    w->t = (struct trace){
        .model = &w->m, .state = &w->r.state, .cache = &w->r.cache};
}

static void watch_small(struct watched *w, const char *name, size_t capacity,
                        size_t chunk)
{
    struct checkpoint goldens;
    small_open(name, &w->m, &goldens);
    checkpoint_close(&goldens);
    watch_state(w, capacity, chunk);
}

static void watch_reading(struct watched *w, size_t capacity, size_t chunk)
{
    struct error e;
    need_model();
    assert_ok(model_open(&w->m, getenv("RUNG_MODEL"), &e), &e);
    watch_state(w, capacity, chunk);
}

/* And at the end: what the trace derived from chunks and shapes is what the
 * arithmetic has fetched, row by row. */
static void unwatch(struct watched *w)
{
    size_t derived = trace_total(&w->t).weights;
    assert_int_equal(w->r.state.compute.fetched, derived);
    trace_free(&w->t);
    reader_close(&w->r);
    model_close(&w->m);
}

/* tiny-chat, 16-bit weights, tied head: 256 wide, 8 layers of 4 heads and 2
 * kv heads of 64 with QK-norm, 768 in the MLP, 4096 tokens. */
enum chat_counts {
    CHAT_MATRICES = 256 * (256 + 128 + 128 + 256 + 3 * 768),
    CHAT_LAYER = 2 * (CHAT_MATRICES + 2 * 256 + 2 * 64), /* bytes */
    CHAT_HEAD = 4096 * 256,
    CHAT_POSITION = 8 * 2 * 128 * 4, /* bytes in the cache, of all layers */
    CHAT_SEEN = 8 * 4 * 64 * 4       /* operations for a position seen */
};

static void the_reading_model_as_counted_by_hand(void **state)
{
    (void)state;
    struct watched w;
    watch_reading(&w, 7, 6);
    struct observer o = {trace_observe, &w.t};
    prefill(&w.m, &w.r.state, &w.r.cache, text, 6, &o);
    decode(&w.m, &w.r.state, &w.r.cache, text[6], &o);
    forward_logits(&w.m, &w.r.state, 0, &o);
    assert_int_equal(w.t.n, 2);
    const struct step together = {
        .n = 6,
        .weights = 8 * CHAT_LAYER + 2 * 256 + 6 * 2 * 256,
        .cache_read = (1 + 2 + 3 + 4 + 5 + 6) * CHAT_POSITION,
        .cache_written = 6 * CHAT_POSITION,
        .held = 6 * CHAT_POSITION,
        .flops = 6 * 8 * 2 * CHAT_MATRICES + 21 * CHAT_SEEN};
    assert_step(&w.t.steps[0], &together);
    const struct step alone = {
        .decodes = true,
        .from = 6,
        .n = 1,
        .weights = 8 * CHAT_LAYER + 2 * 256 + 2 * 256 + 2 * CHAT_HEAD,
        .cache_read = 7 * CHAT_POSITION,
        .cache_written = CHAT_POSITION,
        .held = 7 * CHAT_POSITION,
        .flops = 8 * 2 * CHAT_MATRICES + 7 * CHAT_SEEN + 2 * CHAT_HEAD};
    assert_step(&w.t.steps[1], &alone);
    unwatch(&w);
}

/* All that a token of decode fetches is the model, and its own row of the
 * embedding: the file's bytes behind its table of contents, and 512. */
static void decode_fetches_the_whole_model(void **state)
{
    (void)state;
    struct watched w;
    size_t bytes = 0;
    watch_reading(&w, 1, 1);
    struct observer o = {trace_observe, &w.t};
    decode(&w.m, &w.r.state, &w.r.cache, text[0], &o);
    forward_logits(&w.m, &w.r.state, 0, &o);
    for (size_t i = 0; i < w.m.checkpoint.n_tensors; i++)
        bytes += w.m.checkpoint.tensors[i].bytes;
    assert_int_equal(w.t.steps[0].weights, bytes + 512);
    unwatch(&w);
}

/* gemma3-1, 16-bit weights: 44 wide, 3 layers of 4 heads and 1 kv head of 14
 * with QK-norm, 60 in the MLP, four norms a layer.  The first two layers see 8
 * positions; the last sees all. */
enum gemma_counts {
    GEMMA_MATRICES = 44 * (56 + 14 + 14 + 56 + 3 * 60),
    GEMMA_LAYER = 2 * (GEMMA_MATRICES + 4 * 44 + 2 * 14), /* bytes */
    GEMMA_POSITION = 2 * 14 * 4, /* bytes in the cache, of one layer */
    GEMMA_SEEN = 4 * 14 * 4      /* operations for one, in one layer */
};

/* Chunks of 5, 5 and 4 tokens.  The two rings have 8 + 5 - 1 = 12 slots. */
static void windows_as_counted_by_hand(void **state)
{
    (void)state;
    struct watched w;
    if (access(getenv("RUNG_MODEL"), R_OK) != 0)
        skip_without_models();
    watch_small(&w, "gemma3-1", TEXT, 5);
    struct observer o = {trace_observe, &w.t};
    prefill(&w.m, &w.r.state, &w.r.cache, text, TEXT, &o);
    assert_int_equal(w.t.n, 3);
    static const size_t seen[] = {3 * (1 + 2 + 3 + 4 + 5),
                                  (6 + 7 + 8 + 9 + 10) +
                                      2 * (6 + 7 + 8 + 8 + 8),
                                  (11 + 12 + 13 + 14) + 2 * (8 + 8 + 8 + 8)};
    static const size_t held[] = {3 * 5, 3 * 10, 14 + 2 * 12};
    static const size_t from[] = {0, 5, 10}, n[] = {5, 5, 4};
    for (size_t i = 0; i < 3; i++) {
        const struct step expected = {
            .from = from[i],
            .n = n[i],
            .weights = 3 * GEMMA_LAYER + 2 * 44 + n[i] * 2 * 44,
            .cache_read = seen[i] * GEMMA_POSITION,
            .cache_written = 3 * n[i] * GEMMA_POSITION,
            .held = held[i] * GEMMA_POSITION,
            .flops = n[i] * 3 * 2 * GEMMA_MATRICES + seen[i] * GEMMA_SEEN};
        assert_step(&w.t.steps[i], &expected);
    }
    assert_int_equal(w.t.ids.size, TEXT);
    assert_memory_equal(w.t.ids.data, text, sizeof text);
    struct step all = trace_total(&w.t);
    assert_int_equal(all.held, held[2] * GEMMA_POSITION);
    assert_false(all.decodes);
    unwatch(&w);
}

/* gptneox-1, 16-bit weights with biases, also of the norms: 48 wide, 3 heads
 * of 16, 64 in an MLP of two matrices.  olmo2-1: 6 heads and 3 kv heads of 10,
 * which are normalized together, 64 in an MLP of three, whose matrices have no
 * biases; two norms a layer.  Both have 3 layers. */
enum other_counts {
    NEOX_MATRICES = 48 * (3 * 48 + 48 + 2 * 64),
    NEOX_LAYER = 2 * (NEOX_MATRICES + 3 * 48 + 48 + 64 + 48 + 4 * 48),
    OLMO_MATRICES = 48 * (60 + 30 + 30 + 60 + 3 * 64),
    OLMO_LAYER = 2 * (OLMO_MATRICES + 60 + 30 + 30 + 48 + 60 + 30 + 2 * 48)
};

/* The step that decodes one token. */
static void assert_decoded(const char *name, size_t weights, uint64_t flops)
{
    struct watched w;
    watch_small(&w, name, 1, 1);
    struct observer o = {trace_observe, &w.t};
    decode(&w.m, &w.r.state, &w.r.cache, text[0], &o);
    assert_int_equal(w.t.steps[0].weights, weights);
    assert_int_equal(w.t.steps[0].flops, flops);
    unwatch(&w);
}

static void biases_and_norms_as_counted_by_hand(void **state)
{
    (void)state;
    if (access(getenv("RUNG_MODEL"), R_OK) != 0)
        skip_without_models();
    assert_decoded("gptneox-1", 3 * NEOX_LAYER + 2 * 2 * 48 + 2 * 48,
                   3 * (2 * NEOX_MATRICES + 4 * 48));
    assert_decoded("olmo2-1", 3 * OLMO_LAYER + 2 * 48 + 2 * 48,
                   3 * (2 * OLMO_MATRICES + 4 * 60));
}

/* The same tokens in longer chunks: the layers come from memory once a
 * chunk; everything else is as it was. */
static void longer_chunks_fetch_weights_less_often(void **state)
{
    (void)state;
    struct step found[2];
    for (size_t i = 0; i < 2; i++) {
        struct watched w;
        watch_reading(&w, 12, i ? 6 : 1);
        struct observer o = {trace_observe, &w.t};
        prefill(&w.m, &w.r.state, &w.r.cache, text, 12, &o);
        found[i] = trace_total(&w.t);
        assert_int_equal(w.t.n, i ? 2 : 12);
        unwatch(&w);
    }
    size_t rows = 12 * 2 * 256;
    assert_int_equal(found[0].weights - rows, 6 * (found[1].weights - rows));
    assert_int_equal(found[0].cache_read, found[1].cache_read);
    assert_int_equal(found[0].cache_written, found[1].cache_written);
    assert_int_equal(found[0].held, found[1].held);
    assert_int_equal(found[0].flops, found[1].flops);
}

/* unwatch() compares what the trace says with what was fetched. */
static void rows_scored_together_fetch_the_head_once(void **state)
{
    (void)state;
    struct watched w;
    static const size_t rows[] = {5, 0, 3};
    watch_reading(&w, 6, 6);
    struct observer o = {trace_observe, &w.t};
    prefill(&w.m, &w.r.state, &w.r.cache, text, 6, &o);
    logits_of_rows(&w.m, &w.r.state, rows, 3, &o);
    assert_int_equal(w.t.steps[0].weights, 8 * CHAT_LAYER + 2 * 256 +
                                               6 * 2 * 256 + 2 * CHAT_HEAD);
    unwatch(&w);
}

/* dynamic-1 turns all keys anew when a text grows past 64 tokens. */
static void what_is_read_again_is_counted_again(void **state)
{
    (void)state;
    struct watched w;
    if (access(getenv("RUNG_MODEL"), R_OK) != 0)
        skip_without_models();
    watch_small(&w, "dynamic-1", 65, 64);
    struct observer o = {trace_observe, &w.t};
    for (size_t i = 0; i < 64; i++)
        decode(&w.m, &w.r.state, &w.r.cache, text[i % TEXT], &o);
    assert_int_equal(w.t.n, 64);
    decode(&w.m, &w.r.state, &w.r.cache, text[0], &o);
    assert_int_equal(w.t.n, 66);
    assert_int_equal(w.t.steps[64].from, 0);
    assert_int_equal(w.t.steps[64].n, 64);
    assert_int_equal(w.t.steps[65].from, 64);
    unwatch(&w);
}

/* --- the command -------------------------------------------------------- */

static void the_command_prints_a_table(void **state)
{
    (void)state;
    assert_output(
        WORDS("trace", france, "-n", "1", "--chunk", "4"), "",
        "                    weights   a token    cache written     held    "
        "        FLOP\n"
        "step    positions        kB        kB  read kB      kB       kB    "
        "MFLOP /byte\n"
        "prefill       0-3   12595.7    3148.9     81.9    32.8     32.8    "
        "50.41   3.97\n"
        "prefill       4-5   14691.8    7345.9     90.1    16.4     49.2    "
        "27.35   1.85\n"
        "decode          6   14691.3   14691.3     57.3     8.2     57.3    "
        "14.74   1.00\n"
        "all                 41978.9    5997.0    229.4    57.3     57.3    "
        "92.50   2.19\n");
}

static void the_command_prints_json(void **state)
{
    (void)state;
    need_model();
    struct outcome o =
        run_rung(WORDS("trace", "-", "-n", "2", "--json"), france, 24);
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_non_null(list);
    assert_int_equal(json_array_size(list), 3);
    json_t *last = json_array_get(list, 2);
    assert_string_equal(json_string_value(json_object_get(last, "step")),
                        "decode");
    assert_int_equal(json_integer_value(json_object_get(last, "from")), 7);
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(last, "ids"), 0)),
        263);
    assert_int_equal(json_integer_value(json_object_get(last, "cache_read")),
                     8 * CHAT_POSITION);
    json_decref(list);
    outcome_free(&o);
}

/* "The dog ran. The cat ran. The dog ran. The": 13 tokens, of which all but
 * the last are read; then a pass reads that one and four guesses, and scores
 * all five rows by one reading of the head. */
static void guesses_are_scored_by_one_reading_of_the_head(void **state)
{
    (void)state;
    static char dogs[] = "The dog ran. The cat ran. The dog ran. The";
    need_model();
    struct outcome o = run_rung(
        WORDS("trace", dogs, "-n", "12", "--draft", "ngram", "--json"), "", 0);
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_non_null(list);
    json_t *pass = json_array_get(list, 1);
    assert_int_equal(json_array_size(json_object_get(pass, "ids")), 5);
    assert_int_equal(json_integer_value(json_object_get(pass, "from")), 12);
    assert_int_equal(json_integer_value(json_object_get(pass, "weights")),
                     8 * CHAT_LAYER + 2 * 256 + 5 * 2 * 256 + 2 * CHAT_HEAD);
    size_t seen = 13 + 14 + 15 + 16 + 17;
    assert_int_equal(json_integer_value(json_object_get(pass, "flops")),
                     5 * (8 * 2 * CHAT_MATRICES + 2 * CHAT_HEAD) +
                         seen * CHAT_SEEN);
    json_decref(list);
    outcome_free(&o);
}

/* tiny-draft reads four tokens, then its first two guesses one by one: 128
 * wide, 2 layers of 2 heads and 1 kv head of 64, 384 in the MLP.  Its layers
 * and last norm are 787,968 + 256 bytes, its head 1,048,576, a row 256; so it
 * fetches 3 (788,224 + 1,048,576) + 6 * 256. */
static void what_a_small_model_fetches_is_shown(void **state)
{
    (void)state;
    char draft[PATH_MAX];
    find_model("tiny-draft", draft);
    assert_output(
        WORDS("trace", "Once upon a time", "-n", "3", "--draft", draft), "",
        "                    weights   a token    cache written     held    "
        "        FLOP\n"
        "step    positions        kB        kB  read kB      kB       kB    "
        "MFLOP /byte\n"
        "prefill       0-2   12595.2    4198.4     49.2    24.6     24.6    "
        "37.80   2.98\n"
        "prefill       3-6   14692.9    3673.2    180.2    32.8     57.3    "
        "58.90   3.95\n"
        "guess                5511.9     918.7     21.5     6.1      6.1    "
        " 7.89   1.42\n"
        "all                 32800.0    2523.1    250.9    63.5     63.5   "
        "104.58   3.16\n");
}

static void chunks_have_a_token_at_least(void **state)
{
    (void)state;
    assert_error(WORDS("trace", france, "--chunk", "0"), 2,
                 "rung: option --chunk must be a whole number from 1 to "
                 "1000000, not \"0\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reading_model_as_counted_by_hand),
        cmocka_unit_test(decode_fetches_the_whole_model),
        cmocka_unit_test(windows_as_counted_by_hand),
        cmocka_unit_test(biases_and_norms_as_counted_by_hand),
        cmocka_unit_test(longer_chunks_fetch_weights_less_often),
        cmocka_unit_test(rows_scored_together_fetch_the_head_once),
        cmocka_unit_test(what_is_read_again_is_counted_again),
        cmocka_unit_test(the_command_prints_a_table),
        cmocka_unit_test(the_command_prints_json),
        cmocka_unit_test(guesses_are_scored_by_one_reading_of_the_head),
        cmocka_unit_test(what_a_small_model_fetches_is_shown),
        cmocka_unit_test(chunks_have_a_token_at_least),
    };
    return cmocka_run_group_tests_name("trace", tests, name_model, NULL);
}
