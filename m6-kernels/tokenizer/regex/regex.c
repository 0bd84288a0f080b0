/* Regular expressions: see regex.h.  Owns the compiled expression and its way
 * over a text; knows nothing of tokens. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include "buffer.h"
#include "regex_shadow.h"
#include "regex_syntax.h"

#include <pcre2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct regex {
    pcre2_code *code;
    const struct unicode_ranges *stand_ins; /* for the shadows of texts */
};

struct scan {
    const struct regex *regex;
    const char *text; /* (size,): the text, or its shadow */
    size_t size;
    size_t at;           /* where the next search begins */
    size_t last;         /* where the last match ended, or SIZE_MAX */
    struct bytes shadow; /* empty when the text itself will do */
    pcre2_match_data *found;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack; /* NULL until the built-in one is too small */
    size_t stack_size;
};

/* The error of PCRE2's own number `why`. */
static int fail_pcre2(struct error *e, int why, const char *where, size_t at)
{
    char words[256];
    if (why == PCRE2_ERROR_HEAP_FAILED || why == PCRE2_ERROR_NOMEMORY)
        return fail_memory(e, "a regular expression");
    pcre2_get_error_message(why, (PCRE2_UCHAR *)words, sizeof words);
    return fail(e, ERROR_UNSUPPORTED, "regular expression: byte %zu of %s: %s",
                at, where, words);
}

/* Compile a translated pattern.  Lines end with U+000A alone. */
static pcre2_code *compile_code(const struct bytes *pattern, struct error *e)
{
    const uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK |
                             PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
    int why = 0;
    size_t at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context) {
        fail_memory(e, "a regular expression");
        return NULL;
    }
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    const char *text = pattern->size ? pattern->data : "";
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, pattern->size, options,
                                     &why, &at, context);
    pcre2_compile_context_free(context);
    if (!code)
        fail_pcre2(e, why, "its translation for PCRE2", at);
    return code;
}

struct regex *regex_new_interpreted(const char *pattern, size_t size,
                                    struct error *e)
{
    struct bytes translated = {0};
    struct regex *r = calloc(1, sizeof *r);
    if (!r)
        fail_memory(e, "a regular expression");
    else if (regex_translate(pattern, size, &translated, &r->stand_ins, e) ==
             0)
        r->code = compile_code(&translated, e);
    bytes_free(&translated);
    if (r && r->code)
        return r;
    free(r);
    return NULL;
}

/* Where there is no just-in-time compiler, or it cannot have memory that may
 * be executed, PCRE2 interprets the expression: slower, and to the same end.
 */
struct regex *regex_new(const char *pattern, size_t size, struct error *e)
{
    struct regex *r = regex_new_interpreted(pattern, size, e);
    if (r)
        pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE);
    return r;
}

void regex_free(struct regex *r)
{
    if (!r)
        return;
    pcre2_code_free(r->code);
    free(r);
}

/* Give up only where the work is out of all proportion to the text. */
static void set_limits(struct scan *s)
{
    size_t limit = s->size < UINT32_MAX / 64 ? s->size * 64 : UINT32_MAX;
    if (limit < 10000000)
        limit = 10000000;
    pcre2_set_match_limit(s->limits, (uint32_t)limit);
    pcre2_set_depth_limit(s->limits, (uint32_t)limit);
}

/* Search the shadow when the text has one. */
static bool copy_text(struct scan *s, const char *text, size_t size)
{
    s->size = size;
    shadow_make(s->regex->stand_ins, text, size, &s->shadow);
    s->text = s->shadow.size ? s->shadow.data : size ? text : "";
    return !s->shadow.failed;
}

struct scan *scan_new(const struct regex *r, const char *text, size_t size,
                      struct error *e)
{
    struct scan *s = calloc(1, sizeof *s);
    if (s) {
        s->regex = r;
        s->last = SIZE_MAX;
        s->found = pcre2_match_data_create(1, NULL);
        s->limits = pcre2_match_context_create(NULL);
    }
    if (!s || !s->found || !s->limits || !copy_text(s, text, size)) {
        fail_memory(e, "a regular expression's matches");
        scan_free(s);
        return NULL;
    }
    set_limits(s);
    return s;
}

void scan_free(struct scan *s)
{
    if (!s)
        return;
    pcre2_match_data_free(s->found);
    pcre2_match_context_free(s->limits);
    pcre2_jit_stack_free(s->stack);
    bytes_free(&s->shadow);
    free(s);
}

/* A larger stack for the compiled expression: it remembers there where it
 * could take another way, so that the need grows with the text.  False when
 * there is no such memory. */
static bool grow_stack(struct scan *s)
{
    const size_t first = 1 << 20, largest = SIZE_MAX / 64;
    if (s->stack_size > largest)
        return false;
    s->stack_size = s->stack_size ? s->stack_size * 4 : first;
    pcre2_jit_stack_free(s->stack);
    s->stack = pcre2_jit_stack_create(65536, s->stack_size, NULL);
    pcre2_jit_stack_assign(s->limits, NULL, s->stack);
    return s->stack;
}

static int search(struct scan *s)
{
    int status;
    do
        status = pcre2_match(s->regex->code, (PCRE2_SPTR)s->text, s->size,
                             s->at, PCRE2_NO_UTF_CHECK, s->found, s->limits);
    while (status == PCRE2_ERROR_JIT_STACKLIMIT && grow_stack(s));
    return status;
}

/* The next character's end. */
static size_t after(const struct scan *s, size_t at)
{
    do
        at++;
    while (at < s->size && ((unsigned char)s->text[at] & 0xC0) == 0x80);
    return at;
}

int scan_next(struct scan *s, size_t *from, size_t *to, struct error *e)
{
    while (s->at <= s->size) {
        int status = search(s);
        if (status == PCRE2_ERROR_NOMATCH)
            return 0;
        if (status < 0)
            return fail_pcre2(e, status, "the text", s->at);
        const size_t *span = pcre2_get_ovector_pointer(s->found);
        if (span[0] < span[1] || span[1] != s->last) {
            *from = span[0];
            *to = s->at = s->last = span[1];
            return 1;
        }
        /* An empty match right behind the last one does not count. */
        s->at = after(s, s->at);
    }
    return 0;
}
