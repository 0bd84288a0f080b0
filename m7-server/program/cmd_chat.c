/* The command that talks with a model.
 *
 * Answers go to standard output, and all else to standard error.  On a
 * terminal its own line editing is what there is; from a file or a pipe a line
 * is a question, and an error ends it all. */
#include "chat_screen.h"
#include "commands.h"
#include "conversation.h"
#include "folder.h"
#include "found_models.h"
#include "show.h"
#include "speaker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct talk {
    struct conversation conversation;
    struct speaker speaker;
    struct answer_wait wait;
    bool interactive; /* somebody types */
    bool figures, folded;
    bool answered; /* there was an answer already */
};

/* --- answers ------------------------------------------------------------- */

/* What an answer took. */
static void print_figures(const struct talk *t, const struct spoken *spoken)
{
    const struct rung_result *r = &spoken->result;
    fprintf(stderr, "%zu read", r->prompt_tokens - r->cached_tokens);
    if (r->cached_tokens > 0)
        fprintf(stderr, ", %zu known", r->cached_tokens);
    fprintf(stderr, ", %zu written", r->new_tokens);
    if (spoken->n_reasoning > 0)
        fprintf(stderr, ", %zu of them in thought", spoken->n_reasoning);
    fprintf(stderr, "; the first after %.3f s", r->queued + r->prefill);
    if (r->new_tokens > 1 && r->decode > 0)
        fprintf(stderr, ", then %.1f tokens/s",
                (double)(r->new_tokens - 1) / r->decode);
    if (t->speaker.asked.sampling.temperature > 0)
        fprintf(stderr, "; seed %llu", (unsigned long long)spoken->seed);
    fprintf(stderr, "\n");
}

/* An answer that was cut off says so. */
static void print_end(const struct talk *t, const struct spoken *spoken)
{
    if (spoken->interrupted)
        fprintf(stderr, "(stopped)\n");
    else if (spoken->result.reason != RUNG_LENGTH)
        return;
    else if (spoken->most == t->speaker.most)
        fprintf(stderr, "(cut off after %zu tokens: -n lets it say more)\n",
                spoken->most);
    else
        fprintf(stderr,
                "(cut off: the %zu tokens of the context are full; /new "
                "begins another conversation)\n",
                t->speaker.model->facts->context);
}

static struct chat_screen new_screen(const struct talk *t)
{
    return (struct chat_screen){.terminal = isatty(STDOUT_FILENO),
                                .colour = show_in_color(false),
                                .folded = t->folded,
                                .apart = t->answered && !t->interactive};
}

static int let_answer(struct talk *t, struct error *e)
{
    struct chat_screen screen = new_screen(t);
    struct spoken spoken;
    if (speaker_answer(&t->speaker, &t->conversation, &screen, &spoken, e)) {
        conversation_take_back_question(&t->conversation);
        return -1;
    }
    t->answered = true;
    print_end(t, &spoken);
    if (t->figures)
        print_figures(t, &spoken);
    return 0;
}

/* --- the model ----------------------------------------------------------- */

static int check_tools(const struct talk *t, struct error *e)
{
    if (!t->conversation.tools || speaker_takes_tools(&t->speaker))
        return 0;
    return fail(e, ERROR_UNSUPPORTED,
                "%s: the chat template of this model has no place for tools",
                t->speaker.model->facts->path);
}

/* What is not as it should be with the model that is asked. */
static void warn_of_model(const struct talk *t)
{
    const char *warning = chat_template_warning(t->speaker.model->template);
    if (warning)
        fprintf(stderr, "rung: %s\n", warning);
    if (t->conversation.tools && served_calls_are_text(t->speaker.model))
        fprintf(stderr, "rung: how this model writes calls of tools is not "
                        "known here: they are shown as text\n");
}

/* --- commands ------------------------------------------------------------ */

/* What begins with a slash, and what follows it: "" for nothing. */
struct talk_command {
    const char *name, *argument, *help;
    int (*run)(struct talk *t, const char *argument, struct error *e);
};

/* Say that something was done, to somebody who is there. */
static void confirm(const struct talk *t, const char *words)
{
    if (t->interactive)
        fprintf(stderr, "(%s)\n", words);
}

static int begin_again(struct talk *t, const char *argument, struct error *e)
{
    (void)argument;
    (void)e;
    conversation_clear(&t->conversation);
    confirm(t, "a new conversation");
    return 0;
}

