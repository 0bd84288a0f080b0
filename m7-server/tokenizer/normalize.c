/* The normalizer: see normalize.h.  Knows nothing of tokens. */
#include "normalize.h"

#include "pattern.h"
#include "steps.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* Append the rewritten `in` to `out`; its first_size goes to *first_size. */
typedef int rewrite(const struct normalizer_step *step, struct piece in,
                    struct bytes *out, size_t *first_size, struct error *e);

struct normalizer_step {
    rewrite *run;
    enum unicode_form form; /* of a normal form */
    struct pattern pattern; /* of Replace */
    char *content;          /* of Replace and Prepend; owned */
    size_t size;            /* of the content */
    bool left, right;       /* of Strip */
};

/* The end of the character that the text's first `size` bytes end in. */
static size_t character_end(const struct bytes *text, size_t size)
{
    while (size < text->size &&
           ((unsigned char)text->data[size] & 0xC0) == 0x80)
        size++;
    return size < text->size ? size : text->size;
}

/* What the first character became it may share with those after it: of e and
 * an accent, é is made. */
static int run_form(const struct normalizer_step *step, struct piece in,
                    struct bytes *out, size_t *first_size, struct error *e)
{
    (void)e;
    struct bytes first = {0};
    unicode_normalize(step->form, in.text, in.first_size, &first);
    unicode_normalize(step->form, in.text, in.size, out);
    out->failed = out->failed || first.failed;
    *first_size = in.first_size > 0 ? character_end(out, first.size) : 0;
    bytes_free(&first);
    return 0;
}

static int run_lowercase(const struct normalizer_step *step, struct piece in,
                         struct bytes *out, size_t *first_size,
                         struct error *e)
{
    (void)step;
    (void)e;
    unicode_lowercase(in.text, in.first_size, out);
    *first_size = out->size;
    unicode_lowercase(in.text + in.first_size, in.size - in.first_size, out);
    return 0;
}

static int run_prepend(const struct normalizer_step *step, struct piece in,
                       struct bytes *out, size_t *first_size, struct error *e)
{
    (void)e;
    if (in.size > 0)
        bytes_add(out, step->content, step->size);
    bytes_add(out, in.text, in.size);
    *first_size = in.first_size ? in.first_size + step->size : 0;
    return 0;
}

/* How many bytes of space the text begins with. */
static size_t leading_space(const char *text, size_t size)
{
    size_t at = 0, length;
    while (at < size && unicode_is_space(utf8_decode(text + at, &length)))
        at += length;
    return at;
}

/* Where the space begins that the text ends with. */
static size_t trailing_space(const char *text, size_t size)
{
    while (size > 0) {
        size_t at = size - 1, length;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
            at--;
        if (!unicode_is_space(utf8_decode(text + at, &length)))
            return size;
        size = at;
    }
    return 0;
}

static int run_strip(const struct normalizer_step *step, struct piece in,
                     struct bytes *out, size_t *first_size, struct error *e)
{
    (void)e;
    size_t from = step->left ? leading_space(in.text, in.size) : 0;
    size_t to = step->right ? trailing_space(in.text, in.size) : in.size;
    if (from < to)
        bytes_add(out, in.text + from, to - from);
    *first_size = from < in.first_size ? in.first_size - from : 0;
    return 0;
}

static int run_replace(const struct normalizer_step *step, struct piece in,
                       struct bytes *out, size_t *first_size, struct error *e)
{
    struct matches m;
    size_t done = 0, from, to;
    int got;
    if (matches_begin(&m, &step->pattern, in.text, in.size, e))
        return -1;
    *first_size = 0;
    while ((got = matches_next(&m, &from, &to, e)) > 0) {
        bytes_add(out, in.text + done, from - done);
        if (done < in.first_size)
            *first_size =
                out->size - (from > in.first_size ? from - in.first_size : 0);
        bytes_add(out, step->content, step->size);
        if (in.first_size > 0 && to <= in.first_size)
            *first_size = out->size;
        done = to;
    }
    matches_end(&m);
    bytes_add(out, in.text + done, in.size - done);
    if (done < in.first_size)
        *first_size = out->size - (in.size - in.first_size);
    return got;
}

