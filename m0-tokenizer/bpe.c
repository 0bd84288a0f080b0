/* Byte-pair encoding: see bpe.h. */
#include "bpe.h"

uint32_t bpe_character(const struct bpe *b, uint32_t code)
{
    return code < 128 ? b->ascii[code] : map_find(&b->characters, code);
}

uint32_t bpe_rank(const struct bpe *b, uint32_t left, uint32_t right)
{
    return map_find(&b->ranks, (uint64_t)left << 32 | right);
}

bool bpe_joined(const struct bpe *b, uint32_t left, uint32_t right)
{
    if (left < 128 && right < 128)
        return b->ascii_joints[left][right];
    return map_find(&b->joints, (uint64_t)left << 32 | right) != MAP_NONE;
}
