/* Which tokens may come next: see token_filter.h. */
#include "token_filter.h"

#include "mark_quoted.h"
#include "sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Space that may stand before what is required: models end thinking so. */
enum filter_bounds {
    MOST_SPACE = 4
};

void token_filter_require(struct token_filter *f, const struct bytes *text)
{
    required_texts_add(&f->required, text);
    f->failed |= f->required.failed;
}

static void add_mark(struct token_filter *f, const char ***marks, size_t *n,
                     size_t *room, const char *mark)
{
    const char **list = grow(*marks, room, *n + 1, sizeof *list);
    if (!list) {
        f->failed = true;
        return;
    }
    *marks = list;
    list[(*n)++] = mark;
}

void token_filter_forbid(struct token_filter *f, const char *mark)
{
    add_mark(f, &f->forbidden, &f->n_forbidden, &f->forbidden_room, mark);
}

bool token_filter_is_needed(const struct token_filter *f)
{
    return f->failed || f->required.n || f->n_forbidden || f->thought;
}

void token_filter_free(struct token_filter *f)
{
    required_texts_free(&f->required);
    free(f->forbidden);
    free(f->thought_tokens);
    bytes_free(&f->said);
    *f = (struct token_filter){0};
}

/* What was said since the place where what is required may begin. */
struct said_text {
    const char *text; /* (size,) */
    size_t size;
    size_t space; /* bytes of it that stand before */
};

static bool text_goes_on(struct said_text said, const char *token, size_t size,
                         const char *with, size_t with_size)
{
    size_t before = smaller_size(said.size, with_size);
    if (memcmp(said.text, with, before) != 0)
        return false;
    size_t left = smaller_size(with_size - before, size);
    return memcmp(token, with + before, left) == 0;
}

static size_t count_leading_space(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && n < MOST_SPACE && strchr(" \t\r\n", text[n]) && text[n])
        n++;
    return n;
}

/* Where `mark` ends in what was said, or 0. */
static size_t end_of(const struct bytes *said, size_t from, const char *mark)
{
    size_t n = strlen(mark);
    for (size_t i = from; i + n <= said->size; i++)
        if (memcmp(said->data + i, mark, n) == 0)
            return i + n;
    return 0;
}

/* What was said after thinking.  False: it goes on. */
static bool after_thinking(struct token_filter *f, struct said_text *rest,
                           bool *thought)
{
    const struct bytes *said = &f->said;
    size_t space = count_leading_space(said->data, said->size);
    size_t open = f->think_open ? strlen(f->think_open) : 0;
    const char *text = said->size ? said->data : "";
    *rest = (struct said_text){text + space, said->size - space, space};
    bool opened = open && rest->size >= open &&
                  memcmp(rest->text, f->think_open, open) == 0;
    *thought = f->thinking || opened;
    if (!*thought)
        return true;
    size_t from = larger_size(f->searched, opened ? space + open : 0);
    size_t end = end_of(said, from, f->think_close);
    if (end == 0) {
        size_t n = strlen(f->think_close) - 1;
        f->searched =
            said->size > n ? larger_size(from, said->size - n) : from;
        return false;
    }
    f->searched = end - strlen(f->think_close);
    space = count_leading_space(said->data + end, said->size - end);
    size_t from_end = end + space;
    *rest = (struct said_text){text + from_end, said->size - from_end, space};
    return true;
}

/* Go past `resume`, where it stands after thinking. */
static bool past_resume(const struct token_filter *f, struct said_text *rest)
{
    size_t n = f->resume ? strlen(f->resume) : 0;
    if (rest->size < n || memcmp(rest->text, f->resume ? f->resume : "", n))
        return n == 0;
    rest->text += n;
    rest->size -= n;
    return true;
}

/* May this token come where one of the required texts must? */
static bool allows(const struct token_filter *f,
                   struct required_rests *rests, struct said_text said,
                   bool may_think, const char *token, size_t size)
{
    size_t space = said.size == 0 ? count_leading_space(token, size) : 0;
    if (said.space + space > (f->no_space ? 0 : MOST_SPACE))
        return false;
    token += space;
    size -= space;
    return required_rests_agree(rests, token, size) ||
           (may_think && f->think_open &&
            text_goes_on(said, token, size, f->think_open,
                         strlen(f->think_open)));
}

static void forbid_ends(const struct token_filter *f, float *logits,
                        size_t vocab_size)
{
    for (size_t i = 0; i < f->texts->n_ends; i++)
        if ((size_t)f->texts->ends[i] < vocab_size)
            logits[f->texts->ends[i]] = -INFINITY;
}

/* Let only what is required pass. */
static void require(struct token_filter *f, float *logits, size_t vocab_size)
{
    struct said_text rest;
    bool thought;
    required_texts_sort(&f->required);
    if (!after_thinking(f, &rest, &thought)) {
        forbid_ends(f, logits, vocab_size);
        return;
    }
    struct said_text whole = rest;
    bool resumed = !thought || past_resume(f, &rest);
    if (resumed &&
        required_text_has_come(&f->required, rest.text, rest.size)) {
        f->satisfied = true;
        return;
    }
    forbid_ends(f, logits, vocab_size);
    struct required_rests rests =
        required_rests_after(&f->required, rest.text, rest.size);
    for (size_t id = 0; id < vocab_size; id++) {
        size_t size;
        const char *token = token_text_of(f->texts, (int)id, &size);
        bool fits = resumed ? allows(f, &rests, rest, !thought, token, size)
                            : text_goes_on(whole, token, size, f->resume,
                                           strlen(f->resume));
        if (size == 0 || !fits)
            logits[id] = -INFINITY;
    }
}

