/* Step 7: threads, and which set's steps these are. */
#include "product_steps.h"

#include <string.h>

extern const struct step_kernels portable_step_kernels, avx2_step_kernels,
    avxvnni_step_kernels, avx512_step_kernels, neon_step_kernels;

/* A product that threads compute. */
struct step_job {
    const struct step_kernels *kernels;
    const struct packed *matrix;
    const struct inputs *x;
    float *out;
};

/* The panels of one thread. */
static void step_share(void *work, size_t index, size_t count)
{
    const struct step_job *j = work;
    size_t first, end;
    threads_share(packed_panels(j->matrix), 1, index, count, &first, &end);
    j->kernels->streams(j->matrix, j->x, first, end, j->out);
}

void multiply_by_threads(struct threads *t, const struct step_kernels *kernels,
                         const struct packed *p, const struct inputs *x,
                         float *out)
{
    struct step_job j = {kernels, p, x, out};
    threads_run(t, step_share, &j);
}

/* A set's steps. */
struct step_set {
    const char *name;
    const struct step_kernels *kernels;
};

static const struct step_set step_sets[] = {
#if defined __x86_64__
    {"amx", &avx512_step_kernels},
    {"avx512", &avx512_step_kernels},
    {"avxvnni", &avxvnni_step_kernels},
    {"avx2", &avx2_step_kernels},
#elif defined __aarch64__
    {"i8mm", &neon_step_kernels},
    {"neon", &neon_step_kernels},
#endif
    {"portable", &portable_step_kernels},
};

const struct step_kernels *steps_of_set(const char *name)
{
    for (size_t i = 0; i < sizeof step_sets / sizeof step_sets[0]; i++)
        if (strcmp(step_sets[i].name, name) == 0)
            return step_sets[i].kernels;
    return NULL;
}
