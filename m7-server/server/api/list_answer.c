/* Answers that are lists: see list_answer.h. */
#include "list_answer.h"

#include "json_write.h"

#include <stdint.h>
#include <string.h>

/* {"object": "list", "data": data} */
static json_t *list_of(json_t *data)
{
    json_t *list = json_object();
    json_put(&list, "object", json_string("list"));
    json_put(&list, "data", data);
    return list;
}

/* --- embeddings ---------------------------------------------------------- */

/* A vector as bytes: each float's bits, the lowest byte first. */
static void add_floats(struct bytes *out, const float *vector, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        uint32_t bits;
        memcpy(&bits, &vector[i], sizeof bits);
        const unsigned char bytes[] = {
            (unsigned char)bits, (unsigned char)(bits >> 8),
            (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
        bytes_add(out, bytes, sizeof bytes);
    }
}

/* Three bytes as four letters, the last group filled up with "=" (RFC 4648,
 * section 4). */
static void add_base64(struct bytes *out, const struct bytes *in)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < in->size; i += 3) {
        size_t n = in->size - i < 3 ? in->size - i : 3;
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < n ? (unsigned char)in->data[i + k] : 0);
        char four[] = "====";
        for (size_t k = 0; k <= n; k++)
            four[k] = letters[group >> (18 - 6 * k) & 63];
        bytes_add(out, four, 4);
    }
}

static json_t *vector_text(const float *vector, size_t width)
{
    struct bytes floats = {0}, text = {0};
    add_floats(&floats, vector, width);
    if (!floats.failed)
        add_base64(&text, &floats);
    bool failed = floats.failed || text.failed;
    json_t *string = failed ? NULL : text_json(text.data, text.size);
    bytes_free(&floats);
    bytes_free(&text);
    return string;
}

static json_t *vector_numbers(const float *vector, size_t width)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < width; i++)
        json_add(&numbers, json_real((double)vector[i]));
    return numbers;
}

json_t *embedding_answer(const char *model, const float *vectors, size_t n,
                         size_t width, bool base64, size_t prompt_tokens)
{
    json_t *data = json_array();
    for (size_t i = 0; i < n; i++) {
        const float *vector = vectors + i * width;
        json_t *one = json_object();
        json_put(&one, "object", json_string("embedding"));
        json_put(&one, "index", json_integer((json_int_t)i));
        json_put(&one, "embedding",
                 base64 ? vector_text(vector, width)
                        : vector_numbers(vector, width));
        json_add(&data, one);
    }
    json_t *usage = json_object(), *body = list_of(data);
    json_int_t count = (json_int_t)prompt_tokens;
    json_put(&usage, "prompt_tokens", json_integer(count));
    json_put(&usage, "total_tokens", json_integer(count));
    json_put(&body, "model", text_json(model, strlen(model)));
    json_put(&body, "usage", usage);
    return body;
}

/* --- models -------------------------------------------------------------- */

json_t *model_answer(const struct served_model *m)
{
    json_t *model = json_object();
    json_put(&model, "id", text_json(m->name, strlen(m->name)));
    json_put(&model, "object", json_string("model"));
    json_put(&model, "created", json_integer(m->created));
    json_put(&model, "owned_by", json_string("rung"));
    json_put(&model, "max_model_len", json_integer((json_int_t)m->context));
    json_t *ours = json_object();
    json_put(&ours, "embedding", json_boolean(m->embeds));
    json_put(&model, "rung", ours);
    return model;
}

json_t *model_list_answer(const struct served_model *models, size_t n)
{
    json_t *data = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&data, model_answer(&models[i]));
    return list_of(data);
}
