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
#include "formats.h"
#include "said.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* --- config.json --------------------------------------------------------- */

static const struct said_key top_keys[] = {
    {"quant_method", NULL},
    {"format", NULL},
    {"config_groups", NULL},
    {"quantization_status", "\"compressed\" \"frozen\""},
    {"kv_cache_scheme", "null"},
    {"sparsity_config", NULL},
    {"transform_config", "null {}"}, /* rotations of what is multiplied */
    {"moe_sparsity_config", "null"},
    {"ignore", NULL}, /* the files show it */
    {"global_compression_ratio", NULL},
    {"version", NULL},
};

static const struct said_key group_keys[] = {
    {"targets", NULL},
    {"weights", NULL},
    {"input_activations", NULL},
    {"output_activations", NULL},
    {"format", NULL},
};

static const struct said_key weight_keys[] = {
    {"num_bits", NULL},
    {"type", NULL},
    {"symmetric", NULL},
    {"strategy", NULL},
    {"group_size", NULL},
    {"block_structure", NULL},
    {"dynamic", "false"},
    {"actorder", "null false \"weight\" \"static\" \"group\""},

    /* How it was made; the files show the types. */
    {"observer", NULL},
    {"observer_kwargs", NULL},
    {"scale_dtype", NULL},
    {"zp_dtype", NULL},
};

#define CHECK(n, keys, e) said_check(n, keys, sizeof keys / sizeof *keys, e)

enum layout {
    LAYOUT_PACKED,
    LAYOUT_PLAIN,
    LAYOUT_MXFP4
};

/* How all matrices are stored. */
struct form {
    enum layout layout;
    size_t bits;
    bool whole;        /* numbers are whole, not floats */
    bool symmetric;    /* there are no zeros */
    bool shuffled;     /* columns have their groups in weight_g_idx */
    bool single;       /* one scale for all */
    size_t group;      /* columns that share a scale; 0: all */
    size_t group_rows; /* and rows; 0: all */
};

static const struct named_layout {
    const char *name;
    enum layout layout;
} layouts[] = {
    {"pack-quantized", LAYOUT_PACKED},      {"int-quantized", LAYOUT_PLAIN},
    {"float-quantized", LAYOUT_PLAIN},      {"naive-quantized", LAYOUT_PLAIN},
    {"mxfp4-pack-quantized", LAYOUT_MXFP4},
};

static int read_named_layout(const struct node *n, struct form *form,
                             struct error *e)
{
    const char *name;
    if (node_string(n, &name, e))
        return -1;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].name, name) == 0) {
            form->layout = layouts[i].layout;
            return 0;
        }
    return node_fail(n, ERROR_UNSUPPORTED, e,
                     "\"%s\" is not a layout that this program knows", name);
}

/* Blocks of rows and columns. */
static int read_block(const struct node *weights, struct form *form,
                      struct error *e)
{
    struct node n = node_member(weights, "block_structure");
    size_t length;
    if (node_array(&n, &length, e))
        return -1;
    if (length != 2)
        return node_fail(&n, ERROR_INPUT, e, "found %zu sizes; 2 are needed",
                         length);
    struct node rows = node_element(&n, 0), cols = node_element(&n, 1);
    return said_group(&rows, &form->group_rows, e) ||
                   said_group(&cols, &form->group, e)
               ? -1
               : 0;
}

/* What shares a scale. */
static int read_strategy(const struct node *weights, struct form *form,
                         struct error *e)
{
    struct node n = node_member(weights, "strategy");
    struct node group = node_member(weights, "group_size");
    const char *name;
    if (node_string_or(&n, node_has(&group) ? "group" : "tensor", &name, e))
        return -1;
    form->group_rows = 1;
    if (strcmp(name, "group") == 0)
        return said_group(&group, &form->group, e);
    if (strcmp(name, "channel") == 0)
        return 0;
    if (strcmp(name, "block") == 0 && form->layout == LAYOUT_PLAIN)
        return read_block(weights, form, e);
    form->group_rows = 0;
    form->single = true;
    if (strcmp(name, "tensor") == 0 && form->layout == LAYOUT_PLAIN)
        return 0;
    return node_fail(&n, ERROR_UNSUPPORTED, e,
                     "\"%s\" is not known in this layout", name);
}

