/* Any bytes, with the checksum that belongs to them, as the file of a session:
 * it is refused, or saved again it is the same file; and what a cache takes
 * over of it are rows that it has. */
#include "session.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum fuzz_sizes {
    WIDTH = 2,
    WINDOW = 3,
    CHUNK = 2,
    CAPACITY = 9
};

static void write_session(const char *path, const uint8_t *data, size_t size)
{
    uint64_t sum = XXH3_64bits(data, size);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size ||
        fwrite(&sum, 1, sizeof sum, f) != sizeof sum || fclose(f))
        abort();
}

/* The file `path` begins with the bytes data (size,), and 8 more follow. */
static void check_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *found = malloc(size + 9);
    if (!f || !found || fread(found, 1, size + 9, f) != size + 8 ||
        memcmp(found, data, size) != 0)
        abort();
    fclose(f);
    free(found);
}

static void save_again(const struct session *s, const uint8_t *data,
                       size_t size)
{
    char path[64];
    struct error e;
    snprintf(path, sizeof path, "/tmp/fuzz_session.%ld.again", (long)getpid());
    if (session_save(path, &s->cache, s->model, &e))
        abort();
    check_file(path, data, size);
    unlink(path);
}

/* A cache of two layers, of which the second sees a window. */
static void open_cache(struct cache *c)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}}};
    struct model m = {.config = {.n_layers = 2, .vocab_size = 100},
                      .layers = layers};
    struct error e;
    if (cache_init(c, &m, CAPACITY, CHUNK, &e))
        abort();
}

static void restore(struct session *s, const char *path)
{
    struct cache c;
    struct error e;
    float sum = 0;
    open_cache(&c);
    if (session_restore(s, path, s->model, &c, &e) == 0) {
        if (c.length > CAPACITY)
            abort();
        for (size_t l = 0; l < 2; l++) {
            if (!cache_reaches_back(&c.layers[l], c.length))
                abort();
            for (size_t p = c.layers[l].first; p < c.length; p++)
                sum += key_row(&c.layers[l], p)[0];
        }
    } else if (strncmp(e.message, path, strlen(path)) != 0) {
        abort();
    }
    cache_free(&c);
    if (sum == 12345)
        puts("a number that is used");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct session s;
    struct error e = {ERROR_NONE, ""};
    snprintf(path, sizeof path, "/tmp/fuzz_session.%ld", (long)getpid());
    write_session(path, data ? data : (const uint8_t *)"", size);
    if (session_load(path, &s, &e) == 0) {
        save_again(&s, data, size);
        restore(&s, path);
        session_free(&s);
    } else if (s.cache.layers || e.code == ERROR_NONE ||
               strncmp(e.message, path, strlen(path)) != 0) {
        abort();
    }
    unlink(path);
    return 0;
}
