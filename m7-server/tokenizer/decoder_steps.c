/* The steps of a decoder: see decoder_steps.h. */
#include "decoder_steps.h"

#include "bytelevel.h"
#include "unicode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Pass a fragment on. */
static int emit(struct stage *s, const char *text, size_t size, bool begins,
                bool ends, struct error *e)
{
    struct fragment f = {text, size, begins, ends};
    return stage_put(s->next, f, e);
}

/* Keep a token's fragments until it is whole. */
static int put_when_whole(struct stage *s, struct fragment f, struct error *e)
{
    bytes_add(&s->held, f.text, f.size);
    if (!f.ends)
        return 0;
    struct bytes token = s->held;
    struct fragment whole = {token.data, token.size, true, true};
    s->held = (struct bytes){0};
    int result = token.failed ? fail_memory(e, "a token")
                              : s->step->type->put(s, whole, e);
    bytes_free(&token);
    return result;
}

int stage_put(struct stage *s, struct fragment f, struct error *e)
{
    if (s->step->type->whole && !(f.begins && f.ends))
        return put_when_whole(s, f, e);
    return s->step->type->put(s, f, e);
}

/* ---- ByteLevel: all the tokens' bytes are one text ---- */

static int alone_bytelevel(const struct decoder_step *step, const char *text,
                           size_t size, struct bytes *out, struct error *e)
{
    (void)step;
    (void)e;
    bytelevel_unspell(text, size, out);
    return 0;
}

/* Pass on the first `size` bytes that are held; the rest moves up. */
static int release(struct stage *s, size_t size, bool ends, struct error *e)
{
    s->made.size = 0;
    utf8_repair(s->held.data, size, &s->made);
    if (s->held.failed || s->made.failed)
        return fail_memory(e, "the decoded text");
    bool begins = !s->started;
    s->started = true;
    s->held.size -= size;
    if (s->held.size > 0)
        memmove(s->held.data, s->held.data + size, s->held.size);
    return emit(s, s->made.data, s->made.size, begins, ends, e);
}

static int put_bytelevel(struct stage *s, struct fragment f, struct error *e)
{
    bytelevel_unspell(f.text, f.size, &s->held);
    return release(s,
                   s->held.size - utf8_unfinished(s->held.data, s->held.size),
                   false, e);
}

static int end_held(struct stage *s, struct error *e)
{
    return release(s, s->held.size, true, e);
}

const struct decoder_type decoder_bytelevel = {.put = put_bytelevel,
                                               .end = end_held,
                                               .alone = alone_bytelevel,
                                               .whole = true};

/* ---- Metaspace: its mark is a space, but not in the first token ---- */

/* Whether the step's content is what the text begins with. */
static bool content_begins(const struct decoder_step *step, const char *text,
                           size_t size)
{
    return size >= step->size && memcmp(text, step->content, step->size) == 0;
}

/* Append the text with each mark replaced by `by`. */
static void replace_marks(const struct decoder_step *step, const char *text,
                          size_t size, const char *by, struct bytes *out)
{
    size_t i = 0;
    while (i < size) {
        bool mark = content_begins(step, text + i, size - i);
        bytes_add(out, mark ? by : text + i, mark ? strlen(by) : 1);
        i += mark ? step->size : 1;
    }
}

static int alone_metaspace(const struct decoder_step *step, const char *text,
                           size_t size, struct bytes *out, struct error *e)
{
    (void)e;
    replace_marks(step, text, size, " ", out);
    return 0;
}

static int put_metaspace(struct stage *s, struct fragment f, struct error *e)
{
    const char *by = s->started || s->step->keep_first ? " " : "";
    s->started = true;
    s->made.size = 0;
    replace_marks(s->step, f.text, f.size, by, &s->made);
    if (s->made.failed)
        return fail_memory(e, "the decoded text");
    return emit(s, s->made.data, s->made.size, f.begins, f.ends, e);
}

const struct decoder_type decoder_metaspace = {
    .put = put_metaspace, .alone = alone_metaspace, .whole = true};

/* ---- Replace: a pattern, in each token ---- */

/* A byte that is no character by itself matches nothing. */
static int alone_replace(const struct decoder_step *step, const char *text,
                         size_t size, struct bytes *out, struct error *e)
{
    struct matches m;
    size_t done = 0, from, to;
    int got;
    if (size == 0 || utf8_valid(text, size) < size) {
        bytes_add(out, text, size);
        return 0;
    }
    if (matches_begin(&m, &step->pattern, text, size, e))
        return -1;
    while ((got = matches_next(&m, &from, &to, e)) > 0) {
        bytes_add(out, text + done, from - done);
        bytes_add(out, step->content, step->size);
        done = to;
    }
    matches_end(&m);
    bytes_add(out, text + done, size - done);
    return got;
}

static int put_replace(struct stage *s, struct fragment f, struct error *e)
{
    s->made.size = 0;
    if (alone_replace(s->step, f.text, f.size, &s->made, e))
        return -1;
    if (s->made.failed)
        return fail_memory(e, "the decoded text");
    return emit(s, s->made.data, s->made.size, true, true, e);
}

const struct decoder_type decoder_replace = {
    .put = put_replace, .alone = alone_replace, .whole = true};

/* ---- ByteFallback: runs of <0xE2> and the like are UTF-8 ---- */

/* The byte that a token names, or -1. */
static int named_byte(const char *text, size_t size)
{
    if (size != 6 || memcmp(text, "<0x", 3) != 0 || text[5] != '>' ||
        !isxdigit((unsigned char)text[3]) || !isxdigit((unsigned char)text[4]))
        return -1;
    char digits[3] = {text[3], text[4], 0};
    return (int)strtol(digits, NULL, 16);
}

