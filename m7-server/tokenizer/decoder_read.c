/* Reading a decoder from the file: see decoder.h. */
#include "decoder.h"

#include "decoder_steps.h"
#include "steps.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

static struct decoder_step *add_decoder(struct decoder *d,
                                        const struct decoder_type *type,
                                        struct error *e)
{
    struct decoder_step *moved =
        grow(d->steps, &d->capacity, d->n_steps + 1, sizeof *moved);
    if (!moved) {
        fail_memory(e, "the decoder");
        return NULL;
    }
    d->steps = moved;
    d->steps[d->n_steps] = (struct decoder_step){.type = type};
    return &d->steps[d->n_steps++];
}

/* The string member `key`, copied into the step's content. */
static int copy_content(const struct node *n, const char *key,
                        struct decoder_step *step, struct error *e)
{
    const char *text;
    struct node content = node_member(n, key);
    if (node_text(&content, &text, &step->size, e))
        return -1;
    step->content = malloc(step->size + 1);
    if (!step->content)
        return fail_memory(e, "the decoder");
    memcpy(step->content, text, step->size);
    return 0;
}

/* The same, which must be one character. */
static int copy_character(const struct node *n, const char *key,
                          struct decoder_step *step, struct error *e)
{
    size_t length = 0;
    struct node content = node_member(n, key);
    if (copy_content(n, key, step, e))
        return -1;
    if (step->size > 0)
        utf8_decode(step->content, &length);
    if (step->size == 0 || step->size != length)
        return node_fail(&content, ERROR_INPUT, e, "expected one character");
    return 0;
}

static int read_bytelevel_decoder(const struct node *n, void *chain,
                                  struct error *e)
{
    (void)n;
    return add_decoder(chain, &decoder_bytelevel, e) ? 0 : -1;
}

static int read_fallback(const struct node *n, void *chain, struct error *e)
{
    (void)n;
    return add_decoder(chain, &decoder_fallback, e) ? 0 : -1;
}

static int read_fuse(const struct node *n, void *chain, struct error *e)
{
    (void)n;
    return add_decoder(chain, &decoder_fuse, e) ? 0 : -1;
}

static int read_replace_decoder(const struct node *n, void *chain,
                                struct error *e)
{
    struct node pattern = node_member(n, "pattern");
    struct decoder_step *step = add_decoder(chain, &decoder_replace, e);
    if (!step || pattern_read(&pattern, &step->pattern, e))
        return -1;
    return copy_content(n, "content", step, e);
}

static int read_strip_decoder(const struct node *n, void *chain,
                              struct error *e)
{
    struct node start = node_member(n, "start"), stop = node_member(n, "stop");
    struct decoder_step *step = add_decoder(chain, &decoder_strip, e);
    if (!step || copy_character(n, "content", step, e) ||
        node_size(&start, SIZE_MAX / 2, &step->start, e))
        return -1;
    return node_size(&stop, SIZE_MAX / 2, &step->stop, e);
}

/* The text's first mark is no space where the pre-tokenizer put it there. */
static int read_metaspace_decoder(const struct node *n, void *chain,
                                  struct error *e)
{
    const char *scheme;
    bool add_space;
    struct node named = node_member(n, "prepend_scheme");
    struct node old = node_member(n, "add_prefix_space");
    struct decoder_step *step = add_decoder(chain, &decoder_metaspace, e);
    if (!step || copy_character(n, "replacement", step, e) ||
        node_string_or(&named, "always", &scheme, e) ||
        node_bool_or(&old, true, &add_space, e))
        return -1;
    step->keep_first = strcmp(scheme, "never") == 0 || !add_space;
    if (!step->keep_first && strcmp(scheme, "always") != 0 &&
        strcmp(scheme, "first") != 0)
        return node_fail(&named, ERROR_UNSUPPORTED, e, "unknown scheme %s",
                         scheme);
    return 0;
}

static int read_suffix(const struct node *n, void *chain, struct error *e)
{
    struct node suffix = node_member(n, "suffix");
    struct decoder_step *step = add_decoder(chain, &decoder_suffix, e);
    if (!step || copy_content(n, "suffix", step, e))
        return -1;
    return step->size ? 0
                      : node_fail(&suffix, ERROR_UNSUPPORTED, e, "is empty");
}

static const struct step_type decoder_types[] = {
    {"ByteLevel", "add_prefix_space trim_offsets use_regex",
     read_bytelevel_decoder},
    {"Metaspace", "replacement prepend_scheme split add_prefix_space str_rep",
     read_metaspace_decoder},
    {"Replace", "pattern content", read_replace_decoder},
    {"ByteFallback", "", read_fallback},
    {"Fuse", "", read_fuse},
    {"Strip", "content start stop", read_strip_decoder},
    {"BPEDecoder", "suffix", read_suffix},
};

static const struct step_table decoder_table = {
    "decoder", "decoders", decoder_types,
    sizeof decoder_types / sizeof decoder_types[0]};

/* No decoder is not an empty chain of steps: the tokens are set apart. */
int decoder_read(const struct node *node, struct decoder *d, struct error *e)
{
    if (!node_has(node))
        return add_decoder(d, &decoder_join, e) ? 0 : -1;
    return steps_read(node, &decoder_table, d, e);
}

void decoder_free(struct decoder *d)
{
    for (size_t i = 0; i < d->n_steps; i++) {
        pattern_free(&d->steps[i].pattern);
        free(d->steps[i].content);
    }
    free(d->steps);
    *d = (struct decoder){0};
}
