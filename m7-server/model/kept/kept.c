/* The kept copy: see kept.h. */
#include "kept.h"

#include "sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* --- the key ------------------------------------------------------------- */

enum key_sizes {
    LOOKED_AT = 4096 /* bytes of each tensor */
};

static void add_number(XXH3_state_t *hash, uint64_t number)
{
    XXH3_64bits_update(hash, &number, sizeof number);
}

static void add_text(XXH3_state_t *hash, const char *text)
{
    XXH3_64bits_update(hash, text, strlen(text) + 1);
}

static void add_file(XXH3_state_t *hash, const struct mapping *file)
{
    add_number(hash, file->size);
    add_number(hash, (uint64_t)file->changed.tv_sec);
    add_number(hash, (uint64_t)file->changed.tv_nsec);
}

/* Where it stands in the files. */
static void add_place(XXH3_state_t *hash, const struct checkpoint *c,
                      const unsigned char *data)
{
    size_t i = 0;
    while (i < c->n_files && (data < c->files[i].data ||
                              data >= c->files[i].data + c->files[i].size))
        i++;
    add_number(hash, i);
    add_number(hash, i < c->n_files ? (size_t)(data - c->files[i].data) : 0);
}

static void add_looked_at(XXH3_state_t *hash, const struct checkpoint *c,
                          const struct tensor *t)
{
    size_t n = smaller_size(t->bytes, LOOKED_AT);
    add_text(hash, t->name);
    add_text(hash, tensor_type(t));
    add_number(hash, t->bytes);
    add_place(hash, c, t->data);
    XXH3_64bits_update(hash, t->data + (t->bytes - n) / 2, n);
}

/* How a matrix is read. */
static void add_packing(XXH3_state_t *hash, const struct checkpoint *c,
                        const struct packing *p)
{
    const struct weight *w = p->weight;
    const struct quantized *q = w->quantized;
    add_place(hash, c, w->data);
    add_text(hash, q ? q->format->name : "");
    const size_t numbers[] = {
        (size_t)p->packed->kind, w->rows, w->cols, w->first, w->run, w->stride,
        w->paired, q ? q->group : 0, q ? q->group_rows : 0,
        q ? (size_t)q->zero_more : 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(hash, numbers[i]);
}

/* What the packed matrices are made from. */
static int find_key(const struct model *m, uint64_t *key, struct error *e)
{
    const struct checkpoint *c = &m->checkpoint;
    XXH3_state_t *hash = XXH3_createState();
    if (!hash)
        return fail_memory(e, "a hash");
    XXH3_64bits_reset(hash);
    for (size_t i = 0; i < c->n_files; i++)
        add_file(hash, &c->files[i]);
    for (size_t i = 0; i < c->n_tensors; i++)
        add_looked_at(hash, c, &c->tensors[i]);
    for (size_t i = 0; i < m->n_packed; i++)
        add_packing(hash, c, &m->packings[i]);
    *key = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    return 0;
}

/* --- the file ------------------------------------------------------------ */

char *kept_path(const struct model *m, struct error *e)
{
    static const char end[] = ".rung-packed";
    const char *path = m->checkpoint.files[0].path;
    size_t length = strlen(path);
    char *out = malloc(length + sizeof end);
    if (!out) {
        fail_memory(e, "a file's name");
        return NULL;
    }
    memcpy(out, path, length);
    memcpy(out + length, end, sizeof end);
    return out;
}

/* A copy that a call looks for. */
struct search {
    struct model *model;
    char *path; /* owned */
    uint64_t key;
    bool write;
    enum kept_state state;
    struct error *why;
};

static bool map_copy(struct search *s)
{
    struct model *m = s->model;
    struct stat there;
    if (lstat(s->path, &there) && errno == ENOENT)
        return false;
    bool mapped = store_map(&m->store, s->path, s->key, m->packed,
                            m->n_packed, m->threads, s->why) == 0;
    s->state = mapped ? KEPT_USED : KEPT_UNUSABLE;
    return mapped;
}

/* Who may read the model may read its copy. */
static void keep_copy(struct search *s)
{
    struct model *m = s->model;
    struct stat files;
    mode_t mode = S_IRUSR | S_IWUSR;
    if (stat(m->checkpoint.files[0].path, &files) == 0)
        mode |= files.st_mode & (S_IRGRP | S_IROTH);
    bool failed = store_write(&m->store, s->path, s->key, mode, m->threads,
                              s->why) != 0;
    s->state = failed ? KEPT_UNWRITTEN : KEPT_WRITTEN;
}

static int pack_or_map(struct search *s, struct error *e)
{
    if (find_key(s->model, &s->key, e))
        return -1;
    model_pack_release(s->model);
    if (map_copy(s))
        return 0;
    if (model_pack_fill(s->model, e))
        return -1;
    if (s->write)
        keep_copy(s);
    return 0;
}

int model_pack_kept(struct model *m, struct threads *t, bool write,
                    enum kept_state *state, struct error *why,
                    struct error *e)
{
    struct search s = {.model = m, .write = write, .why = why};
    s.path = kept_path(m, e);
    int result = s.path ? model_pack_begin(m, t, e) : -1;
    if (result == 0)
        result = pack_or_map(&s, e);
    free(s.path);
    if (result)
        model_unpack(m);
    else
        model_pack_end(m);
    *state = s.state;
    return result;
}
