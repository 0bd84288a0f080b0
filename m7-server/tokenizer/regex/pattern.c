/* Patterns: see pattern.h.  Knows nothing of what is done with a match. */
#include "pattern.h"

#include "unicode.h"

#include <stdlib.h>
#include <string.h>

int pattern_literal(const char *text, size_t size, struct pattern *p,
                    struct error *e)
{
    *p = (struct pattern){.literal = malloc(size ? size : 1), .size = size};
    if (!p->literal)
        return fail_memory(e, "a pattern");
    memcpy(p->literal, text, size);
    return 0;
}

/* The error of a regular expression, with the field it stands in. */
static int pattern_fail(const struct node *n, struct error *e)
{
    struct error why = *e;
    return node_fail(n, why.code, e, "%.480s", why.message);
}

static int pattern_regex(const struct node *n, const char *text, size_t size,
                         struct pattern *p, struct error *e)
{
    *p = (struct pattern){.regex = regex_new(text, size, e)};
    return p->regex ? 0 : pattern_fail(n, e);
}

int pattern_read(const struct node *n, struct pattern *p, struct error *e)
{
    const char *text;
    size_t size;
    struct node string = node_member(n, "String");
    struct node regex = node_member(n, "Regex");
    if (node_object(n, e))
        return -1;
    if (node_has(&regex))
        return node_text(&regex, &text, &size, e) ||
                       pattern_regex(&regex, text, size, p, e)
                   ? -1
                   : 0;
    if (!node_has(&string))
        return node_fail(n, ERROR_UNSUPPORTED, e,
                         "expected a String or a Regex");
    if (node_text(&string, &text, &size, e))
        return -1;
    /* The empty string is found before every character, like an empty
     * expression. */
    return size ? pattern_literal(text, size, p, e)
                : pattern_regex(&string, "", 0, p, e);
}

void pattern_free(struct pattern *p)
{
    regex_free(p->regex);
    free(p->literal);
    *p = (struct pattern){0};
}

int matches_begin(struct matches *m, const struct pattern *p, const char *text,
                  size_t size, struct error *e)
{
    *m = (struct matches){.pattern = p, .text = text, .size = size};
    if (!p->regex)
        return 0;
    m->scan = scan_new(p->regex, text, size, e);
    return m->scan ? 0 : -1;
}

static int next_literal(struct matches *m, size_t *from, size_t *to)
{
    const struct pattern *p = m->pattern;
    while (m->size - m->at >= p->size) {
        const char *first = memchr(m->text + m->at, p->literal[0],
                                   m->size - m->at - p->size + 1);
        if (!first)
            break;
        *from = (size_t)(first - m->text);
        *to = *from + p->size;
        m->at = *from + 1;
        if (memcmp(first, p->literal, p->size) == 0) {
            m->at = *to;
            return 1;
        }
    }
    m->at = m->size;
    return 0;
}

static int next_in_class(struct matches *m, size_t *from, size_t *to)
{
    while (m->at < m->size) {
        size_t length;
        uint32_t code = utf8_decode(m->text + m->at, &length);
        *from = m->at;
        *to = m->at += length;
        if (m->pattern->in_class(code))
            return 1;
    }
    return 0;
}

int matches_next(struct matches *m, size_t *from, size_t *to, struct error *e)
{
    if (m->scan)
        return scan_next(m->scan, from, to, e);
    return m->pattern->literal ? next_literal(m, from, to)
                               : next_in_class(m, from, to);
}

void matches_end(struct matches *m)
{
    scan_free(m->scan);
    m->scan = NULL;
}
