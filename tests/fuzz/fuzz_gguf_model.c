/* Small GGUF models, changed where the bytes say: one is refused with a
 * message, or opens, and then a text can be computed.
 *
 * The first byte chooses the model, the others change it, five each: a number
 * of the file's form (a length, a count, a type, an offset) or, behind the
 * table, a byte. */
#include "forward.h"
#include "gguf_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const models[] = {"llama", "gemma3", "gptneox", "phi3",
                                     "glm4"};

enum changes {
    CHANGE = 5,
    MOST_BYTES = 1 << 17
};

/* The file (MOST_BYTES,); how many bytes it has. */
static size_t read_model_file(uint8_t chosen, uint8_t *file)
{
    char path[80];
    snprintf(path, sizeof path, "../quantized/%s-gguf/model.gguf",
             models[chosen % (sizeof models / sizeof models[0])]);
    FILE *f = fopen(path, "rb");
    if (!f)
        abort();
    size_t size = fread(file, 1, MOST_BYTES, f);
    fclose(f);
    return size;
}

static void change_file(uint8_t *file, size_t size, const uint8_t *how)
{
    struct fields f = {.n = 0};
    unsigned seed = how[3] | (unsigned)how[4] << 8,
             which = how[1] | how[2] << 8;
    if (how[0] % 4 == 0) {
        file[which * 7u % size] = how[3];
        return;
    }
    find_fields(file, size, &f);
    const struct field one = f.all[which % f.n];
    uint64_t number = 0;
    if (one.width == 0 || one.at + one.width > size)
        return;
    memcpy(&number, file + one.at, one.width);
    number = how[0] % 4 == 1 ? seed : odd_number(number, size, &seed);
    memcpy(file + one.at, &number, one.width);
}

static void write_file(const char *path, const uint8_t *file, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(file, 1, size, f) != size || fclose(f))
        abort();
}

static void use_model(const char *path)
{
    const int ids[] = {3, 1, 4};
    struct model m;
    struct state s;
    struct error e = {ERROR_NONE, ""};
    if (model_open(&m, path, &e)) {
        if (e.code == ERROR_NONE || !*e.message)
            abort();
        return;
    }
    if (m.config.vocab_size > 4 && state_init(&s, &m, 3, &e) == 0) {
        if (forward(&m, &s, ids, 3, NULL, &e) == 0)
            forward_logits(&m, &s, 2, NULL);
        state_free(&s);
    }
    model_close(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[MOST_BYTES];
    char path[64];
    if (size < 1 + CHANGE)
        return 0;
    size_t bytes = read_model_file(data[0], file);
    for (size_t i = 1; i + CHANGE <= size && i < 1 + 8 * CHANGE; i += CHANGE)
        change_file(file, bytes, data + i);
    snprintf(path, sizeof path, "/tmp/fuzz_gguf_model.%ld.gguf",
             (long)getpid());
    write_file(path, file, bytes);
    use_model(path);
    unlink(path);
    return 0;
}
