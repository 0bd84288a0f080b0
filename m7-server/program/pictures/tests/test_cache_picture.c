/* The picture of the cache shows which slots are taken. */
#include "test_commands.h"

#include "test_png.h"
#include "test_windowed.h"

enum picture_sizes {
    SLOT = 32,  /* pixels */
    LEFT = 120, /* where slot 0 begins */
    LAYERS = 8, /* of the reading model, with two heads each */
    HEAD = 72,  /* above the first moment */
    TITLE = 26, /* of a moment */
    LAYER = 44, /* from one to the next */
    MOMENT = TITLE + LAYERS * LAYER + 8
};

/* Whether a slot is taken in the picture: the head's stripe, at its middle. */
static bool is_taken(const struct image *m, int moment, int layer, int slot,
                     int head)
{
    int x = LEFT + slot * SLOT + SLOT / 2;
    int y = HEAD + moment * MOMENT + TITLE + layer * LAYER + 18 + head * 9 + 4;
    return !is_colour(m, x, y, colour_absent());
}

static bool is_white(const struct image *m, int moment, int layer, int slot)
{
    int x = LEFT + slot * SLOT + SLOT / 2;
    int y = HEAD + moment * MOMENT + TITLE + layer * LAYER + 18 + 4;
    return is_colour(m, x, y, (struct colour){255, 255, 255});
}

/* Six tokens: the cache after two, four and six. */
static void slots_fill_from_the_first(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "cache", france, "-o", "a.png"), "", "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    for (int moment = 0; moment < 3; moment++)
        for (int layer = 0; layer < LAYERS; layer++)
            for (int slot = 0; slot < 6; slot++)
                for (int head = 0; head < 2; head++)
                    assert_int_equal(is_taken(&m, moment, layer, slot, head),
                                     slot < 2 * (moment + 1));
    image_free(&m);
}

/* --- windows ------------------------------------------------------------ */

static void rings_have_their_window_and_are_overwritten(void **state)
{
    (void)state;
    need_model();
    write_windowed_model();
    assert_output(WORDS("picture", "cache", france, "-m", ".", "-o", "a.png"),
                  "", "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    for (int layer = 0; layer < LAYERS; layer++)
        for (int slot = 0; slot < 6; slot++)
            assert_int_equal(is_white(&m, 2, layer, slot),
                             layer >= 4 && slot >= 3);
    assert_false(is_taken(&m, 0, 4, 2, 0));
    assert_true(is_taken(&m, 1, 4, 2, 0));
    image_free(&m);
}

static void a_chunk_makes_rings_longer(void **state)
{
    (void)state;
    need_model();
    write_windowed_model();
    assert_output(WORDS("picture", "cache", france, "-m", ".", "--chunk", "2",
                        "-o", "a.png"),
                  "", "");
    struct image m = read_png("a.png");
    assert_false(is_white(&m, 2, 4, 3));
    assert_true(is_white(&m, 2, 4, 4));
    image_free(&m);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    static char long_text[2 * 769 + 1];
    for (size_t i = 0; i < 769; i++)
        memcpy(long_text + 2 * i, " a", 2);
    assert_error(WORDS("picture", "cache", long_text, "-o", "a.png"), 1,
                 "rung: the text has 769 tokens; this picture can show 768\n");
    assert_error(WORDS("picture", "cost", france, "--chunk", "2"), 2,
                 "rung: rung picture cost takes no option --chunk\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(slots_fill_from_the_first),
        SCRATCH(rings_have_their_window_and_are_overwritten),
        SCRATCH(a_chunk_makes_rings_longer),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests_name("cache_picture", tests, name_model,
                                       NULL);
}
