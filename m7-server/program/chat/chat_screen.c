/* How an answer is shown: see chat_screen.h. */
#include "chat_screen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- bytes --------------------------------------------------------------- */

static void screen_bytes(struct chat_screen *s, const char *text, size_t size)
{
    if (size > 0 && fwrite(text, 1, size, stdout) != size)
        s->failed = errno ? errno : EIO;
}

static void screen_words(struct chat_screen *s, const char *text)
{
    screen_bytes(s, text, strlen(text));
}

static bool steers(unsigned char c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

/* Whether a control character of two bytes, U+0080 to U+009F, stands here. */
static bool steers_in_two(const char *text, size_t size)
{
    return size > 1 && (unsigned char)text[0] == 0xC2 &&
           (unsigned char)text[1] < 0xA0;
}

static void screen_text(struct chat_screen *s, const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; s->terminal && i < size; i++) {
        bool two = steers_in_two(text + i, size - i);
        if (!two && !steers((unsigned char)text[i]))
            continue;
        screen_bytes(s, text + done, i - done);
        screen_bytes(s, "?", 1);
        i += two;
        done = i + 1;
    }
    screen_bytes(s, text + done, size - done);
    if (size > 0)
        s->line_is_open = text[size - 1] != '\n';
}

static void end_screen_line(struct chat_screen *s)
{
    if (s->line_is_open)
        screen_bytes(s, "\n", 1);
    s->line_is_open = false;
}

/* --- parts --------------------------------------------------------------- */

static void end_screen_part(struct chat_screen *s)
{
    if (s->part == SCREEN_THOUGHT && s->colour && !s->folded)
        screen_words(s, "\033[0m");
    end_screen_line(s);
}

static void begin_thought(struct chat_screen *s)
{
    if (s->folded)
        screen_words(s, "[thinks ...]\n");
    else
        screen_words(s, s->colour ? "\033[2m" : "[thinks]\n");
}

/* A new part begins on a line of its own, and one behind a thought that no
 * colour tells apart with a word. */
static void turn_to(struct chat_screen *s, enum screen_part part)
{
    if (s->part == part)
        return;
    bool unmarked = s->part == SCREEN_THOUGHT && !s->colour && !s->folded;
    end_screen_part(s);
    if (s->apart)
        screen_words(s, "\n");
    s->apart = false;
    if (part == SCREEN_THOUGHT)
        begin_thought(s);
    else if (part == SCREEN_TEXT && unmarked)
        screen_words(s, "[answers]\n");
    s->part = part;
}

static void show_call_begin(struct chat_screen *s,
                            const struct markup_event *event)
{
    end_screen_line(s);
    screen_words(s, "[calls ");
    screen_text(s, event->name, strlen(event->name));
    screen_words(s, " ");
    s->line_is_open = true;
}

static void show_call_end(struct chat_screen *s, const char *words)
{
    screen_words(s, words);
    s->line_is_open = true;
    end_screen_line(s);
}

static void show_piece(struct chat_screen *s, enum screen_part part,
                       const struct markup_event *event)
{
    turn_to(s, part);
    if (part != SCREEN_THOUGHT || !s->folded)
        screen_text(s, event->text, event->size);
}

void chat_screen_show(struct chat_screen *s, const struct markup_event *event)
{
    switch (event->type) {
    case MARKUP_REASONING:
        show_piece(s, SCREEN_THOUGHT, event);
        break;
    case MARKUP_CONTENT:
        show_piece(s, SCREEN_TEXT, event);
        break;
    case MARKUP_CALL:
        turn_to(s, SCREEN_CALL);
        show_call_begin(s, event);
        break;
    case MARKUP_ARGUMENTS:
        show_piece(s, SCREEN_CALL, event);
        break;
    case MARKUP_CALL_END:
        show_call_end(s, "]");
        break;
    case MARKUP_CALL_BAD:
        show_call_end(s, "] (its arguments are no JSON)");
        break;
    case MARKUP_CALL_CUT:
        if (s->part == SCREEN_CALL)
            show_call_end(s, " ... cut off]");
        break;
    }
    if (fflush(stdout) && !s->failed)
        s->failed = errno;
}

void chat_screen_end(struct chat_screen *s)
{
    end_screen_part(s);
    s->part = SCREEN_NOTHING;
    if (fflush(stdout) && !s->failed)
        s->failed = errno;
}
