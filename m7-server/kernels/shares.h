/* Shares of some work that are taken piece by piece: a thread that is done
 * with its own takes over what others have not begun.
 *
 * Equal shares take equal times only where cores are equally fast, and they
 * are not: other programs run on them, some are built for less power, and the
 * other half of one may be somebody else's.  Then all would wait for the
 * slowest.  A thread still begins with a share of its own: it goes through
 * memory in order, it reads what it read the last time, and threads come to
 * the same counter only at the end. */
#ifndef SHARES_H
#define SHARES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What is left of a thread's share, in 64 bytes of its own, a line of most
 * caches: threads that count in one line wait for each other. */
struct share {
    _Alignas(64) atomic_size_t next;
    size_t end;
};

/* Equal shares of n things for `count` threads: shares (count,).  Before they
 * begin. */
void shares_begin(struct share *shares, size_t count, size_t n);

/* The next piece for thread `index` of `count`, from *first to *end - 1: of
 * its own share, or else of that of the first thread behind it, thread 0 being
 * behind the last, that has some left.  It is about half of what is left
 * there, an even number of things, four at least, or all if fewer are left;
 * for the only thread all at once.  Returns false if there is none.  Each
 * thing is in one piece, whoever asks at the same time. */
bool next_piece(struct share *shares, size_t index, size_t count,
                size_t *first, size_t *end);

#endif