static int alone_fallback(const struct decoder_step *step, const char *text,
                          size_t size, struct bytes *out, struct error *e)
{
    (void)step;
    (void)e;
    int byte = named_byte(text, size);
    char one = (char)byte;
    bytes_add(out, byte < 0 ? text : &one, byte < 0 ? size : 1);
    return 0;
}

/* The run is over: a token of text, or, if it is not UTF-8, one of U+FFFD for
 * each of its bytes. */
static int end_run(struct stage *s, struct error *e)
{
    struct bytes run = s->held;
    s->held = (struct bytes){0};
    int result = run.failed ? fail_memory(e, "the decoded text") : 0;
    if (utf8_valid(run.data, run.size) < run.size)
        for (size_t i = 0; i < run.size && result == 0; i++)
            result = emit(s, "\xEF\xBF\xBD", 3, true, true, e);
    else if (run.size > 0 && result == 0)
        result = emit(s, run.data, run.size, true, true, e);
    bytes_free(&run);
    return result;
}

static int put_fallback(struct stage *s, struct fragment f, struct error *e)
{
    int byte = named_byte(f.text, f.size);
    char one = (char)byte;
    if (byte >= 0) {
        bytes_add(&s->held, &one, 1);
        return 0;
    }
    return end_run(s, e) || emit(s, f.text, f.size, true, true, e) ? -1 : 0;
}

const struct decoder_type decoder_fallback = {.put = put_fallback,
                                              .end = end_run,
                                              .alone = alone_fallback,
                                              .whole = true};

/* ---- Fuse: all tokens become one ---- */

static int put_fuse(struct stage *s, struct fragment f, struct error *e)
{
    bool begins = !s->started;
    s->started = true;
    return emit(s, f.text, f.size, begins, false, e);
}

static int end_fuse(struct stage *s, struct error *e)
{
    return emit(s, "", 0, !s->started, true, e);
}

const struct decoder_type decoder_fuse = {.put = put_fuse, .end = end_fuse};

/* ---- Strip: a character cut off both ends of each token ---- */

/* How many bytes to cut off the front of a fragment.  It may go on cutting in
 * the token's next one if nothing but cut characters was in this one. */
static size_t strip_front(struct stage *s, struct fragment f)
{
    size_t cut = 0;
    while (s->to_cut > 0 &&
           content_begins(s->step, f.text + cut, f.size - cut)) {
        cut += s->step->size;
        s->to_cut--;
    }
    if (cut < f.size)
        s->to_cut = 0;
    return cut;
}

/* Pass on `n` of the characters that wait; they are all alike. */
static void release_waiting(struct stage *s, size_t n)
{
    s->waiting -= n;
    for (size_t i = 0; i < n; i++)
        bytes_add(&s->made, s->step->content, s->step->size);
}

/* Pass the text on, but for the characters that the token's end would cut off:
 * these wait, at most `stop` of them, until another shows that it was not the
 * end. */
static void strip_end(struct stage *s, const char *text, size_t size)
{
    size_t i = 0;
    while (i < size) {
        if (content_begins(s->step, text + i, size - i)) {
            i += s->step->size;
            s->waiting++;
            if (s->waiting > s->step->stop)
                release_waiting(s, 1);
        } else {
            release_waiting(s, s->waiting);
            bytes_add(&s->made, text + i++, 1);
        }
    }
}

static int put_strip(struct stage *s, struct fragment f, struct error *e)
{
    if (f.begins) {
        s->to_cut = s->step->start;
        s->waiting = 0;
    }
    s->made.size = 0;
    size_t cut = strip_front(s, f);
    strip_end(s, f.text + cut, f.size - cut);
    if (s->made.failed)
        return fail_memory(e, "the decoded text");
    return emit(s, s->made.data, s->made.size, f.begins, f.ends, e);
}

const struct decoder_type decoder_strip = {.put = put_strip};

/* ---- BPEDecoder: a suffix ends each word, a space before the next ---- */

static int give_word(struct stage *s, bool last, struct error *e)
{
    s->made.size = 0;
    replace_marks(s->step, s->held.data, s->held.size, last ? "" : " ",
                  &s->made);
    s->held.size = 0;
    if (s->made.failed || s->held.failed)
        return fail_memory(e, "the decoded text");
    return emit(s, s->made.data, s->made.size, true, true, e);
}

static int put_suffix(struct stage *s, struct fragment f, struct error *e)
{
    if (s->started && give_word(s, false, e))
        return -1;
    s->started = true;
    bytes_add(&s->held, f.text, f.size);
    return 0;
}

static int end_suffix(struct stage *s, struct error *e)
{
    return s->started ? give_word(s, true, e) : 0;
}

const struct decoder_type decoder_suffix = {.put = put_suffix,
                                            .end = end_suffix,
                                            .alone = alone_metaspace,
                                            .whole = true};

/* ---- no decoder: a space between the tokens ---- */

static int put_join(struct stage *s, struct fragment f, struct error *e)
{
    if (s->started && emit(s, " ", 1, true, true, e))
        return -1;
    s->started = true;
    return emit(s, f.text, f.size, true, true, e);
}

const struct decoder_type decoder_join = {.put = put_join};

/* ---- behind the last step: the text ---- */

static int put_collect(struct stage *s, struct fragment f, struct error *e)
{
    (void)e;
    bytes_add(&s->held, f.text, f.size);
    return 0;
}

const struct decoder_type decoder_collect = {.put = put_collect};
