/* Which formats are codes of 4 or 8 bits, and how: see spacing.h. */
#include "spacings.h"

#include <stdint.h>
#include <string.h>

/* A format that has them. */
struct coding {
    const char *format; /* its name in formats.c */
    enum codes_kind kind;
    kind_function *kind_of; /* where the matrix decides; else NULL */
    codes_function *read;
};

static const struct coding codings[] = {
    {"int8", CODES_INT8, NULL, codes_int8},
    {"int4", CODES_INT4, NULL, codes_int4},
    {"affine2", CODES_AFFINE4, NULL, codes_affine},
    {"affine3", CODES_AFFINE4, NULL, codes_affine},
    {"affine4", CODES_AFFINE4, NULL, codes_affine},
    {"e2m1", CODES_INT8, NULL, codes_e2m1},
    {"gptq2", CODES_INT4, NULL, codes_gptq}, /* code - zero is -4 to 3 */
    {"gptq3", CODES_INT4, NULL, codes_gptq}, /* -8 to 7 */
    {"gptq4", CODES_NONE, gptq_kind, codes_gptq},
    {"gptq8", CODES_NONE, gptq_kind, codes_gptq},
    {"awq", CODES_NONE, awq_kind, codes_awq},
    {"packed4", CODES_NONE, packed_codes_kind, codes_packed},
    {"packed8", CODES_NONE, packed_codes_kind, codes_packed},
    {"scaled8", CODES_NONE, scaled_kind, codes_scaled},

    {"Q4_0", CODES_INT4, NULL, codes_q4_0},
    {"Q4_1", CODES_AFFINE4, NULL, codes_q4_1},
    {"Q5_0", CODES_INT8, NULL, codes_q5_0},
    {"Q8_0", CODES_INT8, NULL, codes_q8_0},
    {"Q3_K", CODES_INT8, NULL, codes_q3_k},
    {"Q4_K", CODES_AFFINE4, NULL, codes_q4_k},
    {"IQ4_NL", CODES_INT8, NULL, codes_iq4_nl},
    {"IQ4_XS", CODES_INT8, NULL, codes_iq4_xs},
    {"MXFP4", CODES_INT8, NULL, codes_mxfp4},
};

/* Whether the columns' groups stand in order, as most files say that they
 * do. */
static bool groups_are_in_order(const struct quantized *q)
{
    for (size_t i = 0; q->group_index && i < q->cols; i++) {
        uint32_t group;
        memcpy(&group, q->group_index->data + 4 * i, sizeof group);
        if (group != i / q->group)
            return false;
    }
    return true;
}

/* Whether each 32 values of a row have one scale. */
static bool groups_are_whole(const struct quantized *q)
{
    return (q->group % CODES_GROUP == 0 || q->group >= q->cols) &&
           groups_are_in_order(q);
}

void codes_read(const struct codes *c, size_t row, struct codes_row *out)
{
    codes_in_room(out, c->kind == CODES_INT8 ? CODES_BYTES8 : CODES_BYTES4);
    c->read(c, row, out);
}

struct codes codes_of(const struct quantized *q)
{
    struct codes c = {q, CODES_NONE, NULL};
    for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++) {
        const struct coding *one = &codings[i];
        if (strcmp(one->format, q->format->name) || !groups_are_whole(q))
            continue;
        c.kind = one->kind_of ? one->kind_of(q) : one->kind;
        c.read = one->read;
    }
    return c;
}