static int answer_again(struct talk *t, const char *argument, struct error *e)
{
    (void)argument;
    if (!conversation_take_back(&t->conversation))
        return fail(e, ERROR_USAGE, "there is no answer yet");
    return let_answer(t, e);
}

static int set_system(struct talk *t, const char *argument, struct error *e)
{
    if (conversation_set_system(&t->conversation, argument, e))
        return -1;
    confirm(t, *argument ? "from now on" : "nobody in particular");
    return 0;
}

static int set_thinking(struct talk *t, const char *argument, struct error *e)
{
    bool on = strcmp(argument, "on") == 0;
    if (!on && strcmp(argument, "off") != 0)
        return fail(e, ERROR_USAGE, "/think on, or /think off");
    t->speaker.thinking = on ? THINKING_ON : THINKING_OFF;
    confirm(t, on ? "it may think first" : "it does not think first");
    return 0;
}

/* The thoughts that were folded away, or are to be seen again. */
static int show_thought(struct talk *t, const char *argument, struct error *e)
{
    struct chat_screen screen = new_screen(t);
    struct markup_event event = {.type = MARKUP_REASONING};
    (void)argument;
    event.text = conversation_thought(&t->conversation, &event.size);
    if (!event.text)
        return fail(e, ERROR_USAGE, "no answer began with a thought");
    screen.folded = false;
    chat_screen_show(&screen, &event);
    chat_screen_end(&screen);
    return 0;
}

static int switch_fold(struct talk *t, const char *argument, struct error *e)
{
    (void)argument;
    (void)e;
    t->folded = !t->folded;
    confirm(t, t->folded ? "thoughts are folded away" : "thoughts are shown");
    return 0;
}

static int switch_figures(struct talk *t, const char *argument,
                          struct error *e)
{
    (void)argument;
    (void)e;
    t->figures = !t->figures;
    confirm(t, t->figures ? "with figures" : "without figures");
    return 0;
}

static int list_models(const struct talk *t)
{
    const struct served_list *all = &t->speaker.models;
    for (size_t i = 0; i < all->n; i++)
        if (!all->items[i].facts->embeds)
            fprintf(stderr, "  %s%s\n", all->items[i].facts->name,
                    &all->items[i] == t->speaker.model ? "  (answers now)"
                                                       : "");
    return 0;
}

/* Another model answers.  The conversation stays; the new model reads what it
 * has not read of it, and the one before keeps its cache. */
static int choose_model(struct talk *t, const char *argument, struct error *e)
{
    const char *before = t->speaker.model->facts->name;
    struct error none;
    if (!*argument)
        return list_models(t);
    if (speaker_choose(&t->speaker, argument, e))
        return -1;
    if (check_tools(t, e))
        return speaker_choose(&t->speaker, before, &none), -1;
    confirm(t, "it reads the conversation, and answers from now on");
    warn_of_model(t);
    return 0;
}

static int save(struct talk *t, const char *argument, struct error *e)
{
    if (!*argument)
        return fail(e, ERROR_USAGE, "/save FILE: where to?");
    if (conversation_save(&t->conversation, t->speaker.model->facts->name,
                          argument, e))
        return -1;
    confirm(t, "saved, as the body of a request to rung serve");
    return 0;
}

static int show_help(struct talk *t, const char *argument, struct error *e);

static const struct talk_command talk_commands[] = {
    {"/new", "", "forget the conversation, and begin another", begin_again},
    {"/regenerate", "", "another answer to the same question", answer_again},
    {"/again", "", "the same", answer_again},
    {"/model", "[NAME]", "which models there are; ask another", choose_model},
    {"/system", "TEXT", "who the model is to be", set_system},
    {"/think", "on|off", "whether it thinks before it answers", set_thinking},
    {"/thought", "", "what it thought before its last answer", show_thought},
    {"/fold", "", "thoughts are shown as they come, or not", switch_fold},
    {"/figures", "", "what answers take is shown, or not", switch_figures},
    {"/save", "FILE", "keep the conversation, as JSON", save},
    {"/help", "", "this list", show_help},
};

static int show_help(struct talk *t, const char *argument, struct error *e)
{
    (void)t;
    (void)argument;
    (void)e;
    for (size_t i = 0; i < sizeof talk_commands / sizeof *talk_commands; i++)
        fprintf(stderr, "  %-12s%-8s%s\n", talk_commands[i].name,
                talk_commands[i].argument, talk_commands[i].help);
    fprintf(stderr,
            "  //...               a question that begins with one slash\n"
            "  Ctrl-C stops an answer; the end of the input (Ctrl-D) ends.\n");
    return 0;
}

