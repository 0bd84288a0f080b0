/* Comparisons: see compare.h. */
#include "compare.h"

#include "dict.h"
#include "iterate.h"
#include "sizes.h"

#include <math.h>
#include <string.h>

static int lists_equal(struct sandbox *s, const struct value_list *a,
                       const struct value_list *b, bool *equal)
{
    *equal = a->size == b->size;
    for (size_t i = 0; i < a->size && *equal; i++)
        if (value_equal(s, a->items[i], b->items[i], equal))
            return -1;
    return 0;
}

static int dicts_equal(struct sandbox *s, const struct value_dict *a,
                       const struct value_dict *b, bool *equal)
{
    *equal = a->size == b->size;
    for (size_t i = 0; i < a->size && *equal; i++) {
        struct value other;
        int found = dict_get(s, b, a->entries[i].key, &other);
        if (found < 0)
            return -1;
        *equal = found > 0;
        if (found && value_equal(s, a->entries[i].value, other, equal))
            return -1;
    }
    return 0;
}

static bool ranges_equal(const struct value_range *a,
                         const struct value_range *b)
{
    return a->size == b->size && (a->size == 0 || a->start == b->start) &&
           (a->size < 2 || a->step == b->step);
}

/* Values of one type that is no number. */
static int same_type_equal(struct sandbox *s, struct value a, struct value b,
                           bool *equal)
{
    switch (a.type) {
    case VALUE_UNDEFINED:
    case VALUE_NONE:
        *equal = true;
        return 0;
    case VALUE_STRING:
        *equal = text_equals(a.as.text, b.as.text);
        return sandbox_work(s, *equal ? a.as.text->size : 0);
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_SLICE:
        return lists_equal(s, a.as.list, b.as.list, equal);
    case VALUE_DICT:
        return dicts_equal(s, a.as.dict, b.as.dict, equal);
    case VALUE_RANGE:
        *equal = ranges_equal(a.as.range, b.as.range);
        return 0;
    case VALUE_VIEW:
        *equal = a.as.view == b.as.view;
        if (*equal || a.as.view->keys != b.as.view->keys ||
            a.as.view->values != b.as.view->values || !a.as.view->keys)
            return 0;
        return dicts_equal(s, a.as.view->dict, b.as.view->dict, equal);
    default:
        *equal = a.as.object == b.as.object;
        return 0;
    }
}

/* The sign of two numbers that have no order. */
enum number_order { UNORDERED = 2 };

/* Whether i is below, at or above d: -1, 0, 1; UNORDERED for what is not a
 * number.  A double cannot hold every whole number, so its whole part is made
 * one instead. */
static int sign_to_float(int64_t i, double d)
{
    if (isnan(d))
        return UNORDERED;
    if (d >= 0x1p63 || d < -0x1p63)
        return d > 0 ? -1 : 1;
    double whole = trunc(d);
    if (i != (int64_t)whole)
        return i < (int64_t)whole ? -1 : 1;
    return (whole > d) - (whole < d);
}

/* The same of two numbers, one of which is a float. */
static int number_sign(struct value a, struct value b)
{
    double left = 0, right = 0;
    int64_t i;
    if (value_is_int(a, &i))
        return sign_to_float(i, b.as.real);
    if (value_is_int(b, &i)) {
        int sign = sign_to_float(i, a.as.real);
        return sign == UNORDERED ? sign : -sign;
    }
    value_is_number(a, &left);
    value_is_number(b, &right);
    if (isnan(left) || isnan(right))
        return UNORDERED;
    return (left > right) - (left < right);
}

int value_equal(struct sandbox *s, struct value a, struct value b,
                bool *equal)
{
    double left, right;
    int64_t i, j;
    if (sandbox_work(s, 0))
        return -1;
    if (value_is_int(a, &i) && value_is_int(b, &j))
        *equal = i == j;
    else if (value_is_number(a, &left) && value_is_number(b, &right))
        *equal = number_sign(a, b) == 0;
    else if (a.type != b.type)
        *equal = false;
    else {
        if (sandbox_enter(s) || same_type_equal(s, a, b, equal))
            return -1;
        sandbox_leave(s);
    }
    return 0;
}

static bool decide(enum value_order order, int sign)
{
    static const bool yes[4][3] = {
        [ORDER_LESS] = {true, false, false},
        [ORDER_LESS_EQUAL] = {true, true, false},
        [ORDER_GREATER] = {false, false, true},
        [ORDER_GREATER_EQUAL] = {false, true, true}};
    return yes[order][sign + 1];
}

/* UTF-8 has the order of its code points. */
static int text_sign(const struct text *a, const struct text *b)
{
    int sign = memcmp(a->data, b->data, smaller_size(a->size, b->size));
    if (!sign)
        sign = (a->size > b->size) - (a->size < b->size);
    return (sign > 0) - (sign < 0);
}

/* The first place where they differ decides. */
static int order_lists(struct sandbox *s, enum value_order order,
                       const struct value_list *a, const struct value_list *b,
                       bool *result)
{
    for (size_t i = 0; i < a->size && i < b->size; i++) {
        bool equal;
        if (value_equal(s, a->items[i], b->items[i], &equal))
            return -1;
        if (!equal)
            return value_ordered(s, order, a->items[i], b->items[i], result);
    }
    *result = decide(order, (a->size > b->size) - (a->size < b->size));
    return 0;
}

