/* Keys of a JSON object that must not be overlooked: see keys.h. */
#include "keys.h"

#include <string.h>

bool words_have(const char *list, const char *word)
{
    size_t length = strlen(word);
    const char *at = list;
    while (length > 0 && (at = strstr(at, word))) {
        bool begins = at == list || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == 0))
            return true;
        at += length;
    }
    return false;
}

/* Keys whose `false` is a change, for they are on where nothing is said. */
static const char on_by_default[] = "is_causal";

static bool is_off(const char *key, const json_t *value)
{
    return json_is_null(value) ||
           (json_is_false(value) && !words_have(on_by_default, key));
}

int keys_check(const struct node *object, const char *const *lists,
               size_t n_lists, const char *whose, struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        bool known = is_off(key, value) || key[0] == '_';
        for (size_t i = 0; i < n_lists && !known; i++)
            known = words_have(lists[i], key);
        struct node n = node_member(object, key);
        if (!known)
            return node_fail(&n, ERROR_UNSUPPORTED, e,
                             "is not a key that this program knows for %s",
                             whose);
    }
    return 0;
}
