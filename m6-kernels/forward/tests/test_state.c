/* The room for a forward pass is as large as its header says: all of it is
 * filled, and no part touches another. */
#include "state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A model of two layers, as far as a state looks at it: in one are more
 * queries, in the other more keys.  Sanitizers see who looks for a third. */
struct made_model {
    struct model m;
    struct layer *layers; /* (2,); owned */
    struct rope ropes[2];
};

/* Make it, or make it anew. */
static void make_model(struct made_model *made)
{
    const struct layer layers[] = {
        {.attention = {.n_heads = 4,
                       .n_kv_heads = 1,
                       .head_dim = 6,
                       .window = 3}},
        {.attention = {.n_heads = 4, .n_kv_heads = 4, .head_dim = 2}}};
    if (!made->layers)
        made->layers = malloc(sizeof layers);
    assert_non_null(made->layers);
    memcpy(made->layers, layers, sizeof layers);
    *made = (struct made_model){
        .m = {.config = {.hidden_size = 5,
                         .intermediate_size = 7,
                         .vocab_size = 11,
                         .n_heads = 4,
                         .n_layers = 2},
              .n_ropes = 2},
        .layers = made->layers,
        .ropes = {{.dim = 6}, {.dim = 2}}};
    made->m.layers = made->layers;
    made->m.ropes = made->ropes;
}

struct block {
    void *data;
    size_t size; /* bytes */
};

enum test_sizes {
    CAPACITY = 9,
    N_BLOCKS = 16
};

/* What differs between the models: the positions that a token sees at most,
 * the numbers of its keys, those inside the MLP. */
struct sizes {
    size_t view, keys, inside;
};

/* What the header says of a state for 9 tokens. */
static void list_blocks(const struct state *s, struct sizes n,
                        struct block blocks[N_BLOCKS])
{
    const size_t rows = CAPACITY * sizeof(float);
    const struct block all[N_BLOCKS] = {
        {s->x, 5 * rows},
        {s->normed, 5 * rows},
        {s->out, 5 * rows},
        {s->q, 24 * rows},
        {s->heads, 24 * rows},
        {s->k, n.keys * rows},
        {s->v, n.keys * rows},
        {s->attention_weights, 4 * n.view * sizeof(float)},
        {s->gate, n.inside * rows},
        {s->up, n.inside * rows},
        {s->logits, 11 * sizeof(float)},
        {s->positions, CAPACITY * sizeof(size_t)},
        {s->angles[0].cosines, 3 * rows},
        {s->angles[0].sines, 3 * rows},
        {s->angles[1].cosines, 1 * rows},
        {s->angles[1].sines, 1 * rows}};
    memcpy(blocks, all, sizeof all);
}

/* Fill each block with a byte of its own, then look whether it still has it:
 * what is too small loses its end to its neighbour. */
static void assert_room(const struct state *s, struct sizes n)
{
    struct block blocks[N_BLOCKS];
    list_blocks(s, n, blocks);
    for (size_t i = 0; i < N_BLOCKS; i++) {
        assert_non_null(blocks[i].data);
        memset(blocks[i].data, (int)i + 1, blocks[i].size);
    }
    for (size_t i = 0; i < N_BLOCKS; i++)
        for (size_t k = 0; k < blocks[i].size; k++)
            assert_int_equal(((unsigned char *)blocks[i].data)[k], i + 1);
}

/* reserve_all() of a model in which no two sizes are equal. */
static void each_part_has_its_room(void **state)
{
    (void)state;
    struct made_model made = {0};
    struct state s;
    struct error e = {ERROR_NONE, ""};
    make_model(&made);
    assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), 0);
    assert_string_equal(e.message, "");
    assert_int_equal(s.capacity, CAPACITY);
    assert_int_equal(s.n_ropes, 2);
    /* the second layer sees everything */
    assert_room(&s, (struct sizes){CAPACITY, 8, 7});
    state_free(&s);
    assert_true(!s.x && !s.logits && !s.angles && s.n_ropes == 0 &&
                s.capacity == 0);
    free(made.layers);
}

