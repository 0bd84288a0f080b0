/* AWQ (Lin et al. 2023, arXiv 2306.00978), as AutoAWQ writes it ("gemm").  Of
 * a matrix (rows, cols)
 *     NAME.qweight  I32 (cols, rows / 8)
 *     NAME.qzeros   I32 (cols / group, rows / 8)
 *     NAME.scales   of floats (cols / group, rows)
 * so the file has it turned over: the eight codes of a word are of one column
 * and eight rows, and not in their order, but as a kernel liked to find them:
 *
 *     bits     31-28 27-24 23-20 19-16 15-12 11-8  7-4   3-0
 *     row  8k+   7     5     3     1     6     4     2     0
 *
 * A weight is (code - zero) * scale.  Zeros are stored as they are. */
#include "formats.h"
#include "said.h"
#include "words.h"

static const struct said_key awq_keys[] = {
    {"quant_method", NULL},
    {"bits", NULL},
    {"group_size", NULL},
    {"version", "\"gemm\" \"GEMM\""}, /* others pack otherwise */
    {"format", "\"gemm\""},
    {"checkpoint_format", "\"gemm\""},
    {"zero_point", "true"},
    {"pack_dtype", "\"int32\""},
    {"backend", "\"autoawq\" \"auto\""},
    {"dynamic", "null {}"},

    /* How it was made, and which kernel is to run it. */
    {"desc_act", "false"},
    {"do_fuse", NULL},
    {"exllama_config", NULL},
    {"fuse_max_seq_len", NULL},
    {"lm_head", NULL},
    {"meta", NULL},
    {"modules_to_fuse", NULL},
    {"modules_to_not_convert", NULL},
    {"sym", NULL},
};

static int read_awq(struct quantization *s, struct error *e)
{
    struct node bits = node_member(&s->said, "bits");
    struct node group = node_member(&s->said, "group_size");
    return said_check(&s->said, awq_keys, sizeof awq_keys / sizeof *awq_keys,
                      e) ||
                   said_one_of(&bits, "4", &s->bits, e) ||
                   said_group(&group, &s->group, e)
               ? -1
               : 0;
}

static int find_awq(const struct quantization *s, const struct sought *wanted,
                    struct quantized *q, struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".qweight", q);
    if (!codes)
        return 0;
    q->group = s->group ? s->group : wanted->cols;
    q->zeros = need_part(wanted, ".qzeros", q, e);
    if (!q->zeros)
        return -1;
    q->scales = need_part(wanted, ".scales", q, e);
    if (!q->scales || check_groups(wanted, codes, q->group, e))
        return -1;
    if (wanted->rows % 8)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s: %zu rows do not fill words of 8",
                    codes->file->path, codes->name, wanted->rows);
    size_t groups = wanted->cols / q->group, words = wanted->rows / 8;
    if (check_part(codes, DTYPE_I32, wanted->cols, words, e) ||
        check_part(q->zeros, DTYPE_I32, groups, words, e) ||
        check_floats(q->scales, groups, wanted->rows, e))
        return -1;
    q->format = format_named("awq");
    q->codes = codes->data;
    return 1;
}

/* The code of a column of a matrix whose rows have `bytes` bytes. */
float awq_code(const unsigned char *words, size_t bytes, size_t row,
               size_t column)
{
    static const unsigned char places[] = {0, 4, 1, 5, 2, 6, 3, 7};
    size_t place = places[column % 8];
    unsigned pair = words[row * bytes + column / 8 * 4 + place / 2];
    return (float)(place % 2 ? pair >> 4 : pair & 15);
}

void awq_group(const struct quantized *q, size_t row, size_t group,
               struct group *out)
{
    out->zero = awq_code(q->zeros->data, q->rows / 2, group, row);
    tensor_read(q->scales, group * q->rows + row, 1, &out->scale);
}

/* The file's rows are our columns. */
void unpack_awq(const struct quantized *q, size_t row, float *out)
{
    for (size_t j = 0; j < q->cols; j++)
        out[j] = awq_code(q->codes, q->rows / 2, j, row);
    scale_codes(q, row, awq_group, out);
}

const struct scheme scheme_awq = {"awq", read_awq, find_awq};
