/* `rung encode` and `rung decode`, used as a newcomer would use them. */
#include "test_run.h"

#include <poll.h>

/* The words of a command line after the program's name. */
#define WORDS(...) ((char *[]){"rung", __VA_ARGS__, NULL})

static void assert_printed(const struct bytes *found, const char *expected,
                           size_t size)
{
    if (found->size != size || memcmp(found->data, expected, size) != 0)
        print_error("printed: %s\n", found->data);
    assert_int_equal(found->size, size);
    assert_memory_equal(found->data, expected, size);
}

/* Run with input (size,), and demand this output (out_size,), nothing on
 * standard error, and success. */
static void assert_answer(char **words, const char *input, size_t size,
                          const char *out, size_t out_size)
{
    struct outcome o = run_rung(words, input, size);
    assert_string_equal(o.err.data, "");
    assert_int_equal(o.status, 0);
    assert_printed(&o.out, out, out_size);
    outcome_free(&o);
}

static void assert_says(char **words, const char *input, const char *out)
{
    assert_answer(words, input, strlen(input), out, strlen(out));
}

/* Demand this exit status and, on standard error, this one line. */
static void assert_refuses(char **words, const char *input, int status,
                           const char *message)
{
    struct outcome o = run_rung(words, input, strlen(input));
    assert_string_equal(o.err.data, message);
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

/* --- encode ------------------------------------------------------------- */

static void encode_prints_ids_on_one_line(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "The capital of France is"), "",
                "287 458 321 597 3562 295\n");
    assert_says(WORDS("encode", ""), "", "\n");
    assert_says(WORDS("encode", "--", "--"), "", "12 12\n");
}

static void encode_reads_all_of_standard_input(void **state)
{
    (void)state;
    assert_says(WORDS("encode"), "na\u00efve\n", "925 127 107 351 198\n");
    assert_says(WORDS("encode", "-"), "na\u00efve\n", "925 127 107 351 198\n");
    assert_answer(WORDS("encode"), "a\0b", 3, "64 188 65\n", 10);
}

static void encode_reads_broken_text_as_python_does(void **state)
{
    (void)state;
    assert_says(WORDS("encode"),
                "a\xff\xe2\x82"
                "b",
                "64 171 123 121 171 123 121 65\n");
}

static void encode_knows_special_tokens_in_the_text(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "<|im_start|>hi<|im_end|>"), "",
                "4088 645 4089\n");
}

static void encode_adds_the_model_s_own_tokens(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-embed");
    assert_says(WORDS("encode", "-m", model, " hi"), "", "2606 4087\n");
    assert_says(WORDS("encode", "-m", model, " hi", "--no-special"), "",
                "2606\n");
    free(model);
}

static void encode_shows_pieces(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "--pieces", " hi \u00e9\u65e5\n\\"), "",
                "    2606  20 68 69  ' hi'\n"
                "     220  20        ' '\n"
                "    2380  c3 a9     '\u00e9'\n"
                "     162  e6        '\\xE6'\n"
                "     245  97        '\\x97'\n"
                "      98  a5        '\\xA5'\n"
                "     198  0a        '\\n'\n"
                "      59  5c        '\\\\'\n");
}

static void pieces_never_steer_the_terminal(void **state)
{
    (void)state;
    const char *text = "{\"model\": {\"type\": \"BPE\", \"merges\": [],"
                       "\"vocab\": {\"\xC2\x9B\": 0, \"\u202e\": 1}}}";
    char model[] = "/tmp/rung-test-XXXXXX";
    int file = mkstemp(model);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    assert_says(WORDS("encode", "--pieces", "-m", model, "\xC2\x9B\u202e"), "",
                "       0  c2 9b     '\\xC2\\x9B'\n"
                "       1  e2 80 ae  '\\xE2\\x80\\xAE'\n");
    unlink(model);
}

static void encode_colours_pieces_when_asked(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "--pieces", "--color", " hiHi"), "",
                "    2606  20 68 69  \033[30;48;5;153m hi\033[0m\n"
                "    1141  48 69     \033[30;48;5;157mHi\033[0m\n");
}

static void encode_prints_json(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "--json", "The capital"), "", "[287,458]\n");
    assert_says(WORDS("encode", "--json", ""), "", "[]\n");
    assert_says(WORDS("encode", "--json", "--pieces", " hi<|im_end|>"), "",
                "[{\"id\":2606,\"token\":\"\u0120hi\",\"bytes\":[32,104,105]},"
                "{\"id\":4089,\"token\":\"<|im_end|>\",\"bytes\":[60,124,105,"
                "109,95,101,110,100,124,62]}]\n");
}

/* --- decode ------------------------------------------------------------- */

