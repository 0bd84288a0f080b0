/* For the tests of opening a model: a small model of each family, made to
 * order and with one thing wrong. */
#ifndef TEST_MODEL_FILES_H
#define TEST_MODEL_FILES_H

#include "test_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A change to what is written: the member or tensor `name` becomes `value`,
 * or is left out when that is NULL.  One that is not there is added. */
struct change {
    const char *name, *value;
};

struct member {
    const char *key, *value;
};

/* A Llama with one layer; hidden 8, two heads of 4, one of keys. */
static const struct member small_config[] = {
    {"architectures", "[\"LlamaForCausalLM\"]"},
    {"model_type", "\"llama\""},
    {"vocab_size", "5"},
    {"hidden_size", "8"},
    {"intermediate_size", "6"},
    {"num_hidden_layers", "1"},
    {"num_attention_heads", "2"},
    {"num_key_value_heads", "1"},
    {"max_position_embeddings", "32"},
};

static const struct member small_tensors[] = {
    {"model.embed_tokens.weight", "[5, 8]"},
    {"model.norm.weight", "[8]"},
    {"lm_head.weight", "[5, 8]"},
    {"model.layers.0.input_layernorm.weight", "[8]"},
    {"model.layers.0.self_attn.q_proj.weight", "[8, 8]"},
    {"model.layers.0.self_attn.k_proj.weight", "[4, 8]"},
    {"model.layers.0.self_attn.v_proj.weight", "[4, 8]"},
    {"model.layers.0.self_attn.o_proj.weight", "[8, 8]"},
    {"model.layers.0.post_attention_layernorm.weight", "[8]"},
    {"model.layers.0.mlp.gate_proj.weight", "[6, 8]"},
    {"model.layers.0.mlp.up_proj.weight", "[6, 8]"},
    {"model.layers.0.mlp.down_proj.weight", "[8, 6]"},
};

enum small_sizes {
    N_MEMBERS = sizeof small_config / sizeof small_config[0],
    N_TENSORS = sizeof small_tensors / sizeof small_tensors[0]
};

/* The value of a name after the changes (n,), or NULL. */
static inline const char *changed_value(const struct member *m,
                                        const struct change *changes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(changes[i].name, m->key) == 0)
            return changes[i].value;
    return m->value;
}

static inline bool is_known(const char *name, const struct member *members,
                            size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(members[i].key, name) == 0)
            return true;
    return false;
}

/* Write config.json with changes (n,). */
static inline void write_small_config(const struct change *changes, size_t n)
{
    FILE *f = fopen("config.json", "w");
    fprintf(f, "{\"use_cache\": true");
    for (size_t i = 0; i < N_MEMBERS; i++) {
        const char *value = changed_value(&small_config[i], changes, n);
        if (value)
            fprintf(f, ", \"%s\": %s", small_config[i].key, value);
    }
    for (size_t i = 0; i < n; i++)
        if (changes[i].value &&
            !is_known(changes[i].name, small_config, N_MEMBERS))
            fprintf(f, ", \"%s\": %s", changes[i].name, changes[i].value);
    fprintf(f, "}");
    fclose(f);
}

/* One entry of a table of contents; returns where its data ends. */
static inline size_t write_entry(FILE *f, const char *name, const char *shape,
                                 const char *dtype, size_t begin)
{
    size_t rows = 1, cols = 1;
    sscanf(shape, "[%zu, %zu]", &rows, &cols);
    size_t end = begin + rows * cols * (strcmp(dtype, "F32") == 0 ? 4 : 1);
    fprintf(f,
            "%s\"%s\": {\"dtype\": \"%s\", \"shape\": %s, "
            "\"data_offsets\": [%zu, %zu]}",
            begin ? ", " : "", name, dtype, shape, begin, end);
    return end;
}

static inline size_t write_table(FILE *f, const struct change *changes,
                                 size_t n, const char *dtype)
{
    size_t end = 0;
    fputs("{", f);
    for (size_t i = 0; i < N_TENSORS; i++) {
        const char *shape = changed_value(&small_tensors[i], changes, n);
        if (shape)
            end = write_entry(f, small_tensors[i].key, shape, dtype, end);
    }
    for (size_t i = 0; i < n; i++)
        if (changes[i].value &&
            !is_known(changes[i].name, small_tensors, N_TENSORS))
            end =
                write_entry(f, changes[i].name, changes[i].value, dtype, end);
    fputs("}", f);
    return end;
}

/* Write model.safetensors with changes (n,); all numbers are 0. */
static inline void write_small_weights(const struct change *changes, size_t n,
                                       const char *dtype)
{
    char *table = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&table, &length);
    size_t size = write_table(f, changes, n, dtype);
    fclose(f);
    unsigned char *file = calloc(1, 8 + length + size);
    if (!file)
        abort();
    put_length(file, length);
    memcpy(file + 8, table, length);
    write_file("model.safetensors", file, 8 + length + size);
    free(file);
    free(table);
}

#endif
