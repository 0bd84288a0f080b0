/* The guesser: see guesser.h. */
#include "guesser.h"

#include "draft.h"

#include <string.h>

/* How many guesses pay best, and how many rows a step has with them.  Kernels
 * read floats as fast as memory gives them with up to 4 rows: with the reading
 * model 4 took 1.3 times as long as 1, and 8 four times. */
enum usual_guesses {
    USUAL_GUESSES = 4,
    USUAL_FLOATS = 3
};

/* What a row more costs, by kernels: cost_of_token of drafter.c says where it
 * was measured.  Without kernels a row costs nearly as much as a pass. */
static const double cost_of_row = 0.4, cost_of_exact_row = 0.9;

static void set_numbers_of(struct guesser *g, const struct model *m,
                           size_t asked)
{
    bool floats = m->n_packed > 0 && packed_is_float(&m->packed[0]);
    g->costs.row = m->set ? cost_of_row : cost_of_exact_row;
    g->costs.ignored = asked > 0;
    g->most = asked > 0 ? asked : floats ? USUAL_FLOATS : USUAL_GUESSES;
    g->rows = asked > 0 ? STATE_SCORED
              : floats  ? 1 + USUAL_FLOATS
                        : GUESSING_ROWS;
}

/* What a small model reads late, it reads many at once. */
static void set_small_costs(struct guesser *g, const struct model *large)
{
    double ratio = guess_pass_ratio(&g->small.model, large);
    g->costs.draft = ratio;
    g->costs.late = g->costs.row / 2 * ratio;
}

static int check_guesses(const struct guesser_options *o, struct error *e)
{
    if (o->most > MOST_GUESSES)
        return fail(e, ERROR_INPUT, "%zu guesses at once are more than %d",
                    o->most, MOST_GUESSES);
    if (!o->draft && o->most > 0)
        return fail(e, ERROR_INPUT,
                    "%zu guesses are asked for, and no draft to make them",
                    o->most);
    return 0;
}

int guesser_open(struct guesser *g, const struct guesser_options *o,
                 const struct guessed_model *m, struct error *e)
{
    *g = (struct guesser){.purse = guess_purse_full};
    if (check_guesses(o, e))
        return -1;
    if (!o->draft)
        return 0;
    set_numbers_of(g, m->model, o->most);
    g->asks_model = strcmp(o->draft, "ngram") != 0;
    if (g->asks_model && guess_model_open(&g->small, o->draft, m, e)) {
        guesser_close(g);
        return -1;
    }
    if (g->asks_model)
        set_small_costs(g, m->model);
    g->guesses = true;
    return 0;
}

void guesser_close(struct guesser *g)
{
    if (g->asks_model)
        guess_model_close(&g->small);
    *g = (struct guesser){0};
}

static void guess_by_lookup(struct guessed_text *t)
{
    struct error ignored;
    struct history text = {t->ids, t->n, t->n_prompt};
    struct draft draft = {.ids = t->guesses, .most = t->most};
    draft_by_lookup(NULL, &text, &draft, &ignored);
    t->n_guesses = draft.n;
}

void guesser_propose(struct guesser *g, struct guessed_text *texts, size_t n,
                     size_t room)
{
    if (g->asks_model) {
        guess_model_propose(&g->small, &g->purse, &g->costs, texts, n, room);
        return;
    }
    for (size_t i = 0; i < n; i++)
        guess_by_lookup(&texts[i]);
}
