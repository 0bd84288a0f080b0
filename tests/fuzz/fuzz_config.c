/* Any bytes as config.json and, behind a zero byte, generation_config.json:
 * they are refused, or make a config that makes sense. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Write a file of the folder, or see that there is none. */
static void set_file(const char *folder, const char *name, const uint8_t *data,
                     size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    if (!data)
        return;
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}

static void check_size(size_t size, size_t most)
{
    if (size < 1 || size > most)
        abort();
}

static void check_config(const struct config *c)
{
    check_size(c->vocab_size, (size_t)1 << 26);
    check_size(c->hidden_size, (size_t)1 << 20);
    check_size(c->intermediate_size, (size_t)1 << 24);
    check_size(c->n_layers, (size_t)1 << 16);
    check_size(c->n_heads, (size_t)1 << 16);
    check_size(c->n_kv_heads, c->n_heads);
    check_size(c->head_dim, (size_t)1 << 20);
    check_size(c->max_positions, INT32_MAX);
    if (c->n_heads % c->n_kv_heads || !c->architecture || !c->model_type ||
        c->bos < -1 || c->bos >= (int)c->vocab_size)
        abort();
    for (size_t i = 0; i < c->eos.size; i++)
        if (c->eos.data[i] < 0 || c->eos.data[i] >= (int)c->vocab_size)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[64];
    snprintf(folder, sizeof folder, "/tmp/fuzz_config.%ld", (long)getpid());
    mkdir(folder, 0700);
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t first = zero ? (size_t)(zero - data) : size;
    set_file(folder, "config.json", data ? data : (const uint8_t *)"", first);
    set_file(folder, "generation_config.json", zero ? zero + 1 : NULL,
             zero ? size - first - 1 : 0);

    struct config c;
    struct error e = {ERROR_NONE, ""};
    if (config_load(&c, folder, &e) == 0)
        check_config(&c);
    else if (e.code == ERROR_NONE || strstr(e.message, folder) != e.message)
        abort();
    config_free(&c);
    set_file(folder, "config.json", NULL, 0);
    set_file(folder, "generation_config.json", NULL, 0);
    rmdir(folder);
    return 0;
}
