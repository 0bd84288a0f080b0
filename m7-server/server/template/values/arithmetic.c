/* Operators: see arithmetic.h. */
#include "arithmetic.h"

#include "written.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const signs[] = {"+",  "-", "*",          "/",
                                    "//", "%", "** or pow()"};

static int fail_types(struct sandbox *s, enum value_operation operator,
                      struct value a, struct value b)
{
    if (a.type == VALUE_UNDEFINED || b.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, a.type == VALUE_UNDEFINED ? a : b);
    if (operator == ARITHMETIC_ADD && a.type == VALUE_STRING)
        return sandbox_fail(s,
                            "can only concatenate str (not \"%s\") to str",
                            value_type_name(b));
    return sandbox_fail(s, "unsupported operand type(s) for %s: '%s' and '%s'",
                        signs[operator], value_type_name(a),
                        value_type_name(b));
}

static int fail_large(struct sandbox *s)
{
    return sandbox_fail(s, "a whole number needs more than 64 bits");
}

static int fail_zero(struct sandbox *s)
{
    return sandbox_fail(s, "division by zero");
}

static int power_of_ints(struct sandbox *s, int64_t a, int64_t b,
                         struct value *out)
{
    int64_t result = 1;
    if (b < 0) {
        if (a == 0)
            return sandbox_fail(
                s, "0.0 cannot be raised to a negative power");
        *out = value_float(pow((double)a, (double)b));
        return 0;
    }
    for (; b > 0; b >>= 1) {
        if ((b & 1) && __builtin_mul_overflow(result, a, &result))
            return fail_large(s);
        if (b > 1 && __builtin_mul_overflow(a, a, &a))
            return fail_large(s);
    }
    *out = value_int(result);
    return 0;
}

/* Towards minus infinity; the remainder has the sign of b. */
static int divide_ints(struct sandbox *s, enum value_operation operator,
                       int64_t a, int64_t b, struct value *out)
{
    if (b == 0)
        return fail_zero(s);
    if (b == -1) {
        int64_t negative;
        if (operator == ARITHMETIC_REMAINDER)
            negative = 0;
        else if (__builtin_sub_overflow((int64_t)0, a, &negative))
            return fail_large(s);
        *out = value_int(negative);
        return 0;
    }
    int64_t rest = a % b;
    bool down = rest != 0 && (rest < 0) != (b < 0);
    *out = value_int(operator == ARITHMETIC_FLOOR ? a / b - down
                                                  : rest + (down ? b : 0));
    return 0;
}

static int operate_ints(struct sandbox *s, enum value_operation operator,
                        int64_t a, int64_t b, struct value *out)
{
    int64_t result = 0;
    bool large = false;
    switch (operator) {
    case ARITHMETIC_ADD:
        large = __builtin_add_overflow(a, b, &result);
        break;
    case ARITHMETIC_SUBTRACT:
        large = __builtin_sub_overflow(a, b, &result);
        break;
    case ARITHMETIC_MULTIPLY:
        large = __builtin_mul_overflow(a, b, &result);
        break;
    case ARITHMETIC_DIVIDE:
        if (b == 0)
            return fail_zero(s);
        *out = value_float((double)a / (double)b);
        return 0;
    case ARITHMETIC_POWER:
        return power_of_ints(s, a, b, out);
    default:
        return divide_ints(s, operator, a, b, out);
    }
    *out = value_int(result);
    return large ? fail_large(s) : 0;
}

