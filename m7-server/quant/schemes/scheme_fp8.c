/* FP8, as DeepSeek and Qwen publish it.  Of a matrix (rows, cols)
 *     NAME.weight            F8_E4M3 (rows, cols)
 *     NAME.weight_scale_inv  of floats (rows / 128, cols / 128), rounded up
 *
 *              128 cols  128   rest
 *     128 rows  s00      s01   s02      a weight is number * scale of its
 *     rest      s10      s11   s12      block, despite the tensor's name
 *
 * where config.json says "weight_block_size": [128, 128], or other sizes; or
 * null, and then one scale is for the whole matrix.
 *
 * Who publishes these also rounds what is multiplied by them to 8 bits
 * ("activation_scheme": "dynamic"), since their machines multiply so.  This
 * program does not: it computes what the weights say, in 32 bits. */
#include "formats.h"
#include "said.h"

static const struct said_key fp8_keys[] = {
    {"quant_method", NULL},
    {"activation_scheme", "\"dynamic\""},
    {"fmt", "\"e4m3\""},
    {"weight_block_size", NULL},
    {"scale_fmt", NULL}, /* which scales occur; they are floats anyhow */
    {"modules_to_not_convert", NULL}, /* the files show it */
    {"ignored_layers", NULL},
    {"dequantize", NULL},
};

/* Rows and columns of a block; 0: all. */
static int read_fp8_block(const struct quantization *s, size_t *rows,
                          size_t *cols, struct error *e)
{
    struct node n = node_member(&s->said, "weight_block_size");
    size_t length;
    *rows = *cols = 0;
    if (!node_has(&n))
        return 0;
    if (node_array(&n, &length, e))
        return -1;
    if (length != 2)
        return node_fail(&n, ERROR_INPUT, e, "found %zu sizes; 2 are needed",
                         length);
    struct node first = node_element(&n, 0), second = node_element(&n, 1);
    if (node_size(&first, LARGEST_GROUP, rows, e) ||
        node_size(&second, LARGEST_GROUP, cols, e))
        return -1;
    if (*rows == 0 || *cols == 0)
        return node_fail(*rows ? &second : &first, ERROR_INPUT, e,
                         "a block cannot be empty");
    return 0;
}

static int read_fp8(struct quantization *s, struct error *e)
{
    size_t rows;
    s->bits = 8;
    return said_check(&s->said, fp8_keys, sizeof fp8_keys / sizeof *fp8_keys,
                      e) ||
                   read_fp8_block(s, &rows, &s->group, e)
               ? -1
               : 0;
}

/* One scale for all has rank 0, or shape [1] or [1, 1]. */
static int check_single(const struct tensor *t, struct error *e)
{
    if (t->count == 1 && t->rank < 2)
        return check_float_type(t, e);
    return check_floats(t, 1, 1, e);
}

/* How many blocks of a size it takes. */
static size_t blocks(size_t n, size_t size)
{
    return n / size + (n % size > 0);
}

static int find_fp8(const struct quantization *s, const struct sought *wanted,
                    struct quantized *q, struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".weight", q);
    size_t rows, cols;
    q->scales = take_part(wanted, ".weight_scale_inv", q);
    if (!codes || !q->scales)
        return 0;
    if (read_fp8_block(s, &rows, &cols, e) ||
        check_part(codes, DTYPE_F8_E4M3, wanted->rows, wanted->cols, e))
        return -1;
    q->group_rows = rows ? rows : wanted->rows;
    q->group = cols ? cols : wanted->cols;
    if (rows ? check_floats(q->scales, blocks(wanted->rows, rows),
                            blocks(wanted->cols, cols), e)
             : check_single(q->scales, e))
        return -1;
    q->format = format_named("float8");
    q->dtype = codes->dtype;
    q->codes = codes->data;
    q->row_bytes = wanted->cols;
    return 1;
}

const struct scheme scheme_fp8 = {"fp8", read_fp8, find_fp8};
