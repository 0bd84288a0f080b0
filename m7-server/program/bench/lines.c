/* Cases, line by line: see lines.h. */
#include "lines.h"

#include "json.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>

static int read_case(const struct node *line, struct measured *c,
                     size_t longest, struct error *e)
{
    struct node depth = node_member(line, "depth");
    struct node tokens = node_member(line, "tokens");
    struct node batch = node_member(line, "batch");
    if (node_size_or(&depth, longest, 0, &c->depth, e) ||
        node_size(&tokens, longest - c->depth, &c->tokens, e) ||
        node_size_or(&batch, c->tokens, 0, &c->batch, e))
        return -1;
    if (c->tokens == 0)
        return node_fail(&tokens, ERROR_INPUT, e, "must not be 0");
    c->tokens -= c->batch ? c->tokens % c->batch : 0;
    return 0;
}

static int answer_case(struct bench_run *r, const char *text, size_t size,
                       const char *name, size_t longest, struct error *e)
{
    struct measured c = {0};
    json_t *value = json_parse(text, size, name, 0, e);
    if (!value)
        return -1;
    struct node line = node_root(name, value);
    int result = read_case(&line, &c, longest, e);
    json_decref(value);
    if (result)
        return -1;
    measure_case(r, &c, 0);
    return print_json_line(
        json_pack("{s:f,s:f,s:f,s:f}", "whole", c.whole[0], "least",
                  c.least[0], "worked_whole", c.worked_whole, "worked_least",
                  c.worked_least),
        e);
}

int answer_cases(struct bench_run *r, size_t longest, struct error *e)
{
    char *line = NULL, name[64];
    size_t capacity = 0;
    int result = 0;
    for (size_t number = 1; result == 0; number++) {
        ssize_t size = getline(&line, &capacity, stdin);
        if (size < 0)
            break;
        snprintf(name, sizeof name, "standard input: line %zu", number);
        result = answer_case(r, line, (size_t)size, name, longest, e);
        if (result == 0 && fflush(stdout))
            result = fail_errno(e, "standard output");
    }
    free(line);
    return result == 0 && ferror(stdin) ? fail_errno(e, "standard input")
                                        : result;
}
