/* compressed-tensors, the format of llm-compressor and vLLM, where only the
 * weights are quantized.  config.json names the layout:
 *
 * "pack-quantized": whole numbers of 4 or 8 bits, of a matrix (rows, cols)
 *     NAME.weight_packed      I32 (rows, cols * bits / 32, rounded up): a
 *                             row's codes, the lowest bits first, each the
 *                             number plus half of their range
 *     NAME.weight_scale       of floats (rows, groups)
 *     NAME.weight_zero_point  I32 (rows * bits / 32, rounded up, groups): the
 *                             zeros of a group below each other, as the codes
 *                             of a row stand beside each other; only where
 *                             they are not all in the middle
 *     NAME.weight_shape       I64 (2,): rows and cols
 *     NAME.weight_g_idx       I32 (cols,): groups of columns, few files
 *
 *     word (0, 0)  c7 c6 c5 c4 c3 c2 c1 c0      zeros of rows 7 ... 0, group 0
 *
 * "int-quantized", "float-quantized", "naive-quantized":
 *     NAME.weight             I8 or F8_E4M3 (rows, cols)
 *     NAME.weight_scale       of floats (1,), (rows, 1), (rows, groups) or
 *                             (blocks of rows, blocks of columns)
 *     NAME.weight_zero_point  I8, the same shape, where there are zeros
 *
 * "mxfp4-pack-quantized" (see microscaled.c):
 *     NAME.weight_packed      U8 (rows, cols / 2), the lower half first
 *     NAME.weight_scale       U8 (rows, cols / 32)
 *
 * A weight is (number - zero) * scale. */
#include "compressed_said.h"
#include "formats.h"
#include "said.h"
#include "words.h"

#include <stdint.h>
#include <string.h>

static int read_compressed(struct quantization *s, struct error *e)
{
    struct compressed_form form;
    if (compressed_said(s, &form, e))
        return -1;
    s->bits = form.bits;
    s->group = form.group;
    return 0;
}

static int check_shape(const struct sought *wanted, struct quantized *q,
                       struct error *e)
{
    const struct tensor *t = need_part(wanted, ".weight_shape", q, e);
    int64_t sizes[2];
    if (!t)
        return -1;
    if (t->dtype != DTYPE_I64 || t->count != 2)
        return fail(e, ERROR_INPUT, "%s: tensor %s should be I64 [2]",
                    t->file->path, t->name);
    memcpy(sizes, t->data, sizeof sizes);
    if (sizes[0] == (int64_t)wanted->rows && sizes[1] == (int64_t)wanted->cols)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: tensor %s says [%lld, %lld], but by config.json it "
                "should be [%zu, %zu]",
                t->file->path, t->name, (long long)sizes[0],
                (long long)sizes[1], wanted->rows, wanted->cols);
}

/* Words of 32 bits for n codes. */
static size_t words_of(size_t n, size_t bits)
{
    return (n * bits + 31) / 32;
}

/* Zeros, and the groups of columns, where the model has them. */
static int find_zeros(const struct compressed_form *form,
                      const struct sought *wanted, struct quantized *q,
                      struct error *e)
{
    size_t groups = wanted->cols / q->group;
    if (!form->symmetric) {
        q->zeros = need_part(wanted, ".weight_zero_point", q, e);
        if (!q->zeros ||
            check_part(q->zeros, DTYPE_I32, words_of(wanted->rows, form->bits),
                       groups, e))
            return -1;
    }
    if (!form->shuffled)
        return 0;
    q->group_index = need_part(wanted, ".weight_g_idx", q, e);
    return q->group_index
               ? check_group_index(q->group_index, wanted->cols, groups, e)
               : -1;
}

static int find_packed(const struct compressed_form *form,
                       const struct sought *wanted, struct quantized *q,
                       struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".weight_packed", q);
    if (!codes)
        return 0;
    size_t words = words_of(wanted->cols, form->bits);
    q->group = form->group ? form->group : wanted->cols;
    q->scales = need_part(wanted, ".weight_scale", q, e);
    if (!q->scales || check_groups(wanted, codes, q->group, e) ||
        check_shape(wanted, q, e) ||
        check_part(codes, DTYPE_I32, wanted->rows, words, e) ||
        check_floats(q->scales, wanted->rows, wanted->cols / q->group, e) ||
        find_zeros(form, wanted, q, e))
        return -1;
    q->format = format_named(form->bits == 4 ? "packed4" : "packed8");
    q->codes = codes->data;
    q->row_bytes = words * 4;
    return 1;
}

