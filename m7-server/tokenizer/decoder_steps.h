/* The steps of a decoder, and what flows between them.  For decoder.c only. */
#ifndef DECODER_STEPS_H
#define DECODER_STEPS_H

#include "buffer.h"
#include "error.h"
#include "pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a token; most are whole ones, which begin and end. */
struct fragment {
    const char *text; /* (size,) */
    size_t size;
    bool begins, ends;
};

struct stage;
struct decoder_step;

struct decoder_type {
    /* Take a fragment. */
    int (*put)(struct stage *s, struct fragment f, struct error *e);

    /* The tokens are over: give what is held; or NULL. */
    int (*end)(struct stage *s, struct error *e);

    /* Append what the step makes of one token alone; or NULL. */
    int (*alone)(const struct decoder_step *step, const char *text,
                 size_t size, struct bytes *out, struct error *e);
    bool whole; /* `put` wants whole tokens only */
};

/* A step, as the file describes it. */
struct decoder_step {
    const struct decoder_type *type;
    struct pattern pattern; /* of Replace */
    char *content;          /* of Replace, of Strip, of Metaspace; owned */
    size_t size;            /* of the content */
    size_t start, stop;     /* of Strip: how many at each end */
    bool keep_first;        /* of Metaspace: a mark at the start is a space */
};

/* A step at work on one text. */
struct stage {
    const struct decoder_step *step;
    struct stage *next; /* NULL behind the last step */
    struct bytes held;  /* what waits */
    struct bytes made;  /* room for what is made */
    bool started;       /* a token has been seen */
    size_t to_cut;      /* of Strip: how many more the front may lose */
    size_t waiting;     /* of Strip: how many are held, perhaps the end's */
};

/* Feed a stage, whole tokens if its step wants them. */
int stage_put(struct stage *s, struct fragment f, struct error *e);

extern const struct decoder_type decoder_bytelevel, decoder_metaspace,
    decoder_replace, decoder_fallback, decoder_fuse, decoder_strip,
    decoder_suffix, decoder_join, decoder_collect;

#endif