static int order_numbers(enum value_order order, struct value a,
                         struct value b, bool *result)
{
    int sign = number_sign(a, b);
    *result = sign != UNORDERED && decide(order, sign);
    return 0;
}

int value_ordered(struct sandbox *s, enum value_order order, struct value a,
                  struct value b, bool *result)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    double left, right;
    int64_t i, j;
    if (value_is_int(a, &i) && value_is_int(b, &j)) {
        *result = decide(order, (i > j) - (i < j));
        return 0;
    }
    if (value_is_number(a, &left) && value_is_number(b, &right))
        return order_numbers(order, a, b, result);
    if (a.type == VALUE_STRING && b.type == VALUE_STRING) {
        *result = decide(order, text_sign(a.as.text, b.as.text));
        return sandbox_work(s, smaller_size(a.as.text->size, b.as.text->size));
    }
    if (a.type == VALUE_UNDEFINED || b.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, a.type == VALUE_UNDEFINED ? a : b);
    if (a.type != b.type || !value_is_list(a))
        return sandbox_fail(
            s, "'%s' not supported between instances of '%s' and '%s'",
            signs[order], value_type_name(a), value_type_name(b));
    if (sandbox_enter(s) ||
        order_lists(s, order, a.as.list, b.as.list, result))
        return -1;
    sandbox_leave(s);
    return 0;
}

static int text_contains(struct sandbox *s, const struct text *in,
                         struct value item, bool *result)
{
    if (item.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, item);
    if (item.type != VALUE_STRING)
        return sandbox_fail(
            s, "'in <string>' requires string as left operand, not %s",
            value_type_name(item));
    if (text_find_work(s, in, item.as.text))
        return -1;
    *result = text_find(in, item.as.text, 0) != SIZE_MAX;
    return 0;
}

/* Of pairs of a dictionary: the first of one that is looked for is a key. */
static int check_pair(struct sandbox *s, struct value item)
{
    uint64_t hash;
    if (item.type != VALUE_TUPLE || item.as.list->size != 2)
        return 0;
    return dict_hash(s, item.as.list->items[0], &hash);
}

/* Any that can be gone through: an iterator until the item is found. */
static int iterable_contains(struct sandbox *s, struct value container,
                             struct value item, bool *result)
{
    struct iterator *i;
    struct value one;
    int more;
    *result = false;
    if (iterate(s, container, &i))
        return -1;
    while (!*result && (more = iterator_next(s, i, &one)) != 0)
        if (more < 0 || value_equal(s, one, item, result))
            return -1;
    return 0;
}

int value_contains(struct sandbox *s, struct value container,
                   struct value item, bool *result)
{
    struct value ignored;
    bool keys = container.type == VALUE_DICT ||
                (container.type == VALUE_VIEW && !container.as.view->values);
    if (container.type == VALUE_STRING)
        return text_contains(s, container.as.text, item, result);
    if (keys) {
        const struct value_dict *d = container.type == VALUE_DICT
                                         ? container.as.dict
                                         : container.as.view->dict;
        int found = dict_get(s, d, item, &ignored);
        *result = found > 0;
        return found < 0 ? -1 : 0;
    }
    if (container.type == VALUE_VIEW && container.as.view->keys &&
        check_pair(s, item))
        return -1;
    if (!value_iterable(container) && container.type != VALUE_UNDEFINED)
        return sandbox_fail(s, "argument of type '%s' is not iterable",
                            value_type_name(container));
    return iterable_contains(s, container, item, result);
}

/* A run of items and their keys. */
struct sorted_run {
    struct value *items, *keys;
    size_t n;
};

/* Merge two runs that follow each other, through `spare`. */
static int merge(struct sandbox *s, struct sorted_run a, struct sorted_run b,
                 bool reverse, struct sorted_run spare)
{
    size_t i = 0, j = 0, n = 0;
    while (i < a.n || j < b.n) {
        bool second = i == a.n;
        if (i < a.n && j < b.n) {
            struct value x = reverse ? a.keys[i] : b.keys[j];
            struct value y = reverse ? b.keys[j] : a.keys[i];
            if (value_ordered(s, ORDER_LESS, x, y, &second) ||
                sandbox_work(s, 0))
                return -1;
        }
        const struct sorted_run *from = second ? &b : &a;
        size_t at = second ? j++ : i++;
        spare.items[n] = from->items[at];
        spare.keys[n++] = from->keys[at];
    }
    memcpy(a.items, spare.items, n * sizeof *a.items);
    memcpy(a.keys, spare.keys, n * sizeof *a.keys);
    return 0;
}

int value_sort(struct sandbox *s, struct value *items, struct value *keys,
               size_t n, bool reverse)
{
    struct sorted_run spare = {sandbox_alloc(s, n, sizeof *items),
                        sandbox_alloc(s, n, sizeof *keys), n};
    if (!spare.items || !spare.keys)
        return -1;
    for (size_t width = 1; width < n; width *= 2)
        for (size_t i = 0; i + width < n; i += 2 * width) {
            struct sorted_run a = {items + i, keys + i, width};
            struct sorted_run b = {items + i + width, keys + i + width,
                            smaller_size(width, n - i - width)};
            if (merge(s, a, b, reverse, spare))
                return -1;
        }
    return 0;
}