static void decode_prints_the_text_to_the_byte(void **state)
{
    (void)state;
    assert_says(WORDS("decode", "287", "458", "321"), "", "The capital of");
    assert_says(WORDS("decode", "287 458", "321"), "", "The capital of");
    assert_says(WORDS("decode"), "287 458\n\t321\r\n", "The capital of");
    assert_says(WORDS("decode", "-"), "925 127 107 351 198\n", "na\u00efve\n");
    assert_says(WORDS("decode"), "", "");
    assert_answer(WORDS("decode", "64", "188"), "", 0, "a\0", 2);
}

static void decode_reads_ids_as_encode_prints_them(void **state)
{
    (void)state;
    assert_says(WORDS("decode"), "[287,458, 321]\n", "The capital of");
    assert_says(WORDS("decode", "-"), " 287,458,\n321", "The capital of");
    assert_says(WORDS("decode", "[287,", "458]"), "", "The capital");
    assert_says(WORDS("decode", "287,", "458"), "", "The capital");
    assert_says(WORDS("decode"), "[]", "");
}

static void decode_replaces_half_a_character(void **state)
{
    (void)state;
    assert_says(WORDS("decode", "162", "245", "64"), "", "\ufffda");
}

static void decode_keeps_special_tokens_unless_told(void **state)
{
    (void)state;
    assert_says(WORDS("decode", "4088", "645", "4089"), "",
                "<|im_start|>hi<|im_end|>");
    assert_says(WORDS("decode", "4088", "645", "4089", "--no-special"), "",
                "hi");
}

static void decode_prints_json(void **state)
{
    (void)state;
    assert_says(WORDS("decode", "--json", "925", "127", "107", "198", "188"),
                "", "\"na\u00ef\\n\\u0000\"\n");
}

/* --- one value a line --------------------------------------------------- */

static void lines_are_answered_with_lines(void **state)
{
    (void)state;
    assert_says(WORDS("encode", "--jsonl"),
                "\"The capital\"\n\"\"\n\"a\\u0000b\"\n\"\\u65e5\\u672c\"",
                "[287,458]\n[]\n[64,188,65]\n[162,245,98,162,250,105]\n");
    assert_says(WORDS("decode", "--jsonl"), "[287, 458]\n[]\n[198]\n",
                "\"The capital\"\n\"\"\n\"\\n\"\n");
    assert_says(WORDS("decode", "--jsonl", "--no-special", "-"),
                "[4088, 645]\n", "\"hi\"\n");
    assert_says(WORDS("encode", "--jsonl"), "", "");
}

/* Send a line and wait for its answer; no other line has been sent yet. */
static void assert_line_answered(FILE *to, FILE *from, const char *line,
                                 const char *answer)
{
    char found[100] = "";
    fputs(line, to);
    fflush(to);
    struct pollfd wait = {.fd = fileno(from), .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 20000), 1);
    assert_non_null(fgets(found, sizeof found, from));
    assert_string_equal(found, answer);
}

static void each_line_is_answered_at_once(void **state)
{
    (void)state;
    int there[2], back[2];
    assert_int_equal(pipe(there) | pipe(back), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(there[0], 0);
        dup2(back[1], 1);
        close(there[1]);
        close(back[0]);
        const char *program = getenv("RUNG");
        execv(program ? program : "./rung", WORDS("encode", "--jsonl"));
        _exit(127);
    }
    close(there[0]);
    close(back[1]);
    FILE *to = fdopen(there[1], "w"), *from = fdopen(back[0], "r");
    assert_line_answered(to, from, "\"The capital\"\n", "[287,458]\n");
    assert_line_answered(to, from, "\" hi\"\n", "[2606]\n");
    fclose(to);
    fclose(from);
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void an_error_names_the_line(void **state)
{
    (void)state;
    assert_refuses(WORDS("encode", "--jsonl"), "\"a\"\n{\"b\"\n", 1,
                   "rung: standard input: line 2: not JSON: ':' expected "
                   "near end of file (line 1, column 4, byte 4)\n");
    assert_refuses(WORDS("encode", "--jsonl"), "[1]\n", 1,
                   "rung: standard input: line 1: expected a string, found "
                   "an array\n");
    assert_refuses(WORDS("decode", "--jsonl"), "[1]\n[2]\n[3, \"4\"]\n", 1,
                   "rung: standard input: line 3: [1]: expected an integer, "
                   "found a string\n");
    assert_refuses(WORDS("decode", "--jsonl"), "[1]\n[4096]\n", 1,
                   "rung: standard input: line 2: 4096 is no token's id (the "
                   "largest is 4095)\n");
}

/* --- what is refused ---------------------------------------------------- */

static void wrong_ids_are_refused(void **state)
{
    (void)state;
    assert_refuses(WORDS("decode", "1", "5x"), "", 2,
                   "rung: \"5x\" is no token id\n");
    assert_refuses(WORDS("decode", "--", "-1"), "", 2,
                   "rung: \"-1\" is no token id\n");
    assert_refuses(WORDS("decode"), "1 2147483648\n", 2,
                   "rung: \"2147483648\" is no token id\n");
    assert_refuses(WORDS("decode", "1", "[2]"), "", 2,
                   "rung: \"[2]\" is no token id\n");
    assert_refuses(WORDS("decode"), " [1, [2]]\n", 1,
                   "rung: standard input: [1]: expected an integer, found "
                   "an array\n");
    assert_refuses(WORDS("decode", " [1,]"), "", 1,
                   "rung: arguments: not JSON: unexpected token near ']' "
                   "(line 1, column 4, byte 5)\n");
    assert_refuses(WORDS("decode", "2147483647"), "", 1,
                   "rung: 2147483647 is no token's id (the largest is "
                   "4095)\n");
}

static void wrong_use_is_refused_with_status_2(void **state)
{
    (void)state;
    assert_refuses(WORDS("encode", "a", "b"), "", 2,
                   "rung: too many arguments: rung encode [TEXT|-]\n");
    assert_refuses(WORDS("decode", "--pieces"), "", 2,
                   "rung: rung decode takes no option --pieces\n");
    assert_refuses(WORDS("encode", "--jsonl", "text"), "", 2,
                   "rung: --jsonl reads standard input: it takes no "
                   "argument\n");
    assert_refuses(WORDS("encoed"), "", 2,
                   "rung: unknown command \"encoed\" (see: rung help)\n");
    assert_refuses(WORDS("help", "encoed"), "", 2,
                   "rung: unknown command \"encoed\" (see: rung help)\n");
}

static void a_missing_model_is_named(void **state)
{
    (void)state;
    assert_refuses(WORDS("encode", "-m", "build/nowhere", "a"), "", 1,
                   "rung: build/nowhere: No such file or directory\n");
}

/* --- help and demo ------------------------------------------------------ */

static void assert_mentions(char **words, const char *const *expected)
{
    struct outcome o = run_rung(words, "", 0);
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err.data, "");
    for (; *expected; expected++)
        if (!strstr(o.out.data, *expected))
            fail_msg("%s is missing in:\n%s", *expected, o.out.data);
    outcome_free(&o);
}