/* fmod has the sign of a; Python's remainder that of b. */
static double float_remainder(double a, double b)
{
    double rest = fmod(a, b);
    if (rest == 0)
        return copysign(0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

static double float_floor(double a, double b)
{
    double rest = fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0, a / b);
    double down = floor(quotient);
    return quotient - down > 0.5 ? down + 1 : down;
}

static int power_of_floats(struct sandbox *s, double a, double b,
                           struct value *out)
{
    if (a == 0 && b < 0)
        return sandbox_fail(s, "0.0 cannot be raised to a negative power");
    double result = pow(a, b);
    if (isnan(result) && !isnan(a) && !isnan(b))
        return sandbox_fail(s, "a power would be a complex number");
    if (isinf(result) && isfinite(a) && isfinite(b))
        return sandbox_fail(s, "(34, 'Numerical result out of range')");
    *out = value_float(result);
    return 0;
}

static int operate_floats(struct sandbox *s, enum value_operation operator,
                          double a, double b, struct value *out)
{
    bool divides = operator == ARITHMETIC_DIVIDE ||
                   operator == ARITHMETIC_FLOOR ||
                   operator == ARITHMETIC_REMAINDER;
    if (divides && b == 0)
        return fail_zero(s);
    switch (operator) {
    case ARITHMETIC_ADD:
        *out = value_float(a + b);
        return 0;
    case ARITHMETIC_SUBTRACT:
        *out = value_float(a - b);
        return 0;
    case ARITHMETIC_MULTIPLY:
        *out = value_float(a * b);
        return 0;
    case ARITHMETIC_DIVIDE:
        *out = value_float(a / b);
        return 0;
    case ARITHMETIC_FLOOR:
        *out = value_float(float_floor(a, b));
        return 0;
    case ARITHMETIC_REMAINDER:
        *out = value_float(float_remainder(a, b));
        return 0;
    default:
        return power_of_floats(s, a, b, out);
    }
}

/* One text behind the other: with a safe one the other is escaped. */
static int join_texts(struct sandbox *s, struct value a, struct value b,
                      struct value *out)
{
    bool safe = a.safe || b.safe;
    if (safe && (value_escape(s, a, &a) || value_escape(s, b, &b)))
        return -1;
    size_t first = a.as.text->size, second = b.as.text->size;
    char *data = sandbox_alloc(s, first + second, 1);
    if (!data)
        return -1;
    memcpy(data, a.as.text->data, first);
    memcpy(data + first, b.as.text->data, second);
    int result = value_constant(s, data, first + second, out);
    out->safe = safe;
    return result;
}

static int join_lists(struct sandbox *s, struct value a, struct value b,
                      struct value *out)
{
    const struct value_list *x = a.as.list, *y = b.as.list;
    if (value_new_list(s, a.type, x->size + y->size, out))
        return -1;
    for (size_t i = 0; i < x->size; i++)
        out->as.list->items[out->as.list->size++] = x->items[i];
    for (size_t i = 0; i < y->size; i++)
        out->as.list->items[out->as.list->size++] = y->items[i];
    return 0;
}

static int repeat_text(struct sandbox *s, struct value v, size_t times,
                       struct value *out)
{
    size_t size = v.as.text->size;
    char *data = sandbox_alloc(s, size ? times : 0, size);
    if (!data)
        return -1;
    for (size_t i = 0; size && i < times; i++)
        memcpy(data + i * size, v.as.text->data, size);
    int result = value_constant(s, data, size ? size * times : 0, out);
    out->safe = v.safe;
    return result;
}

static int repeat(struct sandbox *s, struct value v, int64_t times,
                  struct value *out)
{
    size_t n = times > 0 ? (size_t)times : 0;
    if (v.type == VALUE_STRING)
        return repeat_text(s, v, n, out);
    size_t size = v.as.list->size;
    if (n && size > SIZE_MAX / n / sizeof v)
        return sandbox_room(s, SIZE_MAX);
    if (value_new_list(s, v.type, size * n, out))
        return -1;
    for (size_t i = 0; i < size * n; i++)
        out->as.list->items[i] = v.as.list->items[i % size];
    out->as.list->size = size * n;
    return 0;
}

static int operate_sequences(struct sandbox *s, enum value_operation operator,
                             struct value a, struct value b,
                             struct value *out)
{
    bool first = a.type == VALUE_STRING || value_is_list(a);
    bool second = b.type == VALUE_STRING || value_is_list(b);
    int64_t times;
    if (operator == ARITHMETIC_MULTIPLY && first && value_is_int(b, &times))
        return repeat(s, a, times, out);
    if (operator == ARITHMETIC_MULTIPLY && second && value_is_int(a, &times))
        return repeat(s, b, times, out);
    if (operator != ARITHMETIC_ADD || !first || a.type != b.type)
        return fail_types(s, operator, a, b);
    return a.type == VALUE_STRING ? join_texts(s, a, b, out)
                                  : join_lists(s, a, b, out);
}

int value_operate(struct sandbox *s, enum value_operation operator,
                  struct value a, struct value b, struct value *out)
{
    int64_t i, j;
    double left, right;
    if (value_is_int(a, &i) && value_is_int(b, &j))
        return operate_ints(s, operator, i, j, out);
    if (value_is_number(a, &left) && value_is_number(b, &right))
        return operate_floats(s, operator, left, right, out);
    return operate_sequences(s, operator, a, b, out);
}

static int fail_sign(struct sandbox *s, const char *sign, struct value v)
{
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    return sandbox_fail(s, "bad operand type for unary %s: '%s'", sign,
                        value_type_name(v));
}

int value_negate(struct sandbox *s, struct value v, struct value *out)
{
    int64_t i;
    if (value_is_int(v, &i)) {
        if (i == INT64_MIN)
            return fail_large(s);
        *out = value_int(-i);
    } else if (v.type == VALUE_FLOAT)
        *out = value_float(-v.as.real);
    else
        return fail_sign(s, "-", v);
    return 0;
}

int value_plus(struct sandbox *s, struct value v, struct value *out)
{
    int64_t i;
    if (value_is_int(v, &i))
        *out = value_int(i);
    else if (v.type == VALUE_FLOAT)
        *out = v;
    else
        return fail_sign(s, "+", v);
    return 0;
}

int value_escape(struct sandbox *s, struct value v, struct value *out)
{
    static const char marks[] = "&<>\"'";
    static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&#34;",
                                          "&#39;"};
    struct bytes written = {0};
    if (v.type == VALUE_STRING && v.safe) {
        *out = v;
        return 0;
    }
    if (value_to_string(s, v, out))
        return -1;
    const struct text *t = out->as.text;
    for (size_t i = 0; i < t->size; i++) {
        const char *mark = t->data[i] ? strchr(marks, t->data[i]) : NULL;
        if (mark)
            bytes_add_string(&written, escapes[mark - marks]);
        else
            bytes_add(&written, t->data + i, 1);
    }
    if (value_take_bytes(s, &written, out))
        return -1;
    out->safe = true;
    return 0;
}
