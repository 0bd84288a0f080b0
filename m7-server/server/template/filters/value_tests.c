/* Tests, what stands behind `is`: see built_ins.h. */
#include "built_ins.h"

#include "arithmetic.h"
#include "compare.h"
#include "dict.h"
#include "format.h"
#include "iterate.h"
#include "methods.h"
#include "written.h"

#include <string.h>

static int answer(bool yes, struct value *out)
{
    *out = value_bool(yes);
    return 0;
}

/* value % by == rest; of a string that is a format. */
static int leaves(struct sandbox *s, struct value v, struct value by,
                  int64_t rest, struct value *out)
{
    struct value left;
    bool equal;
    int result = v.type == VALUE_STRING
                     ? format_percent(s, v, by, &left)
                     : value_operate(s, ARITHMETIC_REMAINDER, v, by, &left);
    if (result ||
        value_equal(s, left, value_int(rest), &equal))
        return -1;
    return answer(equal, out);
}

static int test_odd(struct sandbox *s, const struct call *c,
                    struct value *out)
{
    return leaves(s, c->self, value_int(2), 1, out);
}

static int test_even(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    return leaves(s, c->self, value_int(2), 0, out);
}

static int test_divisibleby(struct sandbox *s, const struct call *c,
                            struct value *out)
{
    return leaves(s, c->self, c->a[0], 0, out);
}

static int test_defined(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    return answer(c->self.type != VALUE_UNDEFINED, out);
}

static int test_undefined(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_UNDEFINED, out);
}

/* Names are the keys of a dictionary: what can be none is asked in vain. */
static int test_filter(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    uint64_t hash;
    if (dict_hash(s, c->self, &hash))
        return -1;
    return answer(c->self.type == VALUE_STRING &&
                      find_filter(c->self.as.text), out);
}

static int test_test(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    uint64_t hash;
    if (dict_hash(s, c->self, &hash))
        return -1;
    return answer(c->self.type == VALUE_STRING && find_test(c->self.as.text),
                  out);
}

static int test_none(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_NONE, out);
}

static int test_boolean(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_BOOL, out);
}

static int test_false(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_BOOL && !c->self.as.boolean, out);
}

static int test_true(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_BOOL && c->self.as.boolean, out);
}

static int test_integer(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_INT, out);
}

static int test_float(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_FLOAT, out);
}

static int test_number(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    double ignored;
    (void)s;
    return answer(value_is_number(c->self, &ignored), out);
}

static int test_string(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_STRING, out);
}

static int test_mapping(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_DICT, out);
}

static int test_sequence(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_STRING || value_is_list(c->self) ||
                      c->self.type == VALUE_DICT ||
                      c->self.type == VALUE_RANGE ||
                      c->self.type == VALUE_UNDEFINED, out);
}

static int test_iterable(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    (void)s;
    return answer(value_iterable(c->self), out);
}

static int test_callable(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    (void)s;
    const char *name = value_type_name(c->self);
    bool object = c->self.type == VALUE_OBJECT &&
                  strcmp(name, "Namespace") != 0 &&
                  strcmp(name, "TemplateReference") != 0;
    return answer(c->self.type == VALUE_FUNCTION || object ||
                      c->self.type == VALUE_UNDEFINED, out);
}

static int test_escaped(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    return answer(c->self.type == VALUE_STRING && c->self.safe, out);
}

/* The same object, not an equal one; small ones are the same when equal. */
static int test_sameas(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct value a = c->self, b = c->a[0];
    bool same = a.type == b.type;
    if (same && (a.type == VALUE_BOOL || a.type == VALUE_INT ||
                 a.type == VALUE_FLOAT)) {
        if (value_equal(s, a, b, &same))
            return -1;
    } else if (same && a.type != VALUE_NONE)
        same = a.as.object == b.as.object;
    return answer(same, out);
}

static int test_by_method(struct sandbox *s, const struct call *c,
                          const char *name, struct value *out)
{
    struct methods m = methods_of_characters();
    struct arguments none = {0};
    struct value text;
    if (value_to_string(s, c->self, &text))
        return -1;
    return built_in_call(s, built_in_find(m.rows, m.n, name, strlen(name)),
                         text, &none, out);
}

static int test_lower(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return test_by_method(s, c, "islower", out);
}

static int test_upper(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return test_by_method(s, c, "isupper", out);
}

static int test_in(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    bool in;
    if (value_contains(s, c->a[0], c->self, &in))
        return -1;
    return answer(in, out);
}

static int equality(struct sandbox *s, const struct call *c, bool wanted,
                    struct value *out)
{
    bool equal;
    if (value_equal(s, c->self, c->a[0], &equal))
        return -1;
    return answer(equal == wanted, out);
}

static int test_eq(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return equality(s, c, true, out);
}

static int test_ne(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return equality(s, c, false, out);
}

static int order(struct sandbox *s, const struct call *c,
                 enum value_order order, struct value *out)
{
    bool result;
    if (value_ordered(s, order, c->self, c->a[0], &result))
        return -1;
    return answer(result, out);
}

static int test_lt(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return order(s, c, ORDER_LESS, out);
}

static int test_le(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return order(s, c, ORDER_LESS_EQUAL, out);
}

static int test_gt(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return order(s, c, ORDER_GREATER, out);
}

static int test_ge(struct sandbox *s, const struct call *c,
                   struct value *out)
{
    return order(s, c, ORDER_GREATER_EQUAL, out);
}

static const struct built_in test_rows[] = {
    {"odd", "", test_odd},
    {"even", "", test_even},
    {"divisibleby", "num", test_divisibleby},
    {"defined", "", test_defined},
    {"undefined", "", test_undefined},
    {"filter", "", test_filter},
    {"test", "", test_test},
    {"none", "", test_none},
    {"boolean", "", test_boolean},
    {"false", "", test_false},
    {"true", "", test_true},
    {"integer", "", test_integer},
    {"float", "", test_float},
    {"lower", "", test_lower},
    {"upper", "", test_upper},
    {"string", "", test_string},
    {"mapping", "", test_mapping},
    {"number", "", test_number},
    {"sequence", "", test_sequence},
    {"iterable", "", test_iterable},
    {"callable", "", test_callable},
    {"sameas", "other", test_sameas},
    {"escaped", "", test_escaped},
    {"in", "seq", test_in},
    {"==", "other /", test_eq},
    {"eq", "other /", test_eq},
    {"equalto", "other /", test_eq},
    {"!=", "other /", test_ne},
    {"ne", "other /", test_ne},
    {">", "other /", test_gt},
    {"gt", "other /", test_gt},
    {"greaterthan", "other /", test_gt},
    {">=", "other /", test_ge},
    {"ge", "other /", test_ge},
    {"<", "other /", test_lt},
    {"lt", "other /", test_lt},
    {"lessthan", "other /", test_lt},
    {"<=", "other /", test_le},
    {"le", "other /", test_le},
};

const struct built_in *find_test(const struct text *name)
{
    return built_in_find(test_rows, sizeof test_rows / sizeof *test_rows,
                         name->data, name->size);
}
