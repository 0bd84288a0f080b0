/* For the tests of what is open: that nothing stays so, and what happens where
 * no more may be. */
#ifndef TEST_OPEN_FILES_H
#define TEST_OPEN_FILES_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>

/* How many files this process has open. */
static inline int count_open(void)
{
    int n = 0;
    for (int file = 0; file < 256; file++)
        n += fcntl(file, F_GETFD) >= 0;
    return n;
}

/* Let only `n` more files be opened.  Whoever calls this takes the limit back
 * by setrlimit before anything is asserted: a failed assertion leaves its
 * test, and the limit would be that of all tests behind. */
static inline bool let_open(int n, struct rlimit *before)
{
    rlim_t end = 0;
    for (; n > 0; end++)
        n -= fcntl((int)end, F_GETFD) < 0;
    if (getrlimit(RLIMIT_NOFILE, before))
        return false;
    struct rlimit few = {end, before->rlim_max};
    return setrlimit(RLIMIT_NOFILE, &few) == 0;
}

#endif