static struct normalizer_step *add_normalizer(struct normalizer *n,
                                              struct error *e)
{
    struct normalizer_step *moved =
        grow(n->steps, &n->capacity, n->n_steps + 1, sizeof *moved);
    if (!moved) {
        fail_memory(e, "the normalizer");
        return NULL;
    }
    n->steps = moved;
    n->steps[n->n_steps] = (struct normalizer_step){0};
    return &n->steps[n->n_steps++];
}

static int read_form(const struct node *n, void *chain, struct error *e)
{
    static const char *const names[] = {[FORM_NFC] = "NFC",
                                        [FORM_NFD] = "NFD",
                                        [FORM_NFKC] = "NFKC",
                                        [FORM_NFKD] = "NFKD"};
    const char *type;
    struct node name = node_member(n, "type");
    struct normalizer_step *step = add_normalizer(chain, e);
    if (!step || node_string(&name, &type, e))
        return -1;
    step->run = run_form;
    while (strcmp(names[step->form], type) != 0)
        step->form++;
    return 0;
}

static int read_lowercase(const struct node *n, void *chain, struct error *e)
{
    (void)n;
    struct normalizer_step *step = add_normalizer(chain, e);
    if (!step)
        return -1;
    step->run = run_lowercase;
    return 0;
}

/* The string member `key`, copied into the step's content. */
static int read_content(const struct node *n, const char *key,
                        struct normalizer_step *step, struct error *e)
{
    const char *text;
    struct node content = node_member(n, key);
    if (node_text(&content, &text, &step->size, e))
        return -1;
    step->content = malloc(step->size + 1);
    if (!step->content)
        return fail_memory(e, "the normalizer");
    memcpy(step->content, text, step->size);
    return 0;
}

static int read_replace(const struct node *n, void *chain, struct error *e)
{
    struct node pattern = node_member(n, "pattern");
    struct normalizer_step *step = add_normalizer(chain, e);
    if (!step)
        return -1;
    step->run = run_replace;
    return pattern_read(&pattern, &step->pattern, e) ||
                   read_content(n, "content", step, e)
               ? -1
               : 0;
}

static int read_prepend(const struct node *n, void *chain, struct error *e)
{
    struct normalizer_step *step = add_normalizer(chain, e);
    if (!step)
        return -1;
    step->run = run_prepend;
    return read_content(n, "prepend", step, e);
}

static int read_strip(const struct node *n, void *chain, struct error *e)
{
    struct node left = node_member(n, "strip_left");
    struct node right = node_member(n, "strip_right");
    struct normalizer_step *step = add_normalizer(chain, e);
    if (!step)
        return -1;
    step->run = run_strip;
    return node_bool(&left, &step->left, e) ||
                   node_bool(&right, &step->right, e)
               ? -1
               : 0;
}

static const struct step_type normalizer_types[] = {
    {"NFC", "", read_form},
    {"NFD", "", read_form},
    {"NFKC", "", read_form},
    {"NFKD", "", read_form},
    {"Replace", "pattern content", read_replace},
    {"Prepend", "prepend", read_prepend},
    {"Lowercase", "", read_lowercase},
    {"Strip", "strip_left strip_right", read_strip},
};

static const struct step_table normalizer_table = {
    "normalizer", "normalizers", normalizer_types,
    sizeof normalizer_types / sizeof normalizer_types[0]};

int normalizer_read(const struct node *node, struct normalizer *n,
                    struct error *e)
{
    return steps_read(node, &normalizer_table, n, e);
}

void normalizer_free(struct normalizer *n)
{
    for (size_t i = 0; i < n->n_steps; i++) {
        pattern_free(&n->steps[i].pattern);
        free(n->steps[i].content);
    }
    free(n->steps);
    *n = (struct normalizer){0};
}

int normalize(const struct normalizer *n, struct piece in,
              struct bytes buffers[2], struct piece *out, struct error *e)
{
    *out = in;
    for (size_t i = 0; i < n->n_steps; i++) {
        struct bytes *to = &buffers[i % 2];
        size_t first_size = out->first_size;
        to->size = 0;
        if (n->steps[i].run(&n->steps[i], *out, to, &first_size, e))
            return -1;
        if (to->failed)
            return fail_memory(e, "the normalized text");
        *out = (struct piece){to->data, to->size, first_size};
    }
    return 0;
}