static int run_command(struct talk *t, char *line, struct error *e)
{
    size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    line[length] = 0;
    for (size_t i = 0; i < sizeof talk_commands / sizeof *talk_commands; i++) {
        const struct talk_command *c = &talk_commands[i];
        if (strcmp(c->name, line) != 0)
            continue;
        if (*argument && !*c->argument)
            return fail(e, ERROR_USAGE, "%s stands alone", line);
        return c->run(t, argument, e);
    }
    return fail(e, ERROR_USAGE, "there is no command %s (see: /help)", line);
}

/* --- lines --------------------------------------------------------------- */

static int take_line(struct talk *t, char *line, size_t size, struct error *e)
{
    if (line[0] == '/' && line[1] != '/' && strlen(line) == size)
        return run_command(t, line, e);
    size_t skipped = strncmp(line, "//", 2) == 0;
    if (conversation_say(&t->conversation, line + skipped, size - skipped, e))
        return -1;
    return conversation_is_asked(&t->conversation) ? let_answer(t, e) : 0;
}

static void print_prompt(const struct talk *t)
{
    const char *called = conversation_called(&t->conversation);
    if (!t->interactive)
        return;
    if (called)
        fprintf(stderr, "result of %s> ", called);
    else
        fprintf(stderr, "> ");
}

/* The next line without its end, in *line (*size,); false: there is none. */
static bool read_line(struct talk *t, char **line, size_t *room, size_t *size)
{
    print_prompt(t);
    answer_wait_allow(&t->wait, true);
    ssize_t n = getline(line, room, stdin);
    answer_wait_allow(&t->wait, false);
    if (n < 0)
        return false;
    *size = (size_t)n;
    while (*size > 0 && strchr("\r\n", (*line)[*size - 1]) &&
           (*line)[*size - 1])
        (*line)[--*size] = 0;
    return true;
}

/* An error is told to somebody who types, and ends what comes from a file. */
static int take_lines(struct talk *t, struct error *e)
{
    char *line = NULL;
    size_t room = 0, size;
    int result = 0;
    while (result == 0 && read_line(t, &line, &room, &size)) {
        if (size > 0)
            result = take_line(t, line, size, e);
        if (result == 0 || !t->interactive)
            continue;
        fprintf(stderr, "rung: %s\n", e->message);
        result = 0;
    }
    free(line);
    if (result == 0 && ferror(stdin))
        return fail_errno(e, "standard input");
    if (t->interactive)
        fprintf(stderr, "\n");
    return result;
}

/* --- the whole ----------------------------------------------------------- */

static void greet(const struct talk *t)
{
    const struct rung_facts *f = t->speaker.model->facts;
    warn_of_model(t);
    if (t->interactive)
        fprintf(stderr,
                "%s, which reads up to %zu tokens.  /help lists commands; "
                "Ctrl-C stops an answer.\n",
                f->name, f->context);
}

/* The models that the command line names; else by -m or $RUNG_MODEL one; else
 * those that are found, with what guesses for them. */
static int open_talk(struct talk *t, struct settings *s,
                     struct found_models *f, struct error *e)
{
    const char *const *paths = (const char *const *)s->arguments;
    size_t n = (size_t)s->n_arguments;
    if (n == 0 && !s->own_model) {
        paths = &s->model;
        n = 1;
    } else if (n == 0) {
        if (found_models_read(f, e))
            return -1;
        paths = (const char *const *)f->paths;
        n = f->n;
        s->draft = s->draft ? s->draft : f->draft;
    }
    return speaker_open(&t->speaker, s, paths, n, &t->wait, e);
}

int cmd_chat(const struct settings *s, struct error *e)
{
    struct talk t = {.interactive = isatty(STDIN_FILENO),
                     .figures = !s->quiet,
                     .folded = !s->thoughts};
    struct settings asked = *s;
    struct found_models found = {.n = 0};
    if (conversation_init(&t.conversation, s->system, s->tools, e))
        return -1;
    answer_wait_init(&t.wait);
    int result = open_talk(&t, &asked, &found, e);
    if (result == 0) {
        result = check_tools(&t, e);
        if (result == 0) {
            greet(&t);
            result = take_lines(&t, e);
        }
        speaker_close(&t.speaker);
    }
    found_models_free(&found);
    conversation_free(&t.conversation);
    return result;
}
