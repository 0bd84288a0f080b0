/* The guard: see guard.h.  Knows nothing of formats.
 *
 * Holds a variable that is global and changes, of which there are next to none
 * here: a signal handler gets no argument of ours, so this is the only way to
 * tell it which files are mapped.  Only the functions of guard.h write it. */
#include "guard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static struct guard *volatile guards;

/* The guarded file that the address is in, or NULL. */
static const struct mapping *file_at(const unsigned char *address)
{
    for (const struct guard *g = guards; g; g = g->next)
        for (size_t i = 0; i < g->n_files; i++) {
            const struct mapping *m = &g->files[i];
            if (address >= m->data && address < m->data + m->size)
                return m;
        }
    return NULL;
}

/* Print to standard error by nothing but write(2): a signal handler may not
 * use stdio.  If that fails there is nobody left to tell. */
static void say(const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t wrote = write(STDERR_FILENO, text, left);
        if (wrote <= 0)
            return;
        text += wrote;
        left -= (size_t)wrote;
    }
}

static void say_number(size_t number)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    say(at);
}

static void listen_to_bus_errors(bool on);

/* Threads that share work may all come to lost bytes at once: the first says
 * it, and the others wait until it has ended the program.  A signal from
 * outside our files is left to the system, which stops the program when the
 * read is repeated. */
static void on_bus_error(int signal, siginfo_t *info, void *context)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    (void)signal;
    (void)context;
    const unsigned char *address = info->si_addr;
    const struct mapping *file = file_at(address);
    if (!file) {
        listen_to_bus_errors(false);
        return;
    }
    while (atomic_flag_test_and_set(&said))
        pause();
    say("rung: ");
    say(file->path);
    say(": byte ");
    say_number((size_t)(address - file->data));
    say(" cannot be read: the file has shrunk since it was opened, or its "
        "disk has failed\n");
    _exit(1);
}

static void listen_to_bus_errors(bool on)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    if (on) {
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO;
    }
    sigaction(SIGBUS, &action, NULL);
}

void guard_begin(struct guard *g, const struct mapping *files, size_t n)
{
    *g = (struct guard){.files = files, .n_files = n, .next = guards};
    guards = g;
    listen_to_bus_errors(true);
}

void guard_end(struct guard *g)
{
    struct guard *before = guards;
    while (before != g && before->next != g)
        before = before->next;
    if (before == g)
        guards = g->next;
    else
        before->next = g->next;
    listen_to_bus_errors(guards != NULL);
}
