/* JSON to be written: see json_write.h. */
#include "json_write.h"

#include "buffer.h"

static void drop(json_t **whole)
{
    json_decref(*whole);
    *whole = NULL;
}

void json_add(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value))
        drop(array);
}

void json_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value))
        drop(object);
}

/* What has failed stays so in `bytes`, whatever jansson goes on with. */
static int gather_text(const char *text, size_t size, void *bytes)
{
    bytes_add(bytes, text, size);
    return 0;
}

char *json_text(const json_t *value, size_t flags)
{
    struct bytes text = {0};
    int result = json_dump_callback(value, gather_text, &text, flags);
    bytes_add(&text, "", 1);
    if (result == 0 && !text.failed)
        return text.data;
    bytes_free(&text);
    return NULL;
}
