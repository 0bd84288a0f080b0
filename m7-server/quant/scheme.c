/* Schemes: see scheme.h. */
#include "scheme.h"

#include <stdio.h>
#include <string.h>

static const struct scheme *const schemes[] = {
    &scheme_rung, &scheme_gguf, &scheme_gptq,
    &scheme_awq,  &scheme_fp8,  &scheme_compressed,
};

/* The scheme of a method, or NULL. */
static const struct scheme *scheme_named(const char *method)
{
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strcmp(schemes[i]->method, method) == 0)
            return schemes[i];
    return NULL;
}

/* MLX has a key of its own, which it writes twice. */
static int read_mlx(struct quantization *s, const struct node *mlx,
                    struct error *e)
{
    if (node_has(&s->said) && !json_equal(s->said.value, mlx->value))
        return node_fail(&s->said, ERROR_UNSUPPORTED, e,
                         "differs from quantization, which says the same in "
                         "files of MLX");
    s->said = *mlx;
    s->scheme = &scheme_mlx;
    return scheme_mlx.read(s, e);
}

int quantization_read(struct quantization *s, const struct config *c,
                      struct error *e)
{
    struct node mlx = node_member(&c->root, "quantization");
    *s = (struct quantization){
        .said = node_member(&c->root, "quantization_config")};
    if (node_has(&mlx))
        return read_mlx(s, &mlx, e);
    if (!node_has(&s->said))
        return 0;
    struct node method = node_member(&s->said, "quant_method");
    const char *name;
    if (node_object(&s->said, e) || node_string(&method, &name, e))
        return -1;
    s->scheme = scheme_named(name);
    if (!s->scheme)
        return node_fail(&method, ERROR_UNSUPPORTED, e,
                         "\"%s\" is not a way to quantize that this program "
                         "knows",
                         name);
    return s->scheme->read(s, e);
}

int quantization_find(const struct quantization *s,
                      const struct sought *wanted, struct quantized *q,
                      struct error *e)
{
    *q = (struct quantized){.rows = wanted->rows, .cols = wanted->cols};
    return s->scheme ? s->scheme->find(s, wanted, q, e) : 0;
}

const struct tensor *take_part(const struct sought *wanted,
                               const char *suffix, struct quantized *q)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", wanted->name, suffix);
    const struct tensor *t = checkpoint_find(wanted->checkpoint, name);
    if (t)
        q->parts[q->n_parts++] = t;
    return t;
}

int check_part(const struct tensor *t, enum dtype dtype, size_t rows,
               size_t cols, struct error *e)
{
    char found[TENSOR_SHAPE_TEXT];
    if (t->dtype == dtype && t->rank == 2 && t->shape[0] == rows &&
        t->shape[1] == cols)
        return 0;
    tensor_shape(t, found);
    return fail(e, ERROR_INPUT,
                "%s: tensor %s is %s %s, but should be %s [%zu, %zu]",
                t->file->path, t->name, tensor_type(t), found,
                dtype_name(dtype), rows, cols);
}
