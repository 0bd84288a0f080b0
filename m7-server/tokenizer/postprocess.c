/* The post-processor: see postprocess.h. */
#include "postprocess.h"

#include "steps.h"
#include "vocabulary.h"

#include <string.h>

static int add_entry_of_template(struct postprocessor *p, int id,
                                 struct error *e)
{
    ids_add(&p->template, id);
    return p->template.failed ? fail_memory(e, "the post-processor") : 0;
}

/* Two templates one after another would need rules that no file has. */
static int check_first(const struct node *n, const struct postprocessor *p,
                       struct error *e)
{
    if (p->template.size > 0)
        return node_fail(n, ERROR_UNSUPPORTED, e,
                         "a second step that adds tokens is not supported");
    return 0;
}

static int read_id(const struct node *n, struct postprocessor *p,
                   struct error *e)
{
    size_t id;
    if (node_size(n, TOKEN_ID_MAX, &id, e))
        return -1;
    return add_entry_of_template(p, (int)id, e);
}

/* {"SpecialToken": {"id": NAME}}: the ids that special_tokens has for it. */
static int read_special(const struct node *n,
                        const struct node *special_tokens,
                        struct postprocessor *p, struct error *e)
{
    const char *name;
    size_t length = 0;
    struct node id = node_member(n, "id");
    if (node_string(&id, &name, e))
        return -1;
    struct node token = node_member(special_tokens, name);
    struct node ids = node_member(&token, "ids");
    if (node_array(&ids, &length, e))
        return -1;
    for (size_t i = 0; i < length; i++) {
        struct node one = node_element(&ids, i);
        if (read_id(&one, p, e))
            return -1;
    }
    return 0;
}

/* {"Sequence": {"id": "A"}}: the text itself. */
static int read_text_place(const struct node *n, struct postprocessor *p,
                           struct error *e)
{
    const char *name;
    struct node id = node_member(n, "id");
    if (node_string(&id, &name, e))
        return -1;
    if (strcmp(name, "A") != 0)
        return node_fail(&id, ERROR_INPUT, e,
                         "expected \"A\", the only text there is, found "
                         "\"%s\"",
                         name);
    return add_entry_of_template(p, TEMPLATE_TEXT, e);
}

static int read_template(const struct node *n, void *chain, struct error *e)
{
    size_t length = 0;
    struct node single = node_member(n, "single");
    struct node special_tokens = node_member(n, "special_tokens");
    if (check_first(n, chain, e) || node_array(&single, &length, e) ||
        node_object(&special_tokens, e))
        return -1;
    for (size_t i = 0; i < length; i++) {
        struct node part = node_element(&single, i);
        struct node text = node_member(&part, "Sequence");
        struct node special = node_member(&part, "SpecialToken");
        if (node_has(&text)
                ? read_text_place(&text, chain, e)
                : read_special(&special, &special_tokens, chain, e))
            return -1;
    }
    if (length == 0)
        return node_fail(&single, ERROR_INPUT, e, "is empty");
    return 0;
}

/* BERT's and RoBERTa's: ["[CLS]", 101], the text, ["[SEP]", 102]. */
static int read_pair(const struct node *n, void *chain, struct error *e)
{
    struct node cls = node_member(n, "cls"), sep = node_member(n, "sep");
    struct node cls_id = node_element(&cls, 1), sep_id = node_element(&sep, 1);
    return check_first(n, chain, e) || read_id(&cls_id, chain, e) ||
                   add_entry_of_template(chain, TEMPLATE_TEXT, e) ||
                   read_id(&sep_id, chain, e)
               ? -1
               : 0;
}

/* As a post-processor, ByteLevel moves the tokens' offsets in the text, which
 * this program does not give. */
static int read_offsets(const struct node *n, void *chain, struct error *e)
{
    (void)n;
    (void)chain;
    (void)e;
    return 0;
}

static const struct step_type post_types[] = {
    {"TemplateProcessing", "single pair special_tokens", read_template},
    {"ByteLevel", "add_prefix_space trim_offsets use_regex", read_offsets},
    {"RobertaProcessing", "sep cls trim_offsets add_prefix_space", read_pair},
    {"BertProcessing", "sep cls", read_pair},
};

static const struct step_table post_table = {
    "post-processor", "processors", post_types,
    sizeof post_types / sizeof post_types[0]};

int postprocessor_read(const struct node *node, struct postprocessor *p,
                       struct error *e)
{
    return steps_read(node, &post_table, p, e);
}

void postprocessor_free(struct postprocessor *p)
{
    ids_free(&p->template);
}

static void add_all(const int *ids, size_t n, struct ids *out)
{
    for (size_t i = 0; i < n; i++)
        ids_add(out, ids[i]);
}

void postprocess(const struct postprocessor *p, const int *ids, size_t n,
                 bool special, struct ids *out)
{
    if (p->template.size == 0)
        add_all(ids, n, out);
    for (size_t i = 0; i < p->template.size; i++)
        if (p->template.data[i] == TEMPLATE_TEXT)
            add_all(ids, n, out);
        else if (special)
            ids_add(out, p->template.data[i]);
}