static void help_lists_the_commands(void **state)
{
    (void)state;
    const char *const all[] = {"usage: rung COMMAND", "\n  demo ",
                               "\n  encode   [TEXT|-] ",
                               "\n  decode   [ID...|-] ", NULL};
    assert_mentions(WORDS("help"), all);
    assert_mentions(WORDS("--help"), all);
    assert_mentions(WORDS("help", "help"), all);
    assert_mentions(WORDS("help", "-h"), all);
    assert_mentions((char *[]){"rung", NULL}, all);
    const char *const one[] = {"usage: rung encode [OPTION]... [TEXT|-]\n",
                               "  -m, --model MODEL   a model's folder",
                               "\n      --jsonl ", NULL};
    assert_mentions(WORDS("help", "encode"), one);
    assert_mentions(WORDS("encode", "--help"), one);
    assert_mentions(WORDS("encode", "a", "b", "-h"), one);
    assert_says(WORDS("encode", "--", "-h"), "", "12 71\n");
}

/* Every run finds the reading model without being told. */
static int name_the_model(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-chat");
    setenv("RUNG_MODEL", model, 1);
    free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encode_prints_ids_on_one_line),
        cmocka_unit_test(encode_reads_all_of_standard_input),
        cmocka_unit_test(encode_reads_broken_text_as_python_does),
        cmocka_unit_test(encode_knows_special_tokens_in_the_text),
        cmocka_unit_test(encode_adds_the_model_s_own_tokens),
        cmocka_unit_test(encode_shows_pieces),
        cmocka_unit_test(pieces_never_steer_the_terminal),
        cmocka_unit_test(encode_colours_pieces_when_asked),
        cmocka_unit_test(encode_prints_json),
        cmocka_unit_test(decode_prints_the_text_to_the_byte),
        cmocka_unit_test(decode_reads_ids_as_encode_prints_them),
        cmocka_unit_test(decode_replaces_half_a_character),
        cmocka_unit_test(decode_keeps_special_tokens_unless_told),
        cmocka_unit_test(decode_prints_json),
        cmocka_unit_test(lines_are_answered_with_lines),
        cmocka_unit_test(each_line_is_answered_at_once),
        cmocka_unit_test(an_error_names_the_line),
        cmocka_unit_test(wrong_ids_are_refused),
        cmocka_unit_test(wrong_use_is_refused_with_status_2),
        cmocka_unit_test(a_missing_model_is_named),
        cmocka_unit_test(help_lists_the_commands),
    };
    const struct CMUnitTest none[] = {
        {"encode_and_decode", skip_without_files, NULL, NULL, "models"}};
    if (access(test_folder(), R_OK))
        return cmocka_run_group_tests_name("encode and decode", none, NULL,
                                           NULL);
    return cmocka_run_group_tests_name("encode and decode", tests,
                                       name_the_model, NULL);
}
