/* What stands before and behind the merges: see gguf_steps.h. */
#include "gguf_steps.h"

#include "json_write.h"

#include <stddef.h>
#include <string.h>

struct bytes gguf_with_signs(const char *text)
{
    struct bytes signs = {0};
    for (const char *c = text; *c; c++)
        bytes_add(&signs, *c == ' ' ? GGUF_SPACE : c,
                  *c == ' ' ? strlen(GGUF_SPACE) : 1);
    bytes_add(&signs, "", 1);
    return signs;
}

static json_t *split_step(const char *expression)
{
    return json_pack("{ss s{ss} ss sb}", "type", "Split", "pattern", "Regex",
                     expression, "behavior", "Isolated", "invert", 0);
}

static json_t *byte_level(bool cuts)
{
    return json_pack("{ss sb sb sb}", "type", "ByteLevel", "add_prefix_space",
                     0, "trim_offsets", 1, "use_regex", cuts);
}

/* Expressions, then bytes; without expressions, bytes by GPT-2's. */
json_t *gguf_pretokenizer(const struct gguf_pre *pre)
{
    if (!pre)
        return json_null();
    json_t *steps = json_array();
    if (pre->digits)
        json_add(&steps, json_pack("{ss sb}", "type", "Digits",
                                   "individual_digits", 1));
    for (size_t i = 0; i < GGUF_PRE_SPLITS && pre->splits[i]; i++)
        json_add(&steps, split_step(pre->splits[i]));
    json_add(&steps, byte_level(!pre->splits[0]));
    return json_pack("{ss so}", "type", "Sequence", "pretokenizers", steps);
}

/* A space becomes the sign for one, before or behind the model. */
static json_t *replace_step(const char *from, const char *to)
{
    return json_pack("{ss s{ss} ss}", "type", "Replace", "pattern", "String",
                     from, "content", to);
}

json_t *gguf_normalizer(const struct gguf_pre *pre, bool prefix)
{
    if (pre && !pre->normalizer)
        return json_null();
    if (pre)
        return json_pack("{ss}", "type", pre->normalizer);
    if (!prefix)
        return replace_step(" ", GGUF_SPACE);
    return json_pack("{ss s[{ss ss} o]}", "type", "Sequence", "normalizers",
                     "type", "Prepend", "prepend", GGUF_SPACE,
                     replace_step(" ", GGUF_SPACE));
}

json_t *gguf_decoder(const struct gguf_pre *pre, bool prefix)
{
    if (pre)
        return byte_level(true);
    json_t *steps = json_array();
    json_add(&steps, replace_step(GGUF_SPACE, " "));
    json_add(&steps, json_pack("{ss}", "type", "ByteFallback"));
    json_add(&steps, json_pack("{ss}", "type", "Fuse"));
    if (prefix)
        json_add(&steps, json_pack("{ss ss si si}", "type", "Strip", "content",
                                   " ", "start", 1, "stop", 0));
    return json_pack("{ss so}", "type", "Sequence", "decoders", steps);
}

json_t *gguf_added_token(const char *text, size_t id, bool special)
{
    return json_pack("{sI ss sb sb sb sb sb}", "id", (json_int_t)id, "content",
                     text, "single_word", 0, "lstrip", 0, "rstrip", 0,
                     "normalized", 0, "special", special);
}

void gguf_put_place(json_t **places, json_t **tokens, const char *text,
                    size_t id)
{
    if (!text)
        return;
    json_add(places, json_pack("{s{ss si}}", "SpecialToken", "id", text,
                               "type_id", 0));
    json_put(tokens, text,
             json_pack("{ss s[I] s[s]}", "id", text, "ids", (json_int_t)id,
                       "tokens", text));
}
