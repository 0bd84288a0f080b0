/* The kept copy has the bytes that packing makes, of every small model; it is
 * used as long as the model is the one that it was made from, not longer. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "kept.h"

#include "test_files.h"
#include "test_small.h"

#include <fcntl.h>

static void copy_file(const char *from, const char *to)
{
    static unsigned char block[1 << 20];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
        assert_int_equal(fwrite(block, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* The files of a folder of the tests become those of "m". */
static void copy_model(const char *name)
{
    char *from = test_path(name), path[4096], to[4096];
    DIR *folder = opendir(from);
    struct dirent *entry;
    remove_folder("m");
    mkdir("m", 0700);
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
            snprintf(to, sizeof to, "m/%s", entry->d_name);
            copy_file(path, to);
        }
    closedir(folder);
    free(from);
}

/* A model that is open, and what became of its copy. */
struct opened {
    struct model m;
    enum kept_state state;
    struct error why;
};

static void open_kept(struct opened *o, const char *path, bool write)
{
    struct error e;
    o->why.message[0] = 0;
    assert_ok(model_open(&o->m, path, &e), &e);
    assert_ok(
        model_pack_kept(&o->m, NULL, write, &o->state, &o->why, &e), &e);
    assert_non_null(o->m.set);
    assert_null(o->m.packings);
}

/* Open it once more; returns what became of the copy. */
static enum kept_state state_of(const char *path, bool write)
{
    struct opened o;
    open_kept(&o, path, write);
    bool mapped = o.m.store.file.data != NULL;
    assert_int_equal(mapped, o.state == KEPT_USED);
    model_close(&o.m);
    return o.state;
}

/* Packed, written and mapped: the same bytes. */
static void assert_kept(const char *path)
{
    struct model m;
    struct opened o;
    struct error e;
    assert_ok(model_open(&m, path, &e), &e);
    assert_ok(model_pack(&m, NULL, &e), &e);
    assert_int_equal(state_of(path, true), KEPT_WRITTEN);
    open_kept(&o, path, true);
    assert_int_equal(o.state, KEPT_USED);
    assert_int_equal(o.m.n_packed, m.n_packed);
    assert_int_equal(o.m.store.size, m.store.size);
    assert_memory_equal(o.m.store.bytes, m.store.bytes, m.store.size);
    model_close(&o.m);
    model_close(&m);
}

static void small_model(void **state)
{
    char name[2 * SMALL_NAME], folder[] = "/tmp/rung-kept-XXXXXX";
    char *models = realpath(test_folder(), NULL), *before = getcwd(NULL, 0);
    snprintf(name, sizeof name, "checkpoints/%s", (const char *)*state);
    setenv("RUNG_TESTS", models, 1);
    assert_true(mkdtemp(folder) && chdir(folder) == 0);
    copy_model(name);
    assert_kept("m");
    assert_int_equal(chdir(before), 0);
    remove_folder(folder);
    free(before);
    free(models);
}

/* --- the reading model --------------------------------------------------- */

static const char weights[] = "m/model.safetensors";
static const char copy[] = "m/model.safetensors.rung-packed";

static int enter_with_model(void **state)
{
    char *models = realpath(test_folder(), NULL);
    if (!models || setenv("RUNG_TESTS", models, 1) || scratch_enter(state))
        return -1;
    free(models);
    copy_model("models/tiny-chat");
    return 0;
}

static void nothing_is_written_unless_asked(void **state)
{
    (void)state;
    assert_int_equal(state_of("m", false), KEPT_ABSENT);
    assert_int_equal(access(copy, F_OK), -1);
    assert_int_equal(state_of("m", true), KEPT_WRITTEN);
    assert_int_equal(state_of("m", false), KEPT_USED);
    assert_int_equal(state_of(weights, false), KEPT_USED);
    assert_int_equal(state_of("m/config.json", true), KEPT_USED);
}

static void set_time(time_t seconds, long nanoseconds)
{
    const struct timespec times[2] = {{seconds, nanoseconds},
                                      {seconds, nanoseconds}};
    assert_int_equal(utimensat(AT_FDCWD, weights, times, 0), 0);
}

/* Not used, and made again where that is asked for. */
static void assert_made_again(const char *message)
{
    struct opened o;
    open_kept(&o, "m", false);
    assert_int_equal(o.state, KEPT_UNUSABLE);
    assert_string_equal(o.why.message, message);
    model_close(&o.m);
    assert_int_equal(state_of("m", false), KEPT_UNUSABLE);
    open_kept(&o, "m", true);
    assert_int_equal(o.state, KEPT_WRITTEN);
    assert_string_equal(o.why.message, message);
    model_close(&o.m);
    assert_int_equal(state_of("m", false), KEPT_USED);
}

#define OTHER                                                                 \
    "m/model.safetensors.rung-packed: at byte 16: it was made from another "  \
    "model, or from this one before it was changed"

