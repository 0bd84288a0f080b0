/* GPTQ (Frantar et al. 2022, arXiv 2210.17323), as AutoGPTQ and GPTQModel
 * write it and transformers reads it.  Of a matrix (rows, cols)
 *     NAME.qweight  I32 (cols * bits / 32, rows)
 *     NAME.qzeros   I32 (groups, rows * bits / 32)
 *     NAME.scales   of floats (groups, rows)
 *     NAME.g_idx    I32 (cols,): the group of each column; may be absent
 * A row's codes stand below each other, the lowest bits first:
 *
 *                   row 0                       row 1
 *     word (0, 0)   c7 c6 c5 c4 c3 c2 c1 c0     word (0, 1)  c7 ... c0
 *     word (1, 0)   c15 ...           c8        ...            bits = 4
 *
 * so 32 codes of 3 bits fill three words, and two of them cross from one word
 * to the next.  Zeros stand along a row in the same way, and the first version
 * of the format holds each less one ("gptq"; "gptq_v2" does not).  That is
 * counted in as many bits as a code has, so the largest stands for 0: so do
 * GPTQModel 7.3.4 (_shift_gptq_qzeros), ExLlamaV2 and AutoGPTQ's cuda_old read
 * it.  AutoGPTQ's Triton kernels read 16 where codes have 4 bits; but zeros
 * are codes, and 15 is the largest.
 * A weight is (code - zero) * scale.  With "desc_act" columns were quantized
 * in the order of their importance, so a group's columns are anywhere. */
#include "formats.h"
#include "said.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

static const struct said_key gptq_keys[] = {
    {"quant_method", NULL},
    {"bits", NULL},
    {"group_size", NULL},
    {"checkpoint_format", NULL},
    {"format", NULL},
    {"desc_act", "true false"},
    {"sym", "true false"}, /* the zeros are there in any case */
    {"pack_dtype", "\"int32\""},
    {"is_marlin_format", "false"},
    {"dynamic", "null {}"}, /* other bits or groups for some matrices */
    {"adapter", "null"},
    {"rotation", "null"},
    {"mock_quantization", "false"},

    /* How it was made, and which kernel is to run it. */
    {"act_group_aware", NULL},
    {"backend", NULL},
    {"batch_size", NULL},
    {"block_name_to_quantize", NULL},
    {"cache_block_outputs", NULL},
    {"damp_auto_increment", NULL},
    {"damp_percent", NULL},
    {"dataset", NULL},
    {"disable_exllama", NULL},
    {"exllama_config", NULL},
    {"hyb_act", NULL},
    {"lm_head", NULL},
    {"max_input_length", NULL},
    {"meta", NULL},
    {"model_file_base_name", NULL},
    {"model_name_or_path", NULL},
    {"model_seqlen", NULL},
    {"module_name_preceding_first_block", NULL},
    {"modules_in_block_to_quantize", NULL},
    {"mse", NULL},
    {"pad_token_id", NULL},
    {"static_groups", NULL},
    {"tokenizer", NULL},
    {"true_sequential", NULL},
    {"use_cuda_fp16", NULL},
    {"use_exllama", NULL},
};

/* What a zero is more than the file says: 1 in the first version. */
static int read_version(const struct quantization *s, int *more,
                        struct error *e)
{
    struct node n = node_member(&s->said, "checkpoint_format");
    struct node other = node_member(&s->said, "format");
    const char *version;
    if (!node_has(&n))
        n = other;
    if (node_string_or(&n, "gptq", &version, e))
        return -1;
    *more = strcmp(version, "gptq") == 0;
    if (!*more && strcmp(version, "gptq_v2") != 0)
        return node_fail(&n, ERROR_UNSUPPORTED, e,
                         "found \"%s\"; gptq and gptq_v2 are known", version);
    return 0;
}

