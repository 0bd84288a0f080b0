/* The budget of guesses: see guess_budget.h. */
#include "guess_budget.h"

/* Of what a request takes, and of what it has saved: a stretch in which no
 * guess is right must end. */
static const double lost_of_all = 0.02, most_saved = 4;

double guess_share(const struct guess_costs *c, size_t rows)
{
    return (1 + c->row * (double)(rows - 1)) / (double)rows;
}

void guess_budget_step(struct guess_budget *b, double share)
{
    b->allowed += b->allowed > 0 ? lost_of_all * share : share;
}

size_t guess_budget_count(const struct guess_budget *b,
                          const struct guess_costs *c, size_t most)
{
    double guesses = (b->allowed + b->saved) / (c->row + c->draft);
    if (c->ignored)
        return most;
    if (guesses < 1)
        return 0;
    return guesses < (double)most ? (size_t)guesses : most;
}

void guess_budget_pay(struct guess_budget *b, const struct guess_costs *c,
                      size_t guesses)
{
    b->saved -= (c->row + c->draft) * (double)guesses;
}

void guess_budget_save(struct guess_budget *b, double share, size_t right)
{
    b->saved += share * (double)right;
    b->saved = b->saved > most_saved ? most_saved : b->saved;
}

/* --- the purse ----------------------------------------------------------- */

/* A long prompt or two, and as much as can ever be saved for hard times. */
const struct guess_purse guess_purse_full = {100};

static void add_passes(struct guess_purse *p, double passes)
{
    p->left += passes;
    if (p->left > guess_purse_full.left)
        p->left = guess_purse_full.left;
}

void guess_purse_step(struct guess_purse *p, double share, size_t rows)
{
    add_passes(p, lost_of_all * share * (double)rows);
}

void guess_purse_add(struct guess_purse *p, const struct guess_costs *c,
                     double share, size_t guesses, size_t right)
{
    add_passes(p, share * (double)right -
                      (c->row + c->draft) * (double)guesses);
}

bool guess_purse_pays(const struct guess_purse *p,
                      const struct guess_costs *c, size_t tokens)
{
    return c->ignored || c->late * (double)tokens <= p->left;
}

void guess_purse_read(struct guess_purse *p, const struct guess_costs *c,
                      size_t tokens)
{
    p->left -= c->late * (double)tokens;
}
