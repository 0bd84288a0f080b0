/* What config.json says and no field is from is listed. */
#include "config.h"
#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Which keys of config.json are listed, as JSON. */
static void assert_unread(const char *expected)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    json_t *list = config_unread(&c, &e);
    assert_string_equal(e.message, "");
    char *found = json_dumps(list, 0);
    assert_string_equal(found, expected);
    free(found);
    json_decref(list);
    config_free(&c);
}

static void what_no_field_is_from_is_listed(void **state)
{
    (void)state;
    write_text("config.json",
               "{\"other\": [], \"architectures\": [\"X\"], "
               "\"model_type\": \"x\", \"vocab_size\": 9, "
               "\"hidden_size\": 8, \"intermediate_size\": 32, "
               "\"num_hidden_layers\": 2, \"num_attention_heads\": 2, "
               "\"n_head\": 7, \"max_position_embeddings\": 64}");
    assert_unread("[\"other\", \"n_head\"]");
}

/* Where a size has its first spelling only, its other one is the field. */
static void the_part_about_text_is_named(void **state)
{
    (void)state;
    write_text("config.json",
               "{\"architectures\": [\"X\"], \"vision\": {}, "
               "\"text_config\": {\"model_type\": \"x\", \"n_head\": 2, "
               "\"vocab_size\": 9, \"hidden_size\": 8, \"n_embd\": 4, "
               "\"intermediate_size\": 32, \"num_hidden_layers\": 2, "
               "\"rope_theta\": 7, \"max_position_embeddings\": 64}}");
    assert_unread("[\"vision\", \"text_config.n_embd\", "
                  "\"text_config.rope_theta\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_no_field_is_from_is_listed,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(the_part_about_text_is_named,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