static int read_type(const struct node *weights, struct form *form,
                     struct error *e)
{
    static const char *const sizes[] = {"4 8", "8", "4"};
    struct node type = node_member(weights, "type");
    struct node bits = node_member(weights, "num_bits");
    const char *name;
    if (node_string_or(&type, "int", &name, e) ||
        said_one_of(&bits, sizes[form->layout], &form->bits, e))
        return -1;
    form->whole = strcmp(name, "int") == 0;
    bool known = form->whole ? form->layout != LAYOUT_MXFP4
                             : form->layout != LAYOUT_PACKED;
    if (known && (form->whole || strcmp(name, "float") == 0))
        return 0;
    return node_fail(&type, ERROR_UNSUPPORTED, e,
                     "\"%s\" is not known in this layout", name);
}

static int read_weights(const struct node *weights, struct form *form,
                        struct error *e)
{
    struct node order = node_member(weights, "actorder");
    struct node symmetric = node_member(weights, "symmetric");
    if (CHECK(weights, weight_keys, e) || read_type(weights, form, e) ||
        read_strategy(weights, form, e) ||
        node_bool_or(&symmetric, true, &form->symmetric, e))
        return -1;
    const char *name = json_string_value(order.value);
    form->shuffled = name && strcmp(name, "group") == 0;
    if (form->shuffled && form->layout != LAYOUT_PACKED)
        return node_fail(&order, ERROR_UNSUPPORTED, e,
                         "\"group\" is not known in this layout");
    if (!form->symmetric && !form->whole)
        return node_fail(&symmetric, ERROR_UNSUPPORTED, e,
                         "floats without symmetry are not known");
    if (form->layout == LAYOUT_MXFP4 && form->group != 32)
        return node_fail(weights, ERROR_UNSUPPORTED, e,
                         "groups of this layout have 32 values");
    return 0;
}

/* What is multiplied must be left as it is. */
static int check_activations(const struct node *group, struct error *e)
{
    struct node in = node_member(group, "input_activations");
    struct node out = node_member(group, "output_activations");
    if (!node_has(&in) && !node_has(&out))
        return 0;
    return node_fail(node_has(&in) ? &in : &out, ERROR_UNSUPPORTED, e,
                     "this program knows no quantized activations");
}

static int read_config_group(const struct node *said, const struct node *group,
                             struct form *form, struct error *e)
{
    struct node weights = node_member(group, "weights");
    struct node format = node_member(group, "format");
    struct node common = node_member(said, "format");
    *form = (struct form){0};
    return CHECK(group, group_keys, e) || check_activations(group, e) ||
                   read_named_layout(node_has(&format) ? &format : &common,
                                     form, e) ||
                   read_weights(&weights, form, e)
               ? -1
               : 0;
}

static bool same_form(const struct form *a, const struct form *b)
{
    return a->layout == b->layout && a->bits == b->bits &&
           a->whole == b->whole && a->symmetric == b->symmetric &&
           a->shuffled == b->shuffled && a->single == b->single &&
           a->group == b->group && a->group_rows == b->group_rows;
}

/* Each group of matrices says how they are stored: here, all alike. */
static int read_groups(const struct quantization *s, struct form *form,
                       struct error *e)
{
    struct node groups = node_member(&s->said, "config_groups");
    size_t n = 0;
    const char *key;
    json_t *value;
    if (node_object(&groups, e))
        return -1;
    json_object_foreach(groups.value, key, value)
    {
        struct node group = node_member(&groups, key);
        struct form own;
        if (read_config_group(&s->said, &group, &own, e))
            return -1;
        if (n++ == 0)
            *form = own;
        else if (!same_form(form, &own))
            return node_fail(&group, ERROR_UNSUPPORTED, e,
                             "differs from the group before; this program "
                             "knows models whose groups are alike");
    }
    return n ? 0 : node_fail(&groups, ERROR_INPUT, e, "is empty");
}

