/* A bare value becomes JSON as the tool's schema has it. */
#include "tool_schema.h"

#include "test_numbers.h"

static unsigned types_of_text(const char *schema)
{
    json_t *property = json_loads(schema, 0, NULL);
    assert_non_null(property);
    json_t *parameters = json_pack("{s:{s:o}}", "properties", "x", property);
    unsigned types = argument_types(parameters, "x");
    json_decref(parameters);
    return types;
}

static void a_schema_names_types_in_many_ways(void **state)
{
    (void)state;
    assert_int_equal(types_of_text("{\"type\": \"string\"}"), SCHEMA_STRING);
    assert_int_equal(types_of_text("{\"type\": \"integer\"}"), SCHEMA_NUMBER);
    assert_int_equal(types_of_text("{\"type\": [\"string\", \"null\"]}"),
                     SCHEMA_STRING | SCHEMA_NULL);
    assert_int_equal(types_of_text("{\"enum\": [\"a\", 1]}"),
                     SCHEMA_STRING | SCHEMA_NUMBER);
    assert_int_equal(types_of_text("{\"const\": true}"), SCHEMA_BOOLEAN);
    assert_int_equal(types_of_text("{\"anyOf\": [{\"type\": \"array\"}, "
                                   "{\"oneOf\": [{\"type\": \"object\"}]}]}"),
                     SCHEMA_ARRAY | SCHEMA_OBJECT);
    assert_int_equal(types_of_text("{}"), 0);
    assert_int_equal(types_of_text("{\"type\": 5}"), 0);
    assert_int_equal(argument_types(NULL, "x"), 0);
}

static void expect(unsigned types, const char *text, const char *json)
{
    struct bytes out = {0};
    schema_value(types, text, strlen(text), &out);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, json);
    bytes_free(&out);
}

static void a_value_is_what_its_type_says(void **state)
{
    (void)state;
    expect(SCHEMA_STRING, "5", "\"5\"");
    expect(SCHEMA_NUMBER, "5", "5");
    expect(SCHEMA_NUMBER, " 5.5\n", "5.5");
    expect(SCHEMA_NUMBER, "five", "\"five\"");
    expect(SCHEMA_BOOLEAN, "True", "true");
    expect(SCHEMA_STRING, "True", "\"True\"");
    expect(SCHEMA_STRING | SCHEMA_NULL, "None", "null");
    expect(SCHEMA_ARRAY, "[1, \"a\"]", "[1, \"a\"]");
    expect(SCHEMA_OBJECT, "{\"a\": }", "\"{\\\"a\\\": }\"");
}

static void without_a_schema_a_value_is_what_it_reads_as(void **state)
{
    (void)state;
    expect(0, "5", "5");
    expect(0, "{\"a\": 1}", "{\"a\": 1}");
    expect(0, "false", "false");
    expect(0, "Paris", "\"Paris\"");
    expect(0, "\"Paris\"", "\"\\\"Paris\\\"\"");
    expect(0, "", "\"\"");
    expect(0, "a\n\t\x01", "\"a\\n\\t\\u0001\"");
}

static void tools_are_found_by_name(void **state)
{
    (void)state;
    json_t *tools = json_pack("[{s:{s:s, s:{}}}, {s:s}, s]", "function",
                              "name", "f", "parameters", "name", "g", "h");
    assert_non_null(tool_find(tools, "f"));
    assert_non_null(tool_find(tools, "g"));
    assert_null(tool_find(tools, "h"));
    assert_non_null(tool_parameters(tools, "f"));
    assert_null(tool_parameters(tools, "g"));
    assert_null(tool_find(NULL, "f"));
    json_decref(tools);
}

/* Which names and types they have does not change, nor in which order. */
static void of_tools_names_and_types_are_kept(void **state)
{
    (void)state;
    static const char many[] =
        "[{\"type\": \"function\", \"function\": {\"name\": \"f\","
        " \"description\": \"long\", \"parameters\": {\"required\": [],"
        " \"properties\": {\"z\": {\"anyOf\": [{\"const\": 1},"
        " {\"type\": \"null\"}]}, \"any\": {\"description\": \"x\"},"
        " \"a\": {\"type\": [\"null\", \"integer\"]}, \"s\": {\"type\":"
        " \"string\", \"enum\": [\"p\", \"q\"]}}}}},"
        " {\"name\": \"g\", \"parameters\": {\"type\": \"object\"}},"
        " {\"name\": \"h\"}, {}]";
    static const char few[] =
        "[{\"name\":\"f\",\"parameters\":{\"properties\":{\"z\":{\"type\":"
        "[\"number\",\"integer\",\"null\"]},\"any\":null,\"a\":{\"type\":"
        "[\"number\",\"integer\",\"null\"]},\"s\":{\"type\":"
        "[\"string\"]}}}},{\"name\":\"g\"},{\"name\":\"h\"},{}]";
    json_t *tools = json_loads(many, 0, NULL);
    for (int time = 0; time < 2; time++) {
        tools_keep_types(tools);
        char *text = json_dumps(tools, JSON_COMPACT);
        assert_string_equal(text, few);
        free(text);
    }
    const json_t *of_f = tool_parameters(tools, "f");
    assert_int_equal(argument_types(of_f, "z"), SCHEMA_NUMBER | SCHEMA_NULL);
    assert_int_equal(argument_types(of_f, "any"), 0);
    assert_int_equal(argument_types(of_f, "a"), SCHEMA_NUMBER | SCHEMA_NULL);
    assert_int_equal(argument_types(of_f, "s"), SCHEMA_STRING);
    json_decref(tools);
    tools_keep_types(NULL);
    assert_int_equal(tools_size(NULL), 0);
}

/* Names can be as long as a body. */
static void names_count_by_their_length(void **state)
{
    (void)state;
    static char name[30001];
    memset(name, 'x', sizeof name - 1);
    json_t *tools = json_pack("[{s:s}, {s:s, s:{s:{s:n}}}, {}]", "name", name,
                              "name", "f", "parameters", "properties", name);
    size_t size = tools_size(tools);
    assert_true(size >= 60000 && size < 61000);
    tools_keep_types(tools);
    assert_int_equal(tools_size(tools), size);
    json_decref(tools);
}

/* Whatever set of types an argument has. */
static void every_set_of_types_is_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"string", "number", "boolean",
                                        "null",   "object", "array"};
    for (unsigned types = 0; types < 64; types++) {
        json_t *list = json_array();
        for (size_t i = 0; i < 6; i++)
            if (types >> i & 1)
                json_array_append_new(list, json_string(names[i]));
        json_t *tools =
            json_pack("[{s:s, s:{s:{s:{s:o}}}}]", "name", "f", "parameters",
                      "properties", "x", "type", list);
        assert_int_equal(argument_types(tool_parameters(tools, "f"), "x"),
                         types);
        tools_keep_types(tools);
        assert_int_equal(argument_types(tool_parameters(tools, "f"), "x"),
                         types);
        json_decref(tools);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_names_types_in_many_ways),
        cmocka_unit_test(a_value_is_what_its_type_says),
        cmocka_unit_test(without_a_schema_a_value_is_what_it_reads_as),
        cmocka_unit_test(tools_are_found_by_name),
        cmocka_unit_test(of_tools_names_and_types_are_kept),
        cmocka_unit_test(names_count_by_their_length),
        cmocka_unit_test(every_set_of_types_is_kept),
    };
    return cmocka_run_group_tests_name("tool schema", tests, NULL, NULL);
}
