/* This program's own scheme, written by `rung quantize`: beside
 *     NAME.weight    I8 (rows, cols), or for int4 U32 (rows, cols / 8)
 * stands
 *     NAME.scales    F32 (rows, cols / group)
 * and config.json says
 *     "quantization_config": {"quant_method": "rung", "format": "int4",
 *                             "group_size": 128} */
#include "formats.h"
#include "scheme.h"

enum rung_limits { MOST_IN_GROUP = 1 << 20 };

static int read_said(struct quantization *s, struct error *e)
{
    struct node format = node_member(&s->said, "format");
    struct node group = node_member(&s->said, "group_size");
    const char *name;
    if (node_string(&format, &name, e) ||
        node_size(&group, MOST_IN_GROUP, &s->group, e))
        return -1;
    if (s->group < 8 || s->group % 8)
        return node_fail(&group, ERROR_UNSUPPORTED, e,
                         "found %zu; a multiple of 8 is needed", s->group);
    const struct format *f = format_named(name);
    if (!f || (f->unpack != unpack_int8 && f->unpack != unpack_int4))
        return node_fail(&format, ERROR_UNSUPPORTED, e,
                         "found \"%s\"; int8 and int4 are known", name);
    s->bits = f->bits;
    return 0;
}

static int find_rounded(const struct quantization *s,
                        const struct sought *wanted, struct quantized *q,
                        struct error *e)
{
    const struct tensor *scales = take_part(wanted, ".scales", q);
    const struct tensor *codes = take_part(wanted, ".weight", q);
    if (!scales || !codes)
        return 0;
    if (wanted->cols % s->group)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s: rows of %zu values do not divide into "
                    "groups of %zu",
                    codes->file->path, codes->name, wanted->cols, s->group);
    bool wide = s->bits == 8;
    if (check_part(codes, wide ? DTYPE_I8 : DTYPE_U32, wanted->rows,
                   wide ? wanted->cols : wanted->cols / 8, e) ||
        check_part(scales, DTYPE_F32, wanted->rows, wanted->cols / s->group,
                   e))
        return -1;
    q->format = format_named(wide ? "int8" : "int4");
    q->group = s->group;
    q->codes = codes->data;
    q->row_bytes = wanted->cols * s->bits / 8;
    q->scales = scales;
    return 1;
}

const struct scheme scheme_rung = {"rung", read_said, find_rounded};
