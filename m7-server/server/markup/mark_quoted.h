/* Is a mark meant, or only spoken of?
 *
 * Where thinking is off a mark of thinking begins a thought wherever it
 * stands, but quoted: directly behind a quotation mark, a backtick, a bracket
 * that opens, a bar or a backslash; or behind a backslash and one letter, as
 * in "\n<think>" of a program.  Models that begin to think late do so behind
 * space, a line's end, a sentence's, or nothing. */
#ifndef MARK_QUOTED_H
#define MARK_QUOTED_H

#include <stdbool.h>
#include <string.h>

/* By the two bytes before the mark, 0 where there is none. */
static inline bool mark_is_quoted(char before_last, char last)
{
    return before_last == '\\' || (last && strchr("\"'`([{|\\", last));
}

#endif
