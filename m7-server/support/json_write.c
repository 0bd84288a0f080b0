/* JSON to be printed: see json_write.h. */
#include "json_write.h"

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
