/* Ways to cut a text into words: see gguf_pre.h.  Only those are here whose
 * tokenizer.json is known. */
#include "gguf_pre.h"

#include <string.h>

#define ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define SPACES  "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define SIGNS   " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|"
#define WORDS   "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
#define SMALL   "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define GREAT   "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"

static const struct gguf_pre pres[] = {
    {.names = "gpt-2"},
    {.names = "olmo", .normalizer = "NFC"}, /* GPT-NeoX's, too */
    {.names = "smollm starcoder refact", .digits = true},
    {.names = "qwen2",
     .normalizer = "NFC",
     .splits = {ENDINGS "|" WORDS "\\p{N}|" SIGNS SPACES}},
    {.names = "llama3 llama-v3 llama-bpe",
     .splits = {ENDINGS "|" WORDS "\\p{N}{1,3}|" SIGNS SPACES},
     .ignore_merges = true,
     .adds_bos = true},
    {.names = "dbrx smaug-bpe glm4 chatglm-bpe",
     .splits = {ENDINGS "|" WORDS "\\p{N}{1,3}|" SIGNS SPACES}},
    {.names = "gpt-4o",
     .splits = {GREAT
                "*" SMALL "+" ENDINGS "?|" GREAT "+" SMALL "*" ENDINGS
                "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" SPACES}},
    {.names = "tekken",
     .splits = {GREAT "*" SMALL "+|" GREAT "+" SMALL
                      "*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" SPACES},
     .ignore_merges = true,
     .adds_bos = true},
    {.names = "hunyuan-dense deepseek-v3",
     .splits = {"\\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+",
                "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
                "[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|"
                " ?[\\p{P}\\p{S}]+[\\r\\n]*|" SPACES}},
};

/* Whether the words, with spaces between, have this one. */
static bool has_name(const char *words, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = words; *at; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        if (length == size && strncmp(at, name, size) == 0)
            return true;
        at += length;
    }
    return false;
}

const struct gguf_pre *gguf_pre_row(size_t i)
{
    return i < sizeof pres / sizeof pres[0] ? &pres[i] : NULL;
}

const struct gguf_pre *gguf_pre_named(const char *name)
{
    const struct gguf_pre *pre;
    for (size_t i = 0; (pre = gguf_pre_row(i)); i++)
        if (has_name(pre->names, name))
            return pre;
    return NULL;
}
