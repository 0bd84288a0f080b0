/* A program that is killed while it saves a session leaves the old one or the
 * new one, whole.
 *
 * 200 times a child saves and is killed with a signal that nothing can catch,
 * at a moment drawn uniformly over the time that a save takes.  What the disk
 * would do if the power failed is not tried: for that, the file and its folder
 * are written through before and after the renaming, as test_replace_calls.c
 * sees. */
#include "random.h"
#include "session.h"

#include "test_files.h"
#include "test_numbers.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum crash_sizes {
    RUNS = 200,
    INSIDE = 50, /* so many must be killed in the middle, at least */
    LENGTH = 64,
    WIDTH = 1024, /* half a megabyte */
    TRIALS = 3,   /* saves are measured, */
    BETWEEN = 40  /* again after so many runs: other work may slow them */
};

/* A cache whose every number is `mark`. */
static void open_marked(struct cache *c, int mark)
{
    struct layer layer = {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}};
    struct model m = {.config = {.n_layers = 1}, .layers = &layer};
    struct error e;
    float row[WIDTH];
    assert_ok(cache_init(c, &m, LENGTH, LENGTH, &e), &e);
    for (size_t i = 0; i < WIDTH; i++)
        row[i] = (float)mark;
    for (size_t i = 0; i < LENGTH; i++) {
        cache_store(&c->layers[0], i, 1, row, row);
        c->ids[i] = mark;
    }
    c->length = c->rotated = LENGTH;
}

/* The mark of the session in the file, which must be whole. */
static int read_mark(void)
{
    struct session s;
    struct error e;
    assert_ok(session_load("s", &s, &e), &e);
    int mark = s.cache.ids[0];
    const struct cache_layer *l = &s.cache.layers[0];
    assert_int_equal(s.cache.length, LENGTH);
    for (size_t i = 0; i < LENGTH * WIDTH; i++)
        assert_true(cache_key(l, i / WIDTH, NULL)[i % WIDTH] == (float)mark &&
                    cache_value(l, i / WIDTH, NULL)[i % WIDTH] == (float)mark);
    session_free(&s);
    return mark;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wait_for(double seconds)
{
    struct timespec t = {(time_t)seconds,
                         (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static void save_marked(const struct cache *c, int end)
{
    struct error e;
    bool said = write(end, "a", 1) == 1;
    int result = session_save("s", c, 1, &e);
    said = said && write(end, "z", 1) == 1;
    while (said)
        pause();
    _exit(result ? 2 : 1);
}

/* A child that saves: says "a", does so, says "z", and waits to be killed.
 * Comes back when it has begun. */
static pid_t start_saving(const struct cache *c, int *end)
{
    int ends[2];
    char begun = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        save_marked(c, ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], &begun, 1), 1);
    *end = ends[0];
    return child;
}

/* Whether it had done its work. */
static bool stop_saving(pid_t child, int end)
{
    char done;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    bool whole = read(end, &done, 1) == 1;
    close(end);
    return whole;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How long a save of a session with this mark takes: the middle one of
 * some. */
static double measure_save(int mark)
{
    double times[TRIALS];
    struct cache c;
    open_marked(&c, mark);
    for (size_t i = 0; i < TRIALS; i++) {
        char done;
        int end;
        pid_t child = start_saving(&c, &end);
        double began = now();
        assert_int_equal(read(end, &done, 1), 1);
        times[i] = now() - began;
        stop_saving(child, end);
    }
    cache_free(&c);
    qsort(times, TRIALS, sizeof *times, compare_times);
    return times[TRIALS / 2];
}

/* Remove what those that were killed have left; returns how many. */
static size_t remove_leftovers(void)
{
    size_t n = 0;
    DIR *folder = opendir(".");
    struct dirent *entry;
    while ((entry = readdir(folder)))
        if (strncmp(entry->d_name, ".rung.", 6) == 0)
            n += unlink(entry->d_name) == 0;
    closedir(folder);
    return n;
}

struct tally {
    size_t inside, old, new, leftovers;
};

/* Save a session of the mark `mark` over one of the mark `old`, and be killed.
 * Returns the mark of what is there then. */
static int kill_one(int old, int mark, double moment, struct tally *t)
{
    int end;
    struct cache c;
    open_marked(&c, mark);
    pid_t child = start_saving(&c, &end);
    wait_for(moment);
    bool whole = stop_saving(child, end);
    int found = read_mark();
    assert_true(found == mark || (found == old && !whole));
    t->inside += !whole;
    t->new += found == mark;
    t->old += found == old;
    t->leftovers += remove_leftovers();
    cache_free(&c);
    return found;
}

static void a_kill_at_any_moment_leaves_a_whole_session(void **state)
{
    (void)state;
    struct tally t = {0};
    struct random r;
    double longest = 0;
    random_init(&r, 2026, 0);
    for (int run = 1, held = 0; run <= RUNS; run++) {
        if (run % BETWEEN == 1)
            longest = measure_save(held);
        held = kill_one(held, run, random_share(&r) * longest, &t);
    }
    print_message("a save takes %.1f ms; %zu of %d kills inside it: the old "
                  "session %zu times, the new one %zu times, %zu files left\n",
                  longest * 1e3, t.inside, RUNS, t.old, t.new, t.leftovers);
    assert_true(t.inside >= INSIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_kill_at_any_moment_leaves_a_whole_session, scratch_enter,
            scratch_leave),
    };
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
