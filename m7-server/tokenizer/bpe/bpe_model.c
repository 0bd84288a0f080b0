/* The merges, looked up: see bpe_model.h. */
#include "bpe_model.h"

uint32_t bpe_character(const struct bpe_model *m, uint32_t code)
{
    return map_find(&m->characters, code);
}

uint32_t bpe_rank(const struct bpe_model *m, uint32_t left, uint32_t right)
{
    return map_find(&m->ranks, (uint64_t)left << 32 | right);
}
