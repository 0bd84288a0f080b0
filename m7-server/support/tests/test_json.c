/* A JSON value knows where it stands, and says so when it is wrong. */
#include "json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "{\"name\": \"a\\u0000b\", \"on\": true, \"n\": 7, \"big\": "
    "9223372036854775807,\n\"neg\": -1, \"pi\": 3.5, \"none\": null, "
    "\"list\": [1, \"two\", {\"x\": []}]}";

static json_t *parse_text(void)
{
    struct error e;
    json_t *root = json_parse(text, strlen(text), "f.json", 0, &e);
    assert_non_null(root);
    return root;
}

static void values_are_read_as_their_types(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct node name = node_member(&root, "name");
    struct node on = node_member(&root, "on");
    struct node big = node_member(&root, "big");
    struct node pi = node_member(&root, "pi");
    struct node n = node_member(&root, "n");
    struct error e;
    const char *out = NULL;
    size_t size = 0;
    bool flag = false;
    long long integer = 0;
    double number = 0;
    assert_int_equal(node_text(&name, &out, &size, &e), 0);
    assert_int_equal(size, 3);
    assert_memory_equal(out, "a\0b", 3);
    assert_int_equal(node_bool(&on, &flag, &e), 0);
    assert_true(flag);
    assert_int_equal(node_integer(&big, &integer, &e), 0);
    assert_true(integer == INT64_MAX);
    assert_int_equal(node_number(&pi, &number, &e), 0);
    assert_true(number == 3.5);
    assert_int_equal(node_number(&n, &number, &e), 0);
    assert_true(number == 7);
    assert_int_equal(node_size(&n, 7, &size, &e), 0);
    assert_int_equal(size, 7);
    json_decref(value);
}