/* Its length and its time stay as they were. */
static void change_weight(long at)
{
    struct stat s;
    assert_int_equal(stat(weights, &s), 0);
    FILE *f = fopen(weights, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    int old = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(old ^ 1, f);
    assert_int_equal(fclose(f), 0);
    set_time(s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/* The middle of the matrix gate of layer 3, say. */
static long middle_of_tensor(void)
{
    struct checkpoint c;
    struct error e;
    assert_ok(checkpoint_open(&c, "m", &e), &e);
    const struct tensor *t =
        checkpoint_find(&c, "model.layers.3.mlp.gate_proj.weight");
    assert_non_null(t);
    long at = (long)(t->offset + t->bytes / 2);
    checkpoint_close(&c);
    return at;
}

static void a_model_that_was_changed_has_no_copy(void **state)
{
    (void)state;
    set_time(1000000, 5);
    assert_int_equal(state_of("m", true), KEPT_WRITTEN);
    set_time(1000001, 5);
    assert_made_again(OTHER);
    set_time(1000001, 6);
    assert_made_again(OTHER);
    change_weight(middle_of_tensor());
    assert_made_again(OTHER);
}

/* A copy of another model, of the same shape. */
static void a_copy_of_another_model_is_not_used(void **state)
{
    (void)state;
    assert_int_equal(state_of("m", true), KEPT_WRITTEN);
    copy_file(copy, "kept");
    copy_model("models/tiny-chat");
    change_weight(middle_of_tensor());
    copy_file("kept", copy);
    assert_made_again(OTHER);
}

static void a_damaged_copy_is_made_again(void **state)
{
    (void)state;
    assert_int_equal(state_of("m", true), KEPT_WRITTEN);
    assert_int_equal(truncate(copy, 14688320 - 1), 0);
    assert_made_again(
        "m/model.safetensors.rung-packed: has 14688319 bytes, and would have "
        "14688320; it was cut off, or added to");
    write_text(copy, "RUNGPACK");
    assert_made_again("m/model.safetensors.rung-packed: at byte 8: the layout "
                      "has version 0; this program reads version 1");
    write_text(copy, "hello");
    assert_made_again("m/model.safetensors.rung-packed: at byte 0: this is no "
                      "packed copy, which would begin with RUNGPACK");
}

/* The model is computed all the same. */
static void a_copy_that_cannot_be_written_is_no_error(void **state)
{
    (void)state;
    struct opened o;
    mkdir(copy, 0700);
    assert_int_equal(state_of("m", false), KEPT_UNUSABLE);
    open_kept(&o, "m", true);
    assert_int_equal(o.state, KEPT_UNWRITTEN);
    assert_string_equal(o.why.message,
                        "m/model.safetensors.rung-packed: is no regular file, "
                        "which is all that may be replaced");
    model_close(&o.m);
}

static void who_may_read_the_model_may_read_its_copy(void **state)
{
    (void)state;
    struct stat s;
    assert_int_equal(chmod(weights, 0554), 0);
    assert_int_equal(state_of("m", true), KEPT_WRITTEN);
    assert_int_equal(stat(copy, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0644);
}

/* Kilobytes of this mapped file that are in this process, or -1. */
static long kilobytes_of(const char *file)
{
    char line[4200], mode;
    long bytes = -1;
    bool found = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (f && fgets(line, sizeof line, f)) {
        size_t length = strcspn(line, "\n"), end = strlen(file);
        line[length] = 0;
        if (sscanf(line, "%*x-%*x %c", &mode) == 1) /* a mapping begins */
            found = length > end && strcmp(line + length - end, file) == 0;
        if (found && strncmp(line, "Rss:", 4) == 0)
            bytes = strtol(line + 4, NULL, 10);
    }
    if (f)
        fclose(f);
    return bytes;
}

/* Of the model's own file there are vectors, and no matrices. */
static void there_is_one_copy_in_memory(void **state)
{
    (void)state;
    struct opened o;
    for (size_t i = 0; i < 2; i++) {
        open_kept(&o, "m", true);
        long files = kilobytes_of(weights), kept = kilobytes_of(copy);
        size_t size = o.m.store.size;
        model_close(&o.m);
        if (files < 0)
            skip();
        assert_true((size_t)files * 1024 < size / 5);
        assert_true(i == 0 ? kept < 0 : (size_t)kept * 1024 >= size);
    }
}

#define WITH_MODEL(test)                                                      \
    cmocka_unit_test_setup_teardown(test, enter_with_model, scratch_leave)

int main(void)
{
    static char missing[] = "models";
    const struct CMUnitTest reading[] = {
        WITH_MODEL(nothing_is_written_unless_asked),
        WITH_MODEL(a_model_that_was_changed_has_no_copy),
        WITH_MODEL(a_copy_of_another_model_is_not_used),
        WITH_MODEL(a_damaged_copy_is_made_again),
        WITH_MODEL(a_copy_that_cannot_be_written_is_no_error),
        WITH_MODEL(who_may_read_the_model_may_read_its_copy),
        WITH_MODEL(there_is_one_copy_in_memory),
    };
    const struct CMUnitTest none[] = {
        cmocka_unit_test_prestate(skip_without_files, missing)};
    struct small_models small;
    struct CMUnitTest tests[MAX_SMALL];
    small_models_find(&small);
    if (small.n == 0)
        return cmocka_run_group_tests_name("kept", none, NULL, NULL);
    for (size_t i = 0; i < small.n; i++)
        tests[i] = (struct CMUnitTest){.name = small.names[i],
                                       .test_func = small_model,
                                       .initial_state = small.names[i]};
    int failed = cmocka_run_group_tests_name("kept", reading, NULL, NULL);
    return failed +
           _cmocka_run_group_tests("kept, small", tests, small.n, NULL, NULL);
}
