/* A piece of the text on its way through the tokenizer. */
#ifndef PIECE_H
#define PIECE_H

#include <stddef.h>

struct piece {
    const char *text; /* (size,), valid UTF-8; not owned */
    size_t size;

    /* How many bytes at its start come from the very first character of the
     * whole text: a Metaspace that prepends only there has to know. */
    size_t first_size;
};

#endif
