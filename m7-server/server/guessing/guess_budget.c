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
                          const struct guess_costs *c, size_t late,
                          size_t most)
{
    double left = b->allowed + b->saved - c->late * (double)late;
    double guesses = left / (c->row + c->draft);
    if (c->ignored)
        return most;
    if (guesses < 1)
        return 0;
    return guesses < (double)most ? (size_t)guesses : most;
}

void guess_budget_pay(struct guess_budget *b, const struct guess_costs *c,
                      size_t guesses, size_t late)
{
    b->saved -= (c->row + c->draft) * (double)guesses + c->late * (double)late;
}

void guess_budget_save(struct guess_budget *b, double share, size_t right)
{
    b->saved += share * (double)right;
    b->saved = b->saved > most_saved ? most_saved : b->saved;
}
