/* A checkpoint is found in one file, in those of an index, or in a folder. */
#include "checkpoint.h"
#include "test_files.h"
#include "test_golden.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* One tensor of two bytes. */
static void write_shard(const char *path, const char *tensor)
{
    char table[128];
    snprintf(table, sizeof table,
             "{\"%s\": {\"dtype\": \"U8\", \"shape\": [2], "
             "\"data_offsets\": [0, 2]}}",
             tensor);
    write_safetensors(path, table, 2);
}

static void assert_opens(const char *path, size_t n_files, size_t n_tensors)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    checkpoint_open(&c, path, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(c.n_files, n_files);
    assert_int_equal(c.n_tensors, n_tensors);
    checkpoint_close(&c);
}

static void assert_refused(const char *path, const char *message)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(checkpoint_open(&c, path, &e), -1);
    assert_string_equal(e.message, message);
    assert_null(c.files);
    assert_null(c.tensors);
}

static const char index_name[] = "model.safetensors.index.json";

/* --- what is right ------------------------------------------------------ */

static void a_file_is_a_checkpoint(void **state)
{
    (void)state;
    write_shard("one.safetensors", "a");
    write_shard("two.safetensors", "b");
    assert_opens("one.safetensors", 1, 1);
    assert_opens("./two.safetensors", 1, 1);
}

static void a_folder_holds_one_file_of_the_usual_name(void **state)
{
    (void)state;
    write_shard("model.safetensors", "a");
    write_shard("other.safetensors", "b");
    write_text("config.json", "{}");
    assert_opens(".", 1, 1);
    assert_opens("./", 1, 1);
    assert_opens("config.json", 1, 1);
}

static void an_index_names_the_files(void **state)
{
    (void)state;
    write_shard("model-1.safetensors", "a");
    write_shard("model-2.safetensors", "b");
    write_shard("model.safetensors", "c");
    write_text(index_name, "{\"metadata\": {\"total_size\": 4},"
                           " \"weight_map\": {\"b\": \"model-2.safetensors\","
                           " \"a\": \"model-1.safetensors\"}}");
    assert_opens(".", 2, 2);
}

static void without_an_index_all_shards_are_opened(void **state)
{
    (void)state;
    write_shard("x-1.safetensors", "a");
    write_shard("x-2.safetensors", "b");
    write_shard("x-3.safetensors.part", "c");
    write_shard("y.safetensors", "d");
    assert_opens(".", 3, 3);
}

static void tensors_are_found_by_name_and_in_order(void **state)
{
    (void)state;
    write_safetensors("model.safetensors",
                      "{\"w.10\": {\"dtype\": \"U8\", \"shape\": [1],"
                      " \"data_offsets\": [0, 1]},"
                      " \"w.9\": {\"dtype\": \"U8\", \"shape\": [1],"
                      " \"data_offsets\": [1, 2]}}",
                      2);
    struct checkpoint c;
    struct error e;
    assert_int_equal(checkpoint_open(&c, ".", &e), 0);
    assert_string_equal(c.tensors[0].name, "w.9");
    assert_string_equal(c.tensors[1].name, "w.10");
    assert_ptr_equal(checkpoint_find(&c, "w.9"), &c.tensors[0]);
    assert_ptr_equal(checkpoint_find(&c, "w.10"), &c.tensors[1]);
    assert_int_equal(*checkpoint_find(&c, "w.9")->data, 1);
    assert_null(checkpoint_find(&c, "w.1"));
    checkpoint_close(&c);
}

/* --- what is wrong ------------------------------------------------------ */

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    assert_refused("no.safetensors",
                   "no.safetensors: No such file or directory");
    assert_refused("no/folder", "no/folder: No such file or directory");
    assert_refused(".", ".: no .safetensors file in this folder");
}

static void a_folder_is_not_a_file(void **state)
{
    (void)state;
    mkdir("model.safetensors", 0700);
    assert_refused(".", "./model.safetensors: is a folder, expected a file");
    write_text("model.safetensors/README", "");
    assert_refused("model.safetensors", "model.safetensors: no .safetensors "
                                        "file in this folder");
}

static void a_tensor_is_in_one_file_only(void **state)
{
    (void)state;
    write_shard("1.safetensors", "w");
    write_shard("2.safetensors", "w");
    assert_refused(".",
                   "./2.safetensors: tensor w is also in ./1.safetensors");
}

static void a_wrong_shard_is_named(void **state)
{
    (void)state;
    write_shard("1.safetensors", "w");
    write_safetensors("2.safetensors", "{}", 3);
    assert_refused(".", "./2.safetensors: the data ends at byte 1024, but the "
                        "file at 1027");
}

static void assert_index(const char *text, const char *message)
{
    write_text(index_name, text);
    assert_refused(".", message);
}

static void an_index_says_where_each_tensor_is(void **state)
{
    (void)state;
    write_shard("1.safetensors", "a");
    write_shard("2.safetensors", "b");
    assert_index("{\"weight_map\": {\"a\": \"1.safetensors\", \"b\": "
                 "\"3.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.b: names "
                 "3.safetensors, which is not in this folder");
    assert_index("{\"weight_map\": {\"a\": \"1.safetensors\", \"c\": "
                 "\"1.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.c: 1.safetensors "
                 "has no such tensor");
    assert_index("{\"weight_map\": {\"a\": \"2.safetensors\", \"b\": "
                 "\"1.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.a: the tensor is "
                 "not in 2.safetensors, but in 1.safetensors");
}

