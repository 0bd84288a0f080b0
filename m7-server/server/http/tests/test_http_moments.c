/* Between any two steps of the network thread the watch may look.
 *
 * Whoever lets go of a lock here sleeps afterwards for longer than a round of
 * the watch: so what is only for a moment not as it should be is seen. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "test_http_fixture.h"

#include <dlfcn.h>
#include <stdatomic.h>

static atomic_bool slowly;
static _Thread_local bool hurries;

int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    static _Atomic(void *) next;
    int (*unlock)(pthread_mutex_t *);
    if (!next)
        next = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    void *found = next;
    memcpy(&unlock, &found, sizeof unlock);
    int result = unlock(lock);
    const struct timespec moment = {.tv_nsec = 100000000};
    if (slowly && !hurries)
        nanosleep(&moment, NULL);
    return result;
}

/* The connection stays, and so the watch goes on looking at it. */
static void a_request_may_end_while_the_watch_looks(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    slowly = hurries = true;
    for (size_t i = 1; i <= 3; i++) {
        client_say(fd, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client_next(fd, &r, false);
        assert_int_equal(r.status, 200);
        assert_true(fixture_wait(&f, &f.n_logged, i));
    }
    slowly = false;
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_may_end_while_the_watch_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
