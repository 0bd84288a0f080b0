/* How thoughts, text and calls are shown, on a terminal and elsewhere. */
#include "buffer.h"
#include "chat_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static struct markup_event text(enum markup_event_type type, const char *text)
{
    return (struct markup_event){
        .type = type, .name = text, .text = text, .size = strlen(text)};
}

#define THOUGHT(words)  text(MARKUP_REASONING, words)
#define SAID(words)     text(MARKUP_CONTENT, words)
#define CALLED(name)    text(MARKUP_CALL, name)
#define ARGUMENTS(json) text(MARKUP_ARGUMENTS, json)

/* Show events (n,) with standard output in a file, whose text goes to out. */
static void show(struct chat_screen s, const struct markup_event *events,
                 size_t n, struct bytes *out)
{
    struct error e;
    FILE *file = tmpfile();
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    for (size_t i = 0; i < n; i++)
        chat_screen_show(&s, &events[i]);
    chat_screen_end(&s);
    dup2(before, STDOUT_FILENO);
    close(before);
    rewind(file);
    assert_int_equal(bytes_read(out, file, "output", &e), 0);
    bytes_add(out, "", 1);
    fclose(file);
    assert_int_equal(s.failed, 0);
}

#define assert_shown(screen, expected, ...)                                   \
    do {                                                                      \
        const struct markup_event list[] = {__VA_ARGS__};                     \
        struct bytes out = {0};                                               \
        show(screen, list, sizeof list / sizeof *list, &out);                 \
        assert_string_equal(out.data, expected);                              \
        bytes_free(&out);                                                     \
    } while (0)

static const struct chat_screen file = {0}, folded = {.folded = true},
                                terminal = {.terminal = true, .colour = true};

static void text_is_shown_as_it_is_and_its_line_ended(void **state)
{
    (void)state;
    assert_shown(file, "One two\n", SAID("One"), SAID(" two"));
    assert_shown(file, "One\n", SAID("One\n"));
    assert_shown(file, "a\033b\n", SAID("a\033b"));
}

static void thoughts_are_marked(void **state)
{
    (void)state;
    assert_shown(file, "[thinks]\nHm.\n[answers]\nYes\n", THOUGHT("Hm"),
                 THOUGHT("."), SAID("Yes"));
    assert_shown(file, "[thinks]\nHm\n", THOUGHT("Hm"));
}

static void thoughts_are_dim_on_a_terminal(void **state)
{
    (void)state;
    assert_shown(terminal, "\033[2mHm\033[0m\nYes\n", THOUGHT("Hm"),
                 SAID("Yes"));
    assert_shown(terminal, "\033[2mHm\033[0m\n", THOUGHT("Hm"));
}

static void thoughts_are_folded_away(void **state)
{
    (void)state;
    assert_shown(folded, "[thinks ...]\nYes\n", THOUGHT("Hm"), THOUGHT("so"),
                 SAID("Yes"));
}

static void calls_are_shown_with_their_arguments(void **state)
{
    (void)state;
    assert_shown(file, "Now.\n[calls left {\"a\": 1}]\n[calls right {}]\n",
                 SAID("Now."), CALLED("left"), ARGUMENTS("{\"a\""),
                 ARGUMENTS(": 1}"), text(MARKUP_CALL_END, ""), CALLED("right"),
                 ARGUMENTS("{}"), text(MARKUP_CALL_END, ""));
}

static void calls_that_failed_say_so(void **state)
{
    (void)state;
    assert_shown(file, "[calls left {a] (its arguments are no JSON)\n",
                 CALLED("left"), ARGUMENTS("{a"), text(MARKUP_CALL_BAD, ""));
    assert_shown(file, "[calls left {a ... cut off]\n", CALLED("left"),
                 ARGUMENTS("{a"), text(MARKUP_CALL_CUT, ""));
    assert_shown(file, "lef\n", SAID("lef"), text(MARKUP_CALL_CUT, ""));
}

static void nothing_steers_a_terminal(void **state)
{
    (void)state;
    assert_shown(terminal, "a\nb\n", SAID("a\nb"));
    assert_shown(terminal, "a?[2Jb\tc?\n", SAID("a\033[2Jb\tc\x7F"));
    assert_shown(terminal, "?31m \xC3\xA9\n",
                 SAID("\xC2\x9B"
                      "31m \xC3\xA9"));
    assert_shown(terminal, "[calls a?b x?]\n", CALLED("a\033b"),
                 ARGUMENTS("x\r"), text(MARKUP_CALL_END, ""));
}

static void an_empty_line_sets_answers_apart(void **state)
{
    (void)state;
    const struct chat_screen apart = {.apart = true};
    assert_shown(apart, "\nOne\n", SAID("One"));
    assert_shown(apart, "\n[thinks]\nHm\n[answers]\nOne\n", THOUGHT("Hm"),
                 SAID("One"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_shown_as_it_is_and_its_line_ended),
        cmocka_unit_test(thoughts_are_marked),
        cmocka_unit_test(thoughts_are_dim_on_a_terminal),
        cmocka_unit_test(thoughts_are_folded_away),
        cmocka_unit_test(calls_are_shown_with_their_arguments),
        cmocka_unit_test(calls_that_failed_say_so),
        cmocka_unit_test(nothing_steers_a_terminal),
        cmocka_unit_test(an_empty_line_sets_answers_apart),
    };
    return cmocka_run_group_tests_name("chat_screen", tests, NULL, NULL);
}
