/* For tests of what happens while an answer is made or written: a gate, at
 * which one waits. */
#ifndef TEST_GATE_H
#define TEST_GATE_H

#include "test_serving.h"

#include <dlfcn.h> /* RTLD_NEXT: _GNU_SOURCE is the includer's */
#include <jansson.h>

/* Where the gate is: before a completion's answer gets the name of its model,
 * or before a text of JSON is written. */
enum gate_place {
    NO_GATE,
    AT_MAKING,
    AT_WRITING
};

/* The next answer that comes there goes on when the gate is open; with our
 * patience it opens by itself. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static enum gate_place gate_place;
static bool gate_waits, gate_forced;
static char gate_model[32]; /* whose answer was written last, as it says */

static void wait_at_gate(enum gate_place here)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&gate_lock);
    bool first = gate_place == here && !gate_waits;
    gate_waits |= first;
    pthread_cond_broadcast(&gate_changed);
    while (first && gate_place == here && !gate_forced)
        gate_forced =
            pthread_cond_timedwait(&gate_changed, &gate_lock, &until) != 0;
    pthread_mutex_unlock(&gate_lock);
}

json_t *json_string(const char *value)
{
    json_t *(*next)(const char *);
    void *found = dlsym(RTLD_NEXT, "json_string");
    memcpy(&next, &found, sizeof next);
    if (value && strcmp(value, "text_completion") == 0)
        wait_at_gate(AT_MAKING);
    return next(value);
}

static void note_model(const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "model"));
    pthread_mutex_lock(&gate_lock);
    if (json_object_get(json, "object"))
        snprintf(gate_model, sizeof gate_model, "%s", name ? name : "");
    pthread_mutex_unlock(&gate_lock);
}

int json_dump_callback(const json_t *json, json_dump_callback_t callback,
                       void *data, size_t flags)
{
    int (*next)(const json_t *, json_dump_callback_t, void *, size_t);
    void *found = dlsym(RTLD_NEXT, "json_dump_callback");
    memcpy(&next, &found, sizeof next);
    wait_at_gate(AT_WRITING);
    note_model(json);
    return next(json, callback, data, flags);
}

/* Whether it has opened by itself before. */
static inline bool set_gate(enum gate_place to)
{
    pthread_mutex_lock(&gate_lock);
    bool was_forced = gate_forced;
    gate_place = to;
    if (to) {
        gate_waits = gate_forced = false;
        *gate_model = 0;
    }
    pthread_cond_broadcast(&gate_changed);
    pthread_mutex_unlock(&gate_lock);
    return was_forced;
}

static inline void await_waiting(void)
{
    pthread_mutex_lock(&gate_lock);
    while (!gate_waits)
        pthread_cond_wait(&gate_changed, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
}

static inline bool gate_is_shut(void)
{
    pthread_mutex_lock(&gate_lock);
    bool still = gate_place != NO_GATE;
    pthread_mutex_unlock(&gate_lock);
    return still;
}

#endif