/* What products write begins where a line of a cache does. */
static void rows_of_a_chunk_begin_with_a_line(void **state)
{
    (void)state;
    struct made_model made = {0};
    struct state s;
    struct error e;
    make_model(&made);
    assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), 0);
    const float *const rows[] = {s.x, s.normed, s.out,  s.q, s.heads,
                                 s.k, s.v,      s.gate, s.up};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal((uintptr_t)rows[i] % 64, 0);
    state_free(&s);
    free(made.layers);
}

/* reserve_all() for a window of 3 and one of 5; one of 20 is longer than the
 * text. */
static void a_view_is_the_longest_window_or_the_text(void **state)
{
    (void)state;
    struct made_model made = {0};
    struct state s;
    struct error e;
    make_model(&made);
    made.layers[1].attention.window = 5;
    assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), 0);
    assert_room(&s, (struct sizes){5, 8, 7});
    state_free(&s);
    made.layers[0].attention.window = 20;
    assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), 0);
    assert_room(&s, (struct sizes){CAPACITY, 8, 7});
    state_free(&s);
    free(made.layers);
}

/* reserve_all() of fewer numbers inside the MLP than outside; heads that are
 * wider than there are many; every layer sees everything. */
static void sizes_stand_in_no_order(void **state)
{
    (void)state;
    struct made_model made = {0};
    struct state s;
    struct error e;
    make_model(&made);
    made.m.config.intermediate_size = 3;
    made.layers[1].attention.n_kv_heads = 1;
    made.layers[0].attention.window = 0;
    assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), 0);
    assert_room(&s, (struct sizes){CAPACITY, 6, 3});
    state_free(&s);
    free(made.layers);
}

/* As many rows as fit in a chunk, but positions for the whole text; nothing
 * where one part cannot be had. */
static void a_chunk_is_no_longer_than_the_text(void **state)
{
    (void)state;
    static const size_t longest[] = {9, 4}, chunk[] = {4, 9};
    struct made_model made = {0};
    struct state s;
    struct error e;
    make_model(&made);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            state_init_chunked(&s, &made.m, longest[i], chunk[i], &e), 0);
        assert_int_equal(s.capacity, 4);
        assert_int_equal(s.longest, longest[i]);
        state_free(&s);
    }
    made.m.config.vocab_size = (size_t)1 << 58;
    assert_int_equal(state_init_chunked(&s, &made.m, 9, 4, &e), -1);
    assert_true(!s.x && s.capacity == 0);
    free(made.layers);
}

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Any one part may be too large; then reserve_all() has none of them. */
static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    struct made_model made = {0};
    make_model(&made);
    size_t *const sizes[] = {
        &made.m.config.hidden_size,
        &made.layers[0].attention.head_dim,
        &made.layers[1].attention.n_kv_heads,
        &made.m.config.n_heads,
        &made.m.config.intermediate_size,
        &made.m.config.vocab_size,
        &made.ropes[0].dim,
        &made.ropes[1].dim,
        &made.m.n_ropes};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct state s;
        struct error e = {ERROR_NONE, ""};
        make_model(&made);
        *sizes[i] = (size_t)1 << 58;
        assert_int_equal(state_init(&s, &made.m, CAPACITY, &e), -1);
        assert_int_equal(e.code, ERROR_MEMORY);
        assert_true(!s.x && !s.q && !s.logits && !s.positions && !s.angles);
    }
    free(made.layers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_has_its_room),
        cmocka_unit_test(rows_of_a_chunk_begin_with_a_line),
        cmocka_unit_test(a_view_is_the_longest_window_or_the_text),
        cmocka_unit_test(sizes_stand_in_no_order),
        cmocka_unit_test(a_chunk_is_no_longer_than_the_text),
        cmocka_unit_test(what_cannot_be_had_is_said),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
