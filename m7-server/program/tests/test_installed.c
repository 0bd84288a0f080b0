/* The program as others get it: installed, and run from another folder, where
 * nothing of the checkout is to be found. */
#include "test_commands.h"
#include "test_long.h"

static char folder[] = "/tmp/rung-installed-XXXXXX";
static bool installed;

/* Run a command in the shell, in the root folder, without what tells the
 * program where models are; FOLDER is where it was installed.  What it prints
 * is in out (size,), its exit status is returned. */
static int run_there(const char *command, char *out, size_t size)
{
    char line[2048];
    snprintf(line, sizeof line,
             "cd /; export FOLDER=%s; unset RUNG_MODEL RUNG_MODELS; "
             "{ %s; } 2>&1",
             folder, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t n = fread(out, 1, size - 1, pipe);
    out[n] = 0;
    return pclose(pipe);
}

/* By a staging folder, as packages are made, for /opt/rungs.  The variables of
 * the make around this are not for the one inside. */
static int install(void **state)
{
    char out[4096], here[2048], line[4096];
    bool possible = !is_slow() && access("Makefile", R_OK) == 0;
    if (name_model(state) || !mkdtemp(folder) || !getcwd(here, sizeof here))
        return -1;
    if (!possible || access(getenv("RUNG_MODEL"), R_OK))
        return 0;
    snprintf(line, sizeof line,
             "cd '%s' && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s "
             "install PREFIX=$FOLDER/late DESTDIR=$FOLDER/stage && "
             "mv $FOLDER/stage$FOLDER/late $FOLDER/now",
             here);
    installed = run_there(line, out, sizeof out) == 0;
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

static void expect_there(const char *command, const char *expected)
{
    char out[8192];
    if (!installed) {
        print_message("SKIPPED: nothing is installed: the program is of the "
                      "plain build\n");
        skip();
    }
    int status = run_there(command, out, sizeof out);
    if (status || !strstr(out, expected))
        print_error("%s\n", out);
    assert_int_equal(status, 0);
    assert_non_null(strstr(out, expected));
}

static void it_finds_its_models_from_any_folder(void **state)
{
    (void)state;
    char encode[256];
    snprintf(encode, sizeof encode, "$FOLDER/now/bin/rung encode '%s'",
             france);
    expect_there(encode, "287 458 321 597 3562 295\n");
    expect_there("$FOLDER/now/bin/rung demo",
                 "/now/bin/rung serve  then open http://127.0.0.1:8080/");
    expect_there("echo 'What is the capital of Japan?' | "
                 "$FOLDER/now/bin/rung chat -q -t 0",
                 "The capital of Japan is Tokyo.\n");
}

static void it_is_found_by_a_link_and_by_the_path(void **state)
{
    (void)state;
    expect_there("ln -s now/bin/rung $FOLDER/link && "
                 "$FOLDER/link encode ' is'",
                 "295\n");
    expect_there("cd $FOLDER && PATH=$FOLDER/now/bin:$PATH rung encode ' is'",
                 "295\n");
}

/* The log of one before must not be taken for its own. */
#define SERVE(program)                                                        \
    "rm -f $FOLDER/log; "                                                     \
    "timeout -s INT 60 " program " serve --port 0 > $FOLDER/log 2>&1 & p=$!"  \
    "; until grep Serving $FOLDER/log; do kill -0 $p || break; sleep 0.05; "  \
    "done; kill $p; wait $p; cat $FOLDER/log"
#define SERVED                                                                \
    "rung: tiny-draft guesses what others will say\nServing 2 models at "

static void it_serves_them_and_lets_the_draft_guess(void **state)
{
    (void)state;
    expect_there(SERVE("$FOLDER/now/bin/rung"), SERVED);
}

/* Whoever may write in a folder must not choose the model of those who work
 * beside it. */
static void models_of_the_current_folder_are_not_its_own(void **state)
{
    (void)state;
    expect_there("mkdir -p $FOLDER/theirs/tests/models $FOLDER/theirs/here && "
                 "cd $FOLDER/theirs/here && "
                 "$FOLDER/now/bin/rung encode ' is'",
                 "295\n");
    expect_there("cp -r $FOLDER/now/share/rungs/models $FOLDER/theirs/tests "
                 "&& mkdir $FOLDER/alone && "
                 "cp $FOLDER/now/bin/rung $FOLDER/alone && "
                 "cd $FOLDER/theirs/here && ! $FOLDER/alone/rung encode ' is'",
                 "/late/share/rungs/models/tiny-chat: No such file");
}

/* However long it is, and with blanks and quotes in it. */
static void the_demo_names_it_as_a_shell_takes_it(void **state)
{
    (void)state;
    char expected[512];
    snprintf(expected, sizeof expected,
             "/it'\\''s in here/%0250d/rung' serve  then open http", 0);
    expect_there("d=\"$FOLDER/it's in here/$(printf %0250d 0)\" && "
                 "mkdir -p \"$d\" && cp $FOLDER/now/bin/rung \"$d\" && "
                 "export RUNG_MODEL=$FOLDER/now/share/rungs/models/tiny-chat "
                 "&& \"$d/rung\" demo",
                 expected);
}

/* As where the system does not tell a program where it stands: by PREFIX. */
static void a_program_apart_from_its_models_finds_them_by_the_prefix(
    void **state)
{
    (void)state;
    expect_there("mkdir $FOLDER/apart && "
                 "cp $FOLDER/now/bin/rung $FOLDER/apart && "
                 "! $FOLDER/apart/rung serve",
                 "rung: no model is named, and none came with the program");
    expect_there("mv $FOLDER/now $FOLDER/late && "
                 "$FOLDER/apart/rung encode ' is'; s=$?; "
                 "mv $FOLDER/late $FOLDER/now; exit $s",
                 "295\n");
    expect_there("mv $FOLDER/now $FOLDER/late; " SERVE("$FOLDER/apart/rung")
                 "; mv $FOLDER/late $FOLDER/now",
                 SERVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_its_models_from_any_folder),
        cmocka_unit_test(it_is_found_by_a_link_and_by_the_path),
        cmocka_unit_test(it_serves_them_and_lets_the_draft_guess),
        cmocka_unit_test(models_of_the_current_folder_are_not_its_own),
        cmocka_unit_test(the_demo_names_it_as_a_shell_takes_it),
        cmocka_unit_test(
            a_program_apart_from_its_models_finds_them_by_the_prefix),
    };
    return cmocka_run_group_tests_name("installed", tests, install, uninstall);
}