static int read_gptq(struct quantization *s, struct error *e)
{
    struct node bits = node_member(&s->said, "bits");
    struct node group = node_member(&s->said, "group_size");
    int more;
    if (said_check(&s->said, gptq_keys, sizeof gptq_keys / sizeof *gptq_keys,
                   e) ||
        said_one_of(&bits, "2 3 4 8", &s->bits, e) ||
        said_group(&group, &s->group, e) || read_version(s, &more, e))
        return -1;
    return 0;
}

/* The groups of the columns, unless they follow each other and no tensor
 * says so. */
static int find_index(const struct quantization *s,
                      const struct sought *wanted, struct quantized *q,
                      struct error *e)
{
    struct node n = node_member(&s->said, "desc_act");
    bool needed;
    if (node_bool_or(&n, false, &needed, e))
        return -1;
    q->group_index = needed ? need_part(wanted, ".g_idx", q, e)
                            : take_part(wanted, ".g_idx", q);
    if (!q->group_index)
        return needed ? -1 : 0;
    return check_group_index(q->group_index, wanted->cols,
                             wanted->cols / q->group, e);
}

/* Old programs wrote a bias for every matrix: zeros where the model has none.
 * Then it belongs to the matrix; where the model has one, it is bound as
 * ever. */
static void take_empty_bias(const struct sought *wanted, struct quantized *q)
{
    const struct tensor *t = take_part(wanted, ".bias", q);
    for (size_t i = 0; t && i < t->bytes; i++)
        if (t->data[i]) {
            q->n_parts--;
            return;
        }
}

static int check_gptq_parts(const struct quantization *s,
                            const struct sought *wanted, struct quantized *q,
                            const struct tensor *codes, struct error *e)
{
    size_t groups = wanted->cols / q->group;
    if (wanted->cols * s->bits % 32 || wanted->rows * s->bits % 32)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s: codes of %zu bits of a matrix [%zu, %zu] "
                    "do not fill words of 32",
                    codes->file->path, codes->name, s->bits, wanted->rows,
                    wanted->cols);
    return check_part(codes, DTYPE_I32, wanted->cols * s->bits / 32,
                      wanted->rows, e) ||
                   check_part(q->zeros, DTYPE_I32, groups,
                              wanted->rows * s->bits / 32, e) ||
                   check_floats(q->scales, groups, wanted->rows, e)
               ? -1
               : 0;
}

static int find_gptq(const struct quantization *s, const struct sought *wanted,
                     struct quantized *q, struct error *e)
{
    const struct tensor *codes = take_part(wanted, ".qweight", q);
    char name[16];
    if (!codes)
        return 0;
    q->group = s->group ? s->group : wanted->cols;
    q->zeros = need_part(wanted, ".qzeros", q, e);
    if (!q->zeros)
        return -1;
    q->scales = need_part(wanted, ".scales", q, e);
    if (!q->scales || check_groups(wanted, codes, q->group, e) ||
        check_gptq_parts(s, wanted, q, codes, e) ||
        find_index(s, wanted, q, e) || read_version(s, &q->zero_more, e))
        return -1;
    take_empty_bias(wanted, q);
    snprintf(name, sizeof name, "gptq%zu", s->bits);
    q->format = format_named(name);
    q->codes = codes->data;
    return 1;
}

void gptq_group(const struct quantized *q, size_t row, size_t group,
                struct group *out)
{
    size_t bits = q->format->bits;
    const unsigned char *zeros = q->zeros->data + group * (q->rows * bits / 8);
    unsigned zero = code_at(zeros, bits, row) + (unsigned)q->zero_more;
    out->zero = (float)(zero & ((1u << bits) - 1));
    tensor_read(q->scales, group * q->rows + row, 1, &out->scale);
}

void unpack_gptq(const struct quantized *q, size_t row, float *out)
{
    read_column(q->codes, q->rows, q->format->bits, row, q->cols, out);
    scale_codes(q, row, gptq_group, out);
}

const struct scheme scheme_gptq = {"gptq", read_gptq, find_gptq};
