/* For the tests of what GGUF files say: a small Llama made to order, and what
 * its translation answers. */
#ifndef TEST_GGUF_LLAMA_H
#define TEST_GGUF_LLAMA_H

#include "gguf_config.h"
#include "test_gguf_made.h"

typedef json_t *translation(const struct gguf *files, size_t n,
                            struct error *e);

static inline void assert_untranslated(const struct made *m, translation *of,
                                       const char *message)
{
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, &e), 0);
    assert_null(of(&g, 1, &e));
    assert_string_equal(e.message, message);
    gguf_free(&g);
    free(copy);
}

/* What every Llama says, but for head_count, and room for `more` values. */
static inline struct made small_llama(uint64_t tensors, uint64_t more)
{
    struct made m = begin(3, tensors, 6 + more);
    put_text(&m, "general.architecture", "llama");
    put_size(&m, "llama.context_length", 16);
    put_size(&m, "llama.embedding_length", 8);
    put_size(&m, "llama.feed_forward_length", 8);
    put_size(&m, "llama.block_count", 1);
    put_key(&m, "llama.attention.layer_norm_rms_epsilon", GGUF_F32);
    put_u32(&m, 0x3a000000);
    return m;
}

#endif