/* Does the token's text hold all of the mark (n,)? */
static bool holds_mark(const char *token, size_t size, const char *mark,
                       size_t n)
{
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(token + i, mark, n) == 0)
            return true;
    return false;
}

/* Forbid what begins with `rest` (n,), the end of a mark. */
static void forbid_rest(const struct token_filter *f, const char *rest,
                        size_t n, float *logits, size_t vocab_size)
{
    for (size_t id = 0; id < vocab_size; id++) {
        size_t size;
        const char *token = token_text_of(f->texts, (int)id, &size);
        if (size >= n && memcmp(token, rest, n) == 0)
            logits[id] = -INFINITY;
    }
}

/* Forbid what would complete the mark: what holds all of it, and the rest of
 * each beginning that the text ends with by now. */
static void forbid_mark(const struct token_filter *f, const char *mark,
                        float *logits, size_t vocab_size)
{
    const struct bytes *said = &f->said;
    size_t n = strlen(mark);
    for (size_t id = 0; id < vocab_size; id++) {
        size_t size;
        const char *token = token_text_of(f->texts, (int)id, &size);
        if (holds_mark(token, size, mark, n))
            logits[id] = -INFINITY;
    }
    for (size_t had = 1; had < n && had <= said->size; had++)
        if (memcmp(said->data + said->size - had, mark, had) == 0)
            forbid_rest(f, mark + had, n - had, logits, vocab_size);
}

/* Does a mark stand quoted at byte `at` of a text that follows `before` (n,)?
 */
static bool is_quoted(const char *before, size_t n, const char *text,
                      size_t at)
{
    char last[2];
    for (size_t back = 1; back <= 2; back++)
        last[2 - back] = at >= back       ? text[at - back]
                         : n + at >= back ? before[n + at - back]
                                          : '\0';
    return mark_is_quoted(last[0], last[1]);
}

/* Would a thought begin within this token? */
static bool holds_thought(const struct token_filter *f, const char *token,
                          size_t size)
{
    size_t n = strlen(f->thought);
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(token + i, f->thought, n) == 0 &&
            !is_quoted(f->said.data, f->said.size, token, i))
            return true;
    return false;
}

/* Of a large vocabulary few tokens hold the mark: they are looked for once. */
static void list_thought_tokens(struct token_filter *f)
{
    size_t n = f->thought ? strlen(f->thought) : 0;
    f->listed = true;
    for (size_t id = 0; n > 0 && id < f->texts->n; id++) {
        size_t size;
        const char *token = token_text_of(f->texts, (int)id, &size);
        if (!holds_mark(token, size, f->thought, n))
            continue;
        int *list = grow(f->thought_tokens, &f->thought_tokens_room,
                         f->n_thought_tokens + 1, sizeof *list);
        f->failed |= !list;
        if (!list)
            return;
        f->thought_tokens = list;
        f->thought_tokens[f->n_thought_tokens++] = (int)id;
    }
}

/* Forbid what would begin a thought: the mark in one token, and the rest of
 * one that the text has begun. */
static void forbid_thought(const struct token_filter *f, float *logits,
                           size_t vocab_size)
{
    const struct bytes *said = &f->said;
    size_t n = strlen(f->thought);
    for (size_t i = 0; i < f->n_thought_tokens; i++) {
        size_t size, id = (size_t)f->thought_tokens[i];
        const char *token = token_text_of(f->texts, (int)id, &size);
        if (id < vocab_size && holds_thought(f, token, size))
            logits[id] = -INFINITY;
    }
    for (size_t had = 1; had < n && had <= said->size; had++) {
        size_t at = said->size - had;
        if (memcmp(said->data + at, f->thought, had) == 0 &&
            !is_quoted(NULL, 0, said->data, at))
            forbid_rest(f, f->thought + had, n - had, logits, vocab_size);
    }
}

/* Let the caller read one more token, -1: begin anew. */
static void tell_reader(struct token_filter *f, int id)
{
    int calling = f->read_call ? f->read_call(f->reader, id) : 0;
    f->calling = calling > 0;
    f->failed |= calling < 0;
}

/* Take in what was said since; all anew where it is another answer. */
static void take_in(struct token_filter *f, const int *ids, size_t n)
{
    if (!f->listed)
        list_thought_tokens(f);
    if (n < f->n_said) {
        f->n_said = f->said.size = f->searched = 0;
        f->satisfied = false;
        tell_reader(f, -1);
    }
    for (; f->n_said < n; f->n_said++) {
        size_t size;
        const char *token = token_text_of(f->texts, ids[f->n_said], &size);
        bytes_add(&f->said, token, size);
        tell_reader(f, ids[f->n_said]);
    }
    f->failed |= f->said.failed;
}

void token_filter_apply(struct token_filter *f, const int *ids, size_t n,
                        float *logits, size_t vocab_size)
{
    take_in(f, ids, n);
    for (size_t id = 0; f->failed && id < vocab_size; id++)
        logits[id] = -INFINITY;
    if (f->failed)
        return;
    if (f->required.n > 0 && !f->satisfied)
        require(f, logits, vocab_size);
    if (f->thought && !f->calling)
        forbid_thought(f, logits, vocab_size);
    for (size_t i = 0; i < f->n_forbidden; i++)
        forbid_mark(f, f->forbidden[i], logits, vocab_size);
}
