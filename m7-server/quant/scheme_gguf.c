/* GGUF files: a matrix is one tensor, whose blocks of codes have their scales
 * among them (blocks_*.c).  loader/gguf_files.c says which type they are, and
 * gives the tensor the name that others have; its config.json says
 *     "quantization_config": {"quant_method": "gguf"} */
#include "formats.h"
#include "scheme.h"

static int read_nothing(struct quantization *s, struct error *e)
{
    (void)s;
    (void)e;
    return 0;
}

static int find_blocks(const struct quantization *s,
                       const struct sought *wanted, struct quantized *q,
                       struct error *e)
{
    (void)s;
    const struct tensor *t = take_part(wanted, ".weight", q);
    if (!t || !t->block)
        return 0;
    if (check_part(t, DTYPE_BLOCKS, wanted->rows, wanted->cols, e))
        return -1;
    q->format = format_named(t->block);
    if (!q->format || q->cols % q->format->block)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: tensor %s: numbers of type %s cannot be read",
                    t->file->path, t->name, t->block);
    q->group = q->format->block;
    q->codes = t->data;
    q->row_bytes = t->bytes / q->rows;
    return 1;
}

const struct scheme scheme_gguf = {"gguf", read_nothing, find_blocks};