/* The message of reading `n` as an integer. */
static void assert_no_integer(const struct node *n, const char *message)
{
    struct error e;
    long long out = 0;
    assert_int_equal(node_integer(n, &out, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_string_equal(e.message, message);
}

static void an_error_names_the_way_to_the_value(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct node list = node_member(&root, "list");
    struct node second = node_element(&list, 1);
    struct node third = node_element(&list, 2);
    struct node inner = node_member(&third, "x");
    struct node absent = node_member(&third, "y");
    struct node beyond = node_element(&list, 9);
    assert_no_integer(&root, "f.json: expected an integer, found an object");
    assert_no_integer(&second,
                      "f.json: list[1]: expected an integer, found a string");
    assert_no_integer(
        &inner, "f.json: list[2].x: expected an integer, found an array");
    assert_no_integer(&absent, "f.json: list[2].y: is missing: expected an "
                               "integer");
    assert_no_integer(&beyond, "f.json: list[9]: is missing: expected an "
                               "integer");
    json_decref(value);
}

static void each_type_names_what_it_expected(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct node none = node_member(&root, "none");
    struct node name = node_member(&root, "name");
    struct error e;
    const char *out = NULL;
    size_t size = 0;
    bool flag = false;
    double number = 0;
    node_bool(&none, &flag, &e);
    assert_string_equal(e.message,
                        "f.json: none: expected true or false, found null");
    node_string(&none, &out, &e);
    assert_string_equal(e.message,
                        "f.json: none: expected a string, found null");
    node_number(&name, &number, &e);
    assert_string_equal(e.message,
                        "f.json: name: expected a number, found a string");
    node_array(&name, &size, &e);
    assert_string_equal(e.message,
                        "f.json: name: expected an array, found a string");
    node_object(&name, &e);
    assert_string_equal(e.message,
                        "f.json: name: expected an object, found a string");
    assert_int_equal(node_string(&name, &out, &e), -1);
    assert_string_equal(e.message, "f.json: name: holds a zero byte");
    json_decref(value);
}

static void a_size_is_kept_within_its_bounds(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct node n = node_member(&root, "n");
    struct node neg = node_member(&root, "neg");
    struct error e;
    size_t size = 0;
    assert_int_equal(node_size(&n, 6, &size, &e), -1);
    assert_string_equal(e.message,
                        "f.json: n: expected an integer from 0 to 6, found 7");
    assert_int_equal(node_size(&neg, SIZE_MAX, &size, &e), -1);
    assert_non_null(strstr(e.message, "found -1"));
    json_decref(value);
}

static void an_absent_or_null_field_takes_the_fallback(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct error e;
    const char *keys[] = {"none", "absent"};
    for (int i = 0; i < 2; i++) {
        struct node n = node_member(&root, keys[i]);
        bool flag = false;
        size_t size = 0;
        double number = 0;
        const char *out = NULL;
        assert_false(node_has(&n));
        assert_int_equal(node_bool_or(&n, true, &flag, &e), 0);
        assert_true(flag);
        assert_int_equal(node_size_or(&n, 9, 5, &size, &e), 0);
        assert_int_equal(size, 5);
        assert_int_equal(node_number_or(&n, 2.5, &number, &e), 0);
        assert_true(number == 2.5);
        assert_int_equal(node_string_or(&n, "x", &out, &e), 0);
        assert_string_equal(out, "x");
    }
    json_decref(value);
}

static void a_field_of_the_wrong_type_does_not_fall_back(void **state)
{
    (void)state;
    json_t *value = parse_text();
    struct node root = node_root("f.json", value);
    struct node name = node_member(&root, "name");
    struct error e;
    bool flag = false;
    size_t size = 0;
    assert_true(node_has(&name));
    assert_int_equal(node_bool_or(&name, true, &flag, &e), -1);
    assert_int_equal(node_size_or(&name, 9, 5, &size, &e), -1);
    json_decref(value);
}

static void a_long_name_leaves_room_for_the_reason(void **state)
{
    (void)state;
    char key[2001];
    memset(key, 'k', 2000);
    key[2000] = 0;
    json_t *value = json_object();
    json_object_set_new(value, key, json_true());
    struct node root = node_root("f.json", value);
    struct node n = node_member(&root, key);
    struct error e;
    long long out = 0;
    node_integer(&n, &out, &e);
    assert_non_null(
        strstr(e.message, "kkk...: expected an integer, found true or false"));
    json_decref(value);
}

static void assert_not_json(const char *wrong, size_t offset,
                            const char *message)
{
    struct error e = {ERROR_NONE, ""};
    assert_null(json_parse(wrong, strlen(wrong), "f.json", offset, &e));
    assert_int_equal(e.code, ERROR_INPUT);
    assert_string_equal(e.message, message);
}

static void a_syntax_error_names_line_column_and_byte(void **state)
{
    (void)state;
    assert_not_json("{\"a\":\n 1,, }", 0,
                    "f.json: not JSON: string or '}' expected near ',' "
                    "(line 2, column 4, byte 10)");
    assert_not_json("{\"a\":\n 1,, }", 8,
                    "f.json: not JSON: string or '}' expected near ',' "
                    "(line 2, column 4, byte 18)");
    assert_not_json("{\"a\": 1, \"a\": 2}", 0,
                    "f.json: not JSON: duplicate object key near '\"a\"' "
                    "(line 1, column 12, byte 12)");
    assert_not_json("1 2", 0,
                    "f.json: not JSON: end of file expected near '2' "
                    "(line 1, column 3, byte 3)");
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char deep[100001];
    memset(deep, '[', 100000);
    deep[100000] = 0;
    struct error e;
    assert_null(json_parse(deep, 100000, "f.json", 0, &e));
    assert_non_null(strstr(e.message, "maximum parsing depth reached"));
}

static void a_name_must_not_steer_a_terminal(void **state)
{
    (void)state;
    static const char names[] = "[\"naïve\", \"\\u001b[2J\", "
                                "\"\\u009b2J\", \"\\u202e\"]";
    struct error e;
    const char *out = NULL;
    json_t *list = json_parse(names, strlen(names), "f.json", 0, &e);
    struct node root = node_root("f.json", list);
    struct node plain = node_element(&root, 0);
    assert_int_equal(node_name(&plain, &out, &e), 0);
    for (size_t i = 1; i < 4; i++) {
        struct node n = node_element(&root, i);
        assert_int_equal(node_name(&n, &out, &e), -1);
        assert_non_null(strstr(e.message, "]: holds a control character"));
    }
    json_decref(list);
}

static void a_device_is_not_read(void **state)
{
    (void)state;
    struct error e;
    assert_null(json_read_file("/dev/null", &e));
    assert_string_equal(e.message, "/dev/null: is not a regular file");
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct error e;
    assert_null(json_read_file("build/no-such.json", &e));
    assert_string_equal(e.message,
                        "build/no-such.json: No such file or directory");
    assert_null(json_read_file(".", &e));
    assert_string_equal(e.message, ".: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_as_their_types),
        cmocka_unit_test(an_error_names_the_way_to_the_value),
        cmocka_unit_test(each_type_names_what_it_expected),
        cmocka_unit_test(a_size_is_kept_within_its_bounds),
        cmocka_unit_test(an_absent_or_null_field_takes_the_fallback),
        cmocka_unit_test(a_field_of_the_wrong_type_does_not_fall_back),
        cmocka_unit_test(a_long_name_leaves_room_for_the_reason),
        cmocka_unit_test(a_syntax_error_names_line_column_and_byte),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_name_must_not_steer_a_terminal),
        cmocka_unit_test(a_device_is_not_read),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