static void an_index_stays_in_its_folder(void **state)
{
    (void)state;
    mkdir("sub", 0700);
    write_shard("1.safetensors", "a");
    write_shard("sub/1.safetensors", "a");
    assert_index("{\"weight_map\": {\"a\": \"../1.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.a: expected a "
                 ".safetensors file of this folder, found "
                 "\"../1.safetensors\"");
    assert_index("{\"weight_map\": {\"a\": \"/etc/x.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.a: expected a "
                 ".safetensors file of this folder, found "
                 "\"/etc/x.safetensors\"");
    assert_index("{\"weight_map\": {\"a\": \"sub/1.safetensors\"}}",
                 "./model.safetensors.index.json: weight_map.a: expected a "
                 ".safetensors file of this folder, found "
                 "\"sub/1.safetensors\"");
    assert_index("{\"weight_map\": {\"a\": \"passwords\"}}",
                 "./model.safetensors.index.json: weight_map.a: expected a "
                 ".safetensors file of this folder, found \"passwords\"");
}

static void an_index_has_the_right_form(void **state)
{
    (void)state;
    assert_index("[]", "./model.safetensors.index.json: expected an object, "
                       "found an array");
    assert_index("{}", "./model.safetensors.index.json: weight_map: is "
                       "missing: expected an object");
    assert_index("{\"weight_map\": {}}",
                 "./model.safetensors.index.json: weight_map: names no "
                 "tensor");
    assert_index("{\"weight_map\": {\"a\": 1}}",
                 "./model.safetensors.index.json: weight_map.a: expected a "
                 "string, found an integer");
    assert_index("{\"weight_map\": {\"a\"",
                 "./model.safetensors.index.json: not JSON: ':' expected "
                 "near end of file (line 1, column 19, byte 19)");
}

static void a_file_that_has_shrunk_is_noticed(void **state)
{
    (void)state;
    write_shard("model.safetensors", "a");
    struct checkpoint c;
    struct error e;
    assert_int_equal(checkpoint_open(&c, ".", &e), 0);
    assert_int_equal(checkpoint_check(&c, &e), 0);
    assert_int_equal(truncate("model.safetensors", 1025), 0);
    assert_int_equal(checkpoint_check(&c, &e), -1);
    assert_string_equal(e.message,
                        "./model.safetensors: has shrunk from 1026 to 1025 "
                        "bytes since it was opened");
    checkpoint_close(&c);
}

static void a_file_that_was_replaced_is_still_mapped(void **state)
{
    (void)state;
    write_shard("model.safetensors", "a");
    struct checkpoint c;
    struct error e;
    assert_int_equal(checkpoint_open(&c, ".", &e), 0);
    write_text("new", "shorter");
    assert_int_equal(rename("new", "model.safetensors"), 0);
    assert_int_equal(checkpoint_check(&c, &e), 0);
    unlink("model.safetensors");
    assert_int_equal(checkpoint_check(&c, &e), 0);
    assert_memory_equal(c.files[0].data + 8, "{\"a\"", 4);
    checkpoint_close(&c);
}

/* --- against the oracle ------------------------------------------------- */

/* Compare every tensor of a checkpoint with the goldens. */
static void assert_hashes(const char *path, const json_t *goldens)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    checkpoint_open(&c, path, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(c.n_tensors, json_object_size(goldens));
    for (size_t i = 0; i < c.n_tensors; i++) {
        char hash[17];
        hash_tensor(&c.tensors[i], hash);
        const json_t *golden = json_object_get(goldens, c.tensors[i].name);
        assert_string_equal(hash, json_string_value(golden));
    }
    checkpoint_close(&c);
}

static void every_format_reads_as_the_oracle_says(void **state)
{
    (void)state;
    json_t *goldens = golden_part("dtypes");
    assert_int_equal(json_object_size(goldens), 20);
    assert_hashes("golden/dtypes.safetensors", goldens);
    json_decref(goldens);
}

static void the_reading_models_read_as_the_oracle_says(void **state)
{
    (void)state;
    json_t *models = golden_part("models");
    assert_int_equal(json_object_size(models), 3);
    const char *name;
    json_t *goldens;
    json_object_foreach(models, name, goldens)
    {
        char part[64];
        snprintf(part, sizeof part, "models/%s", name);
        char *path = test_path(part);
        if (access(path, R_OK))
            skip();
        assert_hashes(path, goldens);
        free(path);
    }
    json_decref(models);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_file_is_a_checkpoint),
        SCRATCH(a_folder_holds_one_file_of_the_usual_name),
        SCRATCH(an_index_names_the_files),
        SCRATCH(without_an_index_all_shards_are_opened),
        SCRATCH(tensors_are_found_by_name_and_in_order),
        SCRATCH(what_is_not_there_is_named),
        SCRATCH(a_folder_is_not_a_file),
        SCRATCH(a_tensor_is_in_one_file_only),
        SCRATCH(a_wrong_shard_is_named),
        SCRATCH(an_index_says_where_each_tensor_is),
        SCRATCH(an_index_stays_in_its_folder),
        SCRATCH(an_index_has_the_right_form),
        SCRATCH(a_file_that_has_shrunk_is_noticed),
        SCRATCH(a_file_that_was_replaced_is_still_mapped),
        cmocka_unit_test(every_format_reads_as_the_oracle_says),
        cmocka_unit_test(the_reading_models_read_as_the_oracle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
