/* The demo of this rung: a question is answered at once, and then it is said
 * how to go on.  What is below it, the demos of the rungs below show. */
#include "commands.h"
#include "folder.h"
#include "show.h"
#include "speaker.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A question, and its answer as it comes. */
static int answer_shown(const struct settings *s, struct conversation *c,
                        const char *question, struct error *e)
{
    struct settings one = {.temperature = {true, 0}, .tokens = {true, 80}};
    struct chat_screen screen = {.terminal = isatty(STDOUT_FILENO),
                                 .colour = show_in_color(s->color)};
    struct speaker speaker;
    struct answer_wait wait;
    struct spoken spoken;
    answer_wait_init(&wait);
    int result = conversation_say(c, question, strlen(question), e);
    if (result == 0)
        result = speaker_open(&speaker, &one, &s->model, 1, &wait, e);
    if (result == 0) {
        result = speaker_answer(&speaker, c, &screen, &spoken, e);
        speaker_close(&speaker);
    }
    answer_wait_allow(&wait, true);
    return result;
}

/* A word as a shell takes it: between quotes where it needs them.  Returns how
 * many bytes that are. */
static int print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";
    if (word[strspn(word, plain)] == 0)
        return printf("%s", word);
    int width = printf("'");
    for (; *word; word++)
        width += *word == '\'' ? printf("'\\''") : printf("%c", *word);
    return width + printf("'");
}

/* A command to be typed in the folder that this one was typed in: a program,
 * and its arguments. */
static void print_way(const char *program, const char *arguments,
                      const char *does)
{
    printf("    ");
    int width = print_word(program) + printf(" %s", arguments);
    printf("%*s  %s\n", width < 22 ? 22 - width : 0, "", does);
}

static void print_ways_on(void)
{
    printf("\nThat was computed here, by this program alone.  Go on:\n\n");
    print_way(own_program(), "serve",
              "then open http://127.0.0.1:8080/ in a browser");
    print_way(own_program(), "chat", "talk with it in this terminal");
    if (path_exists("book/book.mk"))
        print_way("make", "serve", "read the book about how all this works");
    else if (path_exists("../book/book.mk"))
        print_way("make", "-C .. serve",
                  "read the book about how all this works");
}

int cmd_demo(const struct settings *s, struct error *e)
{
    static const char question[] = "What is the capital of Japan?";
    struct conversation c;
    if (conversation_init(&c, NULL, NULL, e))
        return -1;
    printf("> %s\n", question);
    fflush(stdout);
    int result = answer_shown(s, &c, question, e);
    conversation_free(&c);
    if (result == 0)
        print_ways_on();
    return result;
}