/* Weights that are stored with their zeros left out are another format. */
static int check_dense(const struct quantization *s, struct error *e)
{
    struct node n = node_member(&s->said, "sparsity_config");
    struct node format = node_member(&n, "format");
    const char *name;
    if (!node_has(&n) || !node_has(&format))
        return 0;
    if (node_string(&format, &name, e))
        return -1;
    return strcmp(name, "dense") == 0
               ? 0
               : node_fail(&format, ERROR_UNSUPPORTED, e,
                           "found \"%s\"; dense is known", name);
}

static int read_compressed(struct quantization *s, struct error *e)
{
    struct form form;
    if (CHECK(&s->said, top_keys, e) || check_dense(s, e) ||
        read_groups(s, &form, e))
        return -1;
    s->bits = form.bits;
    s->group = form.group;
    return 0;
}

/* --- the files ----------------------------------------------------------- */

static int check_shape(const struct wanted *wanted, struct quantized *q,
                       struct error *e)
{
    const struct tensor *t = need_part(wanted, ".weight_shape", q, e);
    float sizes[2];
    if (!t)
        return -1;
    if (t->dtype != DTYPE_I64 || t->count != 2)
        return fail(e, ERROR_INPUT, "%s: tensor %s should be I64 [2]",
                    t->file->path, t->name);
    tensor_read(t, 0, 2, sizes);
    if (sizes[0] == (float)wanted->rows && sizes[1] == (float)wanted->cols)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: tensor %s says [%.0f, %.0f], but by config.json it "
                "should be [%zu, %zu]",
                t->file->path, t->name, (double)sizes[0], (double)sizes[1],
                wanted->rows, wanted->cols);
}

/* Words of 32 bits for n codes. */
static size_t words_of(size_t n, size_t bits)
{
    return (n * bits + 31) / 32;
}

/* Zeros, and the groups of columns, where the model has them. */
static int find_zeros(const struct form *form, const struct wanted *wanted,
                      struct quantized *q, struct error *e)
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

static int find_packed(const struct form *form, const struct wanted *wanted,
                       struct quantized *q, struct error *e)
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

static int find_mxfp4(const struct wanted *wanted, struct quantized *q,
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
static int check_scales(const struct form *form, const struct wanted *wanted,
                        struct quantized *q, struct error *e)
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

static int find_plain(const struct form *form, const struct wanted *wanted,
                      struct quantized *q, struct error *e)
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
                           const struct wanted *wanted, struct quantized *q,
                           struct error *e)
{
    struct form form;
    if (read_groups(s, &form, e))
        return -1;
    if (form.layout == LAYOUT_PACKED)
        return find_packed(&form, wanted, q, e);
    return form.layout == LAYOUT_MXFP4 ? find_mxfp4(wanted, q, e)
                                       : find_plain(&form, wanted, q, e);
}

void unpack_packed(const struct quantized *q, size_t row, float *out)
{
    const unsigned char *codes = q->codes + row * q->row_bytes;
    size_t bits = q->format->bits, groups = q->cols / q->group;
    for (size_t j = 0; j < q->cols; j++) {
        size_t group = column_group(q, j);
        float scale = group_value(q, q->scales, row, group);
        int zero = 1 << (bits - 1);
        if (q->zeros)
            zero = (int)column_code(q->zeros->data, groups, bits, row, group);
        out[j] = (float)((int)code_at(codes, bits, j) - zero) * scale;
    }
}

const struct scheme scheme_compressed = {"compressed-tensors", read_compressed,
                                         find_compressed};
