/* Any bytes as a tokenizer.json: it is refused, or it works on any text
 * without a crash; decoding as a stream then agrees with decoding at once. */
#include "tokenizer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "The  caf\u00e9 <s> \xff 12,345\r\n\u65e5\u672c "
                           "e\u0301 don't \U0001f468\u200d\U0001f469";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return -1;
    size_t written = fwrite(data, 1, size, f);
    return fclose(f) || written != size ? -1 : 0;
}

static void same_as_a_stream(const struct tokenizer *t, const struct ids *ids,
                             const struct bytes *whole)
{
    struct error e;
    struct bytes out = {0};
    struct stream *s = stream_new(t, true, &e);
    int result = s ? 0 : -1;
    for (size_t i = 0; result == 0 && i < ids->size; i++)
        result = stream_put(s, ids->data[i], &out, &e);
    if (result == 0)
        result = stream_end(s, &out, &e);
    stream_free(s);
    if (result == 0 && (out.size != whole->size ||
                        (out.size && memcmp(out.data, whole->data, out.size))))
        abort();
    bytes_free(&out);
}

static void use(const struct tokenizer *t, const char *input, size_t size)
{
    struct error e;
    struct ids ids = {0};
    struct bytes out = {0};
    if (tokenizer_encode(t, input, size, true, &ids, &e) == 0 &&
        tokenizer_decode(t, ids.data, ids.size, true, &out, &e) == 0)
        same_as_a_stream(t, &ids, &out);
    ids_free(&ids);
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz_tokenizer.%ld", (long)getpid());
    if (write_file(path, data, size))
        abort();
    struct error e;
    struct tokenizer *t = tokenizer_load(path, &e);
    if (t) {
        use(t, text, sizeof text - 1);
        use(t, (const char *)data, size < 1000 ? size : 1000);
    }
    tokenizer_free(t);
    unlink(path);
    return 0;
}
