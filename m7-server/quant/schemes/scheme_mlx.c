/* MLX, Apple's library: files of mlx-lm.  Beside
 *     NAME.weight  U32 (rows, cols * bits / 32): a row's codes, one behind the
 *                  other, the lowest bits first
 *
 *         word 0                                    word 1
 *         31      24 23      16 15       8 7      0 31 ...
 *         c7   c6    c5   c4    c3   c2    c1   c0  c15 ...     bits = 4
 *         (c10) c9 c8 ...             c3  c2  c1  c0  ... (c10)     bits = 3
 *
 * stand in the mode "affine", where a weight is code * scale + bias,
 *     NAME.scales  of the model's type (rows, cols / group)
 *     NAME.biases  the same
 * and in the mode "mxfp4", where it is a float of 4 bits times a power of two,
 *     NAME.scales  U8 (rows, cols / 32), each the exponent plus 127.
 * A tensor without .scales is plain.  config.json says it twice, as
 * "quantization" and as "quantization_config":
 *     {"group_size": 64, "bits": 4, "mode": "affine",
 *      "model.embed_tokens": {"group_size": 32, "bits": 8},
 *      "lm_head": false}
 * with members for the tensors that differ.
 *
 * MLX multiplies the codes and adds up in 32 bits, so the weights meant here
 * are those products and sums in 32 bits, not rounded to the model's type. */
#include "formats.h"
#include "said.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* How one matrix is stored. */
struct mlx_form {
    bool affine; /* else mxfp4 */
    size_t bits, group;
};

static int read_mlx_form(const struct node *said, struct mlx_form *form,
                         struct error *e)
{
    struct node mode = node_member(said, "mode");
    struct node bits = node_member(said, "bits");
    struct node group = node_member(said, "group_size");
    const char *name;
    if (node_string_or(&mode, "affine", &name, e))
        return -1;
    form->affine = strcmp(name, "affine") == 0;
    if (!form->affine && strcmp(name, "mxfp4") != 0)
        return node_fail(&mode, ERROR_UNSUPPORTED, e,
                         "found \"%s\"; affine and mxfp4 are known", name);
    const char *sizes = form->affine ? "2 3 4 5 6 8" : "4";
    const char *groups = form->affine ? "32 64 128" : "32";
    return said_one_of(&bits, sizes, &form->bits, e) ||
                   said_one_of(&group, groups, &form->group, e)
               ? -1
               : 0;
}

static const struct said_key form_keys[] = {
    {"group_size", NULL}, {"bits", NULL}, {"mode", NULL}};

static bool is_form_key(const char *key)
{
    for (size_t i = 0; i < sizeof form_keys / sizeof form_keys[0]; i++)
        if (strcmp(form_keys[i].name, key) == 0)
            return true;
    return false;
}

/* A member that stands for a matrix: false, or how it is stored. */
static int check_override(const struct node *n, struct error *e)
{
    struct mlx_form form;
    if (json_is_boolean(n->value))
        return 0;
    if (!json_is_object(n->value))
        return node_fail(n, ERROR_UNSUPPORTED, e,
                         "is not a key that this program knows");
    return said_check(n, form_keys, sizeof form_keys / sizeof form_keys[0],
                      e) ||
                   read_mlx_form(n, &form, e)
               ? -1
               : 0;
}

static int read_mlx_said(struct quantization *s, struct error *e)
{
    const char *key;
    json_t *value;
    struct mlx_form form;
    if (node_object(&s->said, e) || read_mlx_form(&s->said, &form, e))
        return -1;
    json_object_foreach(s->said.value, key, value)
    {
        struct node n = node_member(&s->said, key);
        if (!is_form_key(key) && check_override(&n, e))
            return -1;
        if (json_is_object(value))
            form.bits = form.group = 0; /* not one for all */
    }
    s->bits = form.bits;
    s->group = form.group;
    return 0;
}

static int find_affine(const struct mlx_form *form,
                       const struct sought *wanted, struct quantized *q,
                       struct error *e)
{
    char name[16];
    size_t groups = wanted->cols / form->group;
    q->offsets = need_part(wanted, ".biases", q, e);
    if (!q->offsets || check_floats(q->scales, wanted->rows, groups, e) ||
        check_part(q->offsets, q->scales->dtype, wanted->rows, groups, e))
        return -1;
    snprintf(name, sizeof name, "affine%zu", form->bits);
    q->format = format_named(name);
    return 1;
}

static int find_mlx_mxfp4(const struct sought *wanted, struct quantized *q,
                          struct error *e)
{
    q->format = format_named("e2m1");
    return check_part(q->scales, DTYPE_U8, wanted->rows, wanted->cols / 32, e)
               ? -1
               : 1;
}

static int find_mlx(const struct quantization *s, const struct sought *wanted,
                    struct quantized *q, struct error *e)
{
    struct node own = node_member(&s->said, wanted->name);
    struct mlx_form form;
    const struct tensor *codes = take_part(wanted, ".weight", q);
    q->scales = take_part(wanted, ".scales", q);
    if (!codes || !q->scales || json_is_false(own.value))
        return 0;
    if (read_mlx_form(json_is_object(own.value) ? &own : &s->said, &form, e) ||
        check_groups(wanted, codes, form.group, e) ||
        check_part(codes, DTYPE_U32, wanted->rows,
                   wanted->cols * form.bits / 32, e))
        return -1;
    q->group = form.group;
    q->codes = codes->data;
    q->row_bytes = wanted->cols * form.bits / 8;
    return form.affine ? find_affine(&form, wanted, q, e)
                       : find_mlx_mxfp4(wanted, q, e);
}

/* Both steps round to 32 bits. */
void unpack_affine(const struct quantized *q, size_t row, float *out)
{
    const unsigned char *codes = q->codes + row * q->row_bytes;
    read_codes(codes, q->format->bits, q->cols, out);
    for (size_t i = 0; i < q->cols; i += q->group) {
        float scale = group_value(q, q->scales, row, i / q->group);
        float offset = group_value(q, q->offsets, row, i / q->group);
        for (size_t j = i; j < i + q->group; j++)
            out[j] = out[j] * scale + offset;
    }
}

const struct scheme scheme_mlx = {"mlx", read_mlx_said, find_mlx};