static int find_mxfp4(const struct sought *wanted, struct quantized *q,
                      struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".weight_packed", q);
    if (!codes)
        return 0;
    q->group = 32;
    q->scales = need_part(wanted, ".weight_scale", q, e);
    if (!q->scales || check_groups(wanted, codes, q->group, e) ||
        check_part(codes, DTYPE_U8, wanted->rows, wanted->cols / 2, e) ||
        check_part(q->scales, DTYPE_U8, wanted->rows, wanted->cols / 32, e))
        return -1;
    q->format = format_named("e2m1");
    q->codes = codes->data;
    q->row_bytes = wanted->cols / 2;
    return 1;
}

/* Scales of blocks, which may be smaller at the edge, or one for all. */
static int check_scales(const struct compressed_form *form,
                        const struct sought *wanted, struct quantized *q,
                        struct error *e)
{
    q->group_rows = form->group_rows ? form->group_rows : wanted->rows;
    q->group = form->group ? form->group : wanted->cols;
    if (form->single && q->scales->count == 1 && q->scales->rank < 2)
        return check_float_type(q->scales, e);
    size_t rows = (wanted->rows + q->group_rows - 1) / q->group_rows;
    size_t cols = (wanted->cols + q->group - 1) / q->group;
    return check_floats(q->scales, rows, cols, e);
}

static int check_plain_zeros(struct quantized *q, struct error *e)
{
    char shape[TENSOR_SHAPE_TEXT], scales[TENSOR_SHAPE_TEXT];
    const struct tensor *t = q->zeros;
    tensor_shape(t, shape);
    tensor_shape(q->scales, scales);
    if (t->dtype == DTYPE_I8 && strcmp(shape, scales) == 0)
        return 0;
    return fail(e, ERROR_INPUT, "%s: tensor %s is %s %s, but should be I8 %s",
                t->file->path, t->name, dtype_name(t->dtype), shape, scales);
}

static int find_plain(const struct compressed_form *form,
                      const struct sought *wanted, struct quantized *q,
                      struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".weight", q);
    q->scales = take_part(wanted, ".weight_scale", q);
    if (!codes || !q->scales)
        return 0;
    q->dtype = form->whole ? DTYPE_I8 : DTYPE_F8_E4M3;
    if (check_part(codes, q->dtype, wanted->rows, wanted->cols, e) ||
        check_scales(form, wanted, q, e))
        return -1;
    if (!form->symmetric) {
        q->zeros = need_part(wanted, ".weight_zero_point", q, e);
        if (!q->zeros || check_plain_zeros(q, e))
            return -1;
    }
    q->format = format_named(form->whole ? "scaled8" : "float8");
    q->codes = codes->data;
    q->row_bytes = wanted->cols;
    return 1;
}

static int find_compressed(const struct quantization *s,
                           const struct sought *wanted, struct quantized *q,
                           struct error *e)
{
    struct compressed_form form;
    if (compressed_said(s, &form, e))
        return -1;
    if (form.layout == LAYOUT_PACKED)
        return find_packed(&form, wanted, q, e);
    return form.layout == LAYOUT_MXFP4 ? find_mxfp4(wanted, q, e)
                                       : find_plain(&form, wanted, q, e);
}

void packed_group(const struct quantized *q, size_t row, size_t group,
                  struct group *out)
{
    size_t bits = q->format->bits, groups = q->cols / q->group;
    unsigned zero = 1u << (bits - 1);
    if (q->zeros)
        zero = column_code(q->zeros->data, groups, bits, row, group);
    out->zero = (float)zero;
    out->scale = group_value(q, q->scales, row, group);
}

void unpack_packed(const struct quantized *q, size_t row, float *out)
{
    read_codes(q->codes + row * q->row_bytes, q->format->bits, q->cols, out);
    scale_codes(q, row, packed_group, out);
}

const struct scheme scheme_compressed = {"compressed-tensors", read_compressed,
                                         find_compressed};
