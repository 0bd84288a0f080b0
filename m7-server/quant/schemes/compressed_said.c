/* What config.json says: see compressed_said.h. */
#include "compressed_said.h"

#include "said.h"

#include <string.h>

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

static const struct named_layout {
    const char *name;
    enum compressed_layout layout;
} layouts[] = {
    {"pack-quantized", LAYOUT_PACKED},      {"int-quantized", LAYOUT_PLAIN},
    {"float-quantized", LAYOUT_PLAIN},      {"naive-quantized", LAYOUT_PLAIN},
    {"mxfp4-pack-quantized", LAYOUT_MXFP4},
};

static int read_named_layout(const struct node *n,
                             struct compressed_form *form, struct error *e)
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
static int read_block(const struct node *weights, struct compressed_form *form,
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
static int read_strategy(const struct node *weights,
                         struct compressed_form *form, struct error *e)
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

static int read_type(const struct node *weights, struct compressed_form *form,
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

static int read_weights(const struct node *weights,
                        struct compressed_form *form, struct error *e)
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
                             struct compressed_form *form, struct error *e)
{
    struct node weights = node_member(group, "weights");
    struct node format = node_member(group, "format");
    struct node common = node_member(said, "format");
    *form = (struct compressed_form){0};
    return CHECK(group, group_keys, e) || check_activations(group, e) ||
                   read_named_layout(node_has(&format) ? &format : &common,
                                     form, e) ||
                   read_weights(&weights, form, e)
               ? -1
               : 0;
}

static bool same_form(const struct compressed_form *a,
                      const struct compressed_form *b)
{
    return a->layout == b->layout && a->bits == b->bits &&
           a->whole == b->whole && a->symmetric == b->symmetric &&
           a->shuffled == b->shuffled && a->single == b->single &&
           a->group == b->group && a->group_rows == b->group_rows;
}

/* Each group of matrices says how they are stored: here, all alike. */
static int read_groups(const struct quantization *s,
                       struct compressed_form *form, struct error *e)
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
        struct compressed_form own;
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

int compressed_said(const struct quantization *s, struct compressed_form *form,
                    struct error *e)
{
    return CHECK(&s->said, top_keys, e) || check_dense(s, e) ||
                   read_groups(s, form, e)
               ? -1
               : 0;
}
