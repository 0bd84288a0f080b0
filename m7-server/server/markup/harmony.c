/* gpt-oss: the text is messages, each in a channel and some addressed to a
 * tool, as OpenAI's "harmony response format" has them.
 * See markup_parser.h. */
#include "markup_parser.h"

#include "tool_schema.h"

#include <string.h>

static const char *const ends[] = {"<|end|>",   "<|call|>",    "<|return|>",
                                   "<|start|>", "<|channel|>", NULL};
enum harmony_bounds {
    N_CLOSING = 3, /* the others begin the next message */
    LONGEST_HEADER = 1024
};

static const char *const closers[] = {"<|end|>", "<|call|>", "<|return|>",
                                      NULL};
static const char *const begins[] = {"<|start|>", "<|channel|>", " to=", NULL};
static const char *const message[] = {"<|message|>", NULL};

static const struct opening address = {.mark = " to=", .closers = closers};

static enum parse_step step_message(struct markup_parser *p);

/* What follows this word, the last one of its kind, in the header, which is
 * held up to `size`, or NULL; *left is the size from there on. */
static const char *header_find(const struct markup_parser *p, size_t size,
                               const char *word, size_t *left)
{
    size_t n = strlen(word);
    for (size_t i = size; i >= n; i--)
        if (memcmp(p->held.data + i - n, word, n) == 0) {
            *left = size - i;
            return p->held.data + i;
        }
    return NULL;
}

/* Models begin a header that makes no sense, and begin it anew: then what is
 * before the last beginning is let go.  Returns the header's size. */
static size_t header_begin(struct markup_parser *p, size_t size)
{
    size_t left = size;
    const char *begins = header_find(p, size, "<|start|>", &left);
    p->at = begins ? size - left : 0;
    parser_let_go(p);
    return left;
}

/* The word that follows another in the header goes to *out. */
static void header_word(const struct markup_parser *p, size_t size,
                        const char *before, struct bytes *out)
{
    size_t left = 0, n = 0;
    const char *word = header_find(p, size, before, &left);
    while (n < left && !mark_is_space(word[n]) && word[n] != '<')
        n++;
    out->size = 0;
    bytes_add(out, word ? word : "", n);
}

static bool holds_word(const struct bytes *b, const char *word)
{
    return b->size == strlen(word) && memcmp(b->data, word, b->size) == 0;
}

/* The address names a function.  Models forget to say that it is one.  No
 * name has a zero byte in it. */
static bool is_function(struct markup_parser *p)
{
    static const char functions[] = "functions.";
    size_t size = sizeof functions - 1;
    struct bytes *name = &p->call.name;
    if (memchr(name->data, 0, name->size))
        return false;
    if (name->size > size && memcmp(name->data, functions, size) == 0) {
        name->size -= size;
        memmove(name->data, name->data + size, name->size);
        return true;
    }
    bytes_add(name, "", 1);
    bool is = !name->failed && p->options.tools &&
              tool_find(p->options.tools, name->data);
    name->size -= !name->failed;
    return is;
}

static enum parse_step call_ended(struct markup_parser *p)
{
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_closers);
}

/* A call's message may be empty. */
static enum parse_step step_call(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    switch (take_any_mark(p, closers, NULL)) {
    case MATCH_MAYBE:
        return STEP_WAIT;
    case MATCH_YES:
        parser_let_go(p);
        return call_ended(p);
    default:
        return parser_go_on(p, step_arguments);
    }
}

/* The header is held up to `size`: what is the message? */
static enum parse_step read_header(struct markup_parser *p, size_t size)
{
    size = header_begin(p, size);
    header_word(p, size, " to=", &p->call.name);
    bool addressed = p->call.name.size > 0;
    bool calls = p->options.markup && addressed && is_function(p);
    header_word(p, size, "<|channel|>", &p->call.key);
    bool analysis = holds_word(&p->call.key, "analysis");
    p->at = size + strlen(message[0]);
    p->thinking = !calls && (analysis || addressed);
    if (!calls) {
        parser_let_go(p);
        return parser_go_on(p, step_message);
    }
    p->call.opening = &address;
    p->call.after_arguments = call_ended;
    p->mark_end = p->at; /* what is rejected must not be read again */
    if (!call_begin(p))
        return STEP_ON;
    parser_let_go(p);
    return parser_go_on(p, step_call);
}

/* A header that the text ends in, or that never ends, says nothing. */
static enum parse_step header_cut(struct markup_parser *p)
{
    size_t left;
    p->cut = header_find(p, p->held.size, " to=", &left) != NULL;
    p->at = p->held.size;
    parser_let_go(p);
    return STEP_WAIT;
}

/* Between messages.  One that the prompt has begun comes without header. */
enum parse_step start_harmony(struct markup_parser *p)
{
    enum mark_match found;
    if (!parser_has_more(p))
        return STEP_WAIT;
    found = take_any_mark(p, begins, NULL);
    p->at = 0;
    if (found == MATCH_NO)
        return parser_go_on(p, step_message);
    size_t size = find_marks(p, 0, message, &found);
    if (found == MATCH_YES)
        return read_header(p, size);
    bool over = p->ended || p->held.size > LONGEST_HEADER;
    return over ? header_cut(p) : STEP_WAIT;
}

/* The text of a message that is no call. */
static enum parse_step step_message(struct markup_parser *p)
{
    enum mark_match found;
    size_t which, size = find_marks(p, 0, ends, &found);
    p->after_mark = false;
    tell_text(p, size);
    if (found != MATCH_YES)
        return STEP_WAIT;
    take_any_mark(p, ends, &which);
    p->at = which < N_CLOSING ? p->at : 0;
    parser_let_go(p);
    return parser_go_on(p, start_harmony);
}
