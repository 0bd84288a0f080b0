/* The library as others get it: installed, found by pkg-config, and used by
 * the examples in C and in Python. */
#include "test_files.h"
#include "test_long.h"
#include "test_run.h"

static const char said[] =
    ", there was a little girl named Lily. She loved to play outside in the "
    "sun.";

static char folder[] = "/tmp/rung-lib-XXXXXX";
static bool installed;

/* Run a command in the shell, with FOLDER and MODEL for it; what it prints is
 * in out (size,). */
static int run_command(const char *command, char *out, size_t size)
{
    char *model = test_path("models/tiny-chat");
    char line[2048];
    snprintf(line, sizeof line,
             "export FOLDER=%s MODEL=%s; "
             "export PKG_CONFIG_PATH=$FOLDER/lib/pkgconfig "
             "LD_LIBRARY_PATH=$FOLDER/lib; { %s; } 2>&1",
             folder, model, command);
    free(model);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t n = fread(out, 1, size - 1, pipe);
    out[n] = 0;
    return pclose(pipe);
}

static void skip_without_library(void)
{
    if (installed)
        return;
    print_message("SKIPPED: nothing is installed: the library is of the "
                  "plain build\n");
    skip();
}

static void expect_said(const char *command)
{
    char out[4096];
    skip_without_library();
    int status = run_command(command, out, sizeof out);
    if (status || strncmp(out, said, sizeof said - 1) != 0)
        print_error("%s\n", out);
    assert_int_equal(status, 0);
    assert_memory_equal(out, said, sizeof said - 1);
}

/* The variables of the make around this are not for the one inside. */
static int install(void **state)
{
    char out[4096];
    char *model = test_path("models/tiny-chat");
    (void)state;
    bool possible = !is_slow() && access("Makefile", R_OK) == 0 &&
                    access(model, R_OK) == 0;
    free(model);
    if (!mkdtemp(folder))
        return -1;
    if (!possible)
        return 0;
    installed = run_command("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s "
                            "install PREFIX=$FOLDER", out, sizeof out) == 0;
    if (!installed)
        print_error("%s\n", out);
    return installed ? 0 : -1;
}

static int uninstall(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

static void the_example_in_c_links_with_what_is_installed(void **state)
{
    (void)state;
    expect_said("cc -Wall -Wextra -Werror server/engine/examples/say.c "
                "$(pkg-config --cflags --libs rung) -o $FOLDER/say && "
                "$FOLDER/say $MODEL 'Once upon a time'");
}

static void it_may_be_linked_into_a_program(void **state)
{
    (void)state;
    expect_said("rm $FOLDER/lib/librung.so && "
                "cc server/engine/examples/say.c "
                "$(pkg-config --cflags --libs --static rung) "
                "-o $FOLDER/say_static && "
                "ln -s librung.so.0 $FOLDER/lib/librung.so && "
                "$FOLDER/say_static $MODEL 'Once upon a time'");
}

static void the_example_in_python_says_the_same(void **state)
{
    (void)state;
    expect_said("python3 server/engine/examples/say.py $MODEL "
                "'Once upon a time'");
}

/* After these words the model's 40 tokens end within a character. */
static void expect_rest(const char *command)
{
    static const char rest[] = "\xef\xbf\xbd\n";
    char out[4096];
    skip_without_library();
    assert_int_equal(run_command(command, out, sizeof out), 0);
    size_t size = strlen(out);
    assert_true(size > sizeof rest);
    assert_string_equal(out + size - (sizeof rest - 1), rest);
}

static void both_say_what_was_held_back(void **state)
{
    (void)state;
    expect_rest("$FOLDER/say $MODEL '\u3053\u3093\u2019'");
    expect_rest("python3 server/engine/examples/say.py $MODEL "
                "'\u3053\u3093\u2019'");
}

/* Comments and all. */
static void examples_are_as_short_as_is_said(void **state)
{
    char out[4096];
    (void)state;
    skip_without_library();
    assert_int_equal(run_command("cat server/engine/examples/say.c | wc -l && "
                                 "cat server/engine/examples/say.py | wc -l",
                                 out, sizeof out), 0);
    int in_c = 0, in_python = 0;
    assert_int_equal(sscanf(out, "%d %d", &in_c, &in_python), 2);
    assert_in_range(in_c, 1, 30);
    assert_in_range(in_python, 1, 30);
}

static void what_is_wrong_is_told(void **state)
{
    static const char *const commands[] = {
        "$FOLDER/say nowhere Once", "python3 server/engine/examples/say.py "
                                    "nowhere Once"};
    (void)state;
    skip_without_library();
    for (size_t i = 0; i < 2; i++) {
        char out[4096];
        assert_int_not_equal(run_command(commands[i], out, sizeof out), 0);
        assert_string_equal(
            out, "nowhere/config.json: No such file or directory\n");
    }
}

/* Nothing else can be seen of it: who links with it may call his functions as
 * he likes. */
static void it_shows_what_the_header_declares(void **state)
{
    (void)state;
    char out[4096];
    if (!installed)
        skip();
    int status = run_command(
        "nm -D --defined-only $FOLDER/lib/librung.so | cut -d' ' -f3 | "
        "while read name; do grep -q \"\\b$name(\" $FOLDER/include/rung.h || "
        "echo $name; done; nm -g --defined-only $FOLDER/lib/librung.a | "
        "grep -v ' rung_\\|^$\\|:$'",
        out, sizeof out);
    (void)status;
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_in_c_links_with_what_is_installed),
        cmocka_unit_test(it_may_be_linked_into_a_program),
        cmocka_unit_test(the_example_in_python_says_the_same),
        cmocka_unit_test(both_say_what_was_held_back),
        cmocka_unit_test(examples_are_as_short_as_is_said),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(it_shows_what_the_header_declares),
    };
    return cmocka_run_group_tests_name("library", tests, install, uninstall);
}
