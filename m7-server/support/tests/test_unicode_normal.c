/* Normal forms and lower case are those of `tokenizers`: for each character,
 * alone and among marks, each pair that may be joined, and any sequence. */
#include "test_long.h"
#include "test_sum.h"

static json_t *golden;

/* What is done to a text; `form` is for those that have one. */
typedef void transform(int form, const char *text, size_t size,
                       struct bytes *out);

static void to_lowercase(int form, const char *text, size_t size,
                         struct bytes *out)
{
    (void)form;
    unicode_lowercase(text, size, out);
}

static void to_normal(int form, const char *text, size_t size,
                      struct bytes *out)
{
    unicode_normalize((enum unicode_form)form, text, size, out);
}

/* Each code point of a block in place of the {} of a text, in a line. */
static struct bytes block_text(size_t block, const char *surrounding)
{
    struct bytes text = {0};
    const char *hole = strstr(surrounding, "{}");
    for (uint32_t code = block_start(block); code < block_start(block + 1);
         code++) {
        if (!is_character(code))
            continue;
        bytes_add(&text, surrounding, (size_t)(hole - surrounding));
        utf8_add(&text, code);
        bytes_add_string(&text, hole + 2);
        bytes_add(&text, "\n", 1);
    }
    return text;
}

/* The planes behind the third are empty, or private: where the tests must be
 * quick they are left out. */
static bool is_read(size_t block)
{
    return is_long() || block_start(block) < 0x40000;
}

static bool same_everywhere(const json_t *sums, transform *t, int form)
{
    const char *surrounding;
    json_t *blocks;
    bool same = true;
    json_object_foreach((json_t *)sums, surrounding, blocks)
    {
        for (size_t block = 0; block < BLOCKS; block++) {
            if (!is_read(block))
                continue;
            struct bytes text = block_text(block, surrounding), made = {0};
            t(form, text.data, text.size, &made);
            same &= same_sum(surrounding, blocks, block, &made);
            bytes_free(&text);
            bytes_free(&made);
        }
    }
    return same;
}

static bool same_samples(const json_t *samples, transform *t, int form)
{
    size_t i;
    const json_t *sample;
    bool same = true;
    json_array_foreach(samples, i, sample)
    {
        const char *text = golden_string(sample, 0);
        struct bytes made = {0};
        t(form, text, strlen(text), &made);
        same &= same_text(text, &made, golden_string(sample, 1));
        bytes_free(&made);
    }
    return same;
}

static void lower_case_is_that_of_tokenizers(void **state)
{
    (void)state;
    const json_t *lower = golden_get(golden, "lowercase");
    bool same = same_samples(golden_get(lower, "samples"), to_lowercase, 0);
    same &= same_everywhere(golden_get(lower, "sums"), to_lowercase, 0);
    assert_true(same);
}

static bool same_crc(const json_t *golden_form, const char *key, int form,
                     const struct bytes *text)
{
    struct bytes made = {0};
    char sum[9];
    to_normal(form, text->data, text->size, &made);
    crc_of(&made, sum);
    bytes_free(&made);
    if (strcmp(sum, json_string_value(golden_get(golden_form, key))) == 0)
        return true;
    print_error("the sum of %s differs\n", key);
    return false;
}

static const json_t *golden_form(int form)
{
    static const char *const names[] = {"NFC", "NFD", "NFKC", "NFKD"};
    const json_t *normal = golden_get(golden, "normal");
    return golden_get(golden_get(normal, "forms"), names[form]);
}

static void every_character_has_its_normal_forms(void **state)
{
    (void)state;
    bool same = true;
    for (int form = FORM_NFC; form <= FORM_NFKD; form++)
        same &= same_everywhere(golden_get(golden_form(form), "sums"),
                                to_normal, form);
    assert_true(same);
}

/* The text of each that may begin a pair with each that may end one. */
static struct bytes pair_text(void)
{
    const json_t *normal = golden_get(golden, "normal");
    const char *firsts = json_string_value(golden_get(normal, "firsts"));
    const char *seconds = json_string_value(golden_get(normal, "seconds"));
    struct bytes text = {0};
    for (size_t length; *firsts; firsts += length) {
        utf8_decode(firsts, &length);
        for (const char *s = seconds; *s;) {
            size_t second;
            utf8_decode(s, &second);
            bytes_add(&text, firsts, length);
            bytes_add(&text, s, second);
            bytes_add(&text, "\n", 1);
            s += second;
        }
    }
    return text;
}

static void every_pair_is_joined_or_left(void **state)
{
    (void)state;
    struct bytes text = pair_text();
    bool same = true;
    for (int form = FORM_NFC; form <= FORM_NFKD; form++)
        same &= same_crc(golden_form(form), "pairs", form, &text);
    bytes_free(&text);
    assert_true(same);
}

static void any_sequence_has_its_normal_forms(void **state)
{
    (void)state;
    const json_t *many = golden_get(golden_get(golden, "normal"), "many");
    struct bytes text = {0};
    bytes_add_string(&text, json_string_value(many));
    bool same = true;
    for (int form = FORM_NFC; form <= FORM_NFKD; form++) {
        const json_t *samples = golden_get(golden_form(form), "samples");
        same &= same_samples(samples, to_normal, form);
        same &= same_crc(golden_form(form), "many", form, &text);
    }
    bytes_free(&text);
    assert_true(same);
}

/* U+064C is of class 28 and U+064B of 27: UnicodeData.txt. */
static void marks_of_neighbouring_classes_are_put_in_order(void **state)
{
    (void)state;
    static const char text[] = "\u0628\u064C\u064B";
    static const char ordered[] = "\u0628\u064B\u064C";
    for (int form = FORM_NFC; form <= FORM_NFKD; form++) {
        struct bytes made = {0};
        unicode_normalize((enum unicode_form)form, text, sizeof text, &made);
        assert_int_equal(made.size, sizeof ordered);
        assert_memory_equal(made.data, ordered, sizeof ordered);
        bytes_free(&made);
    }
}

/* A million marks of two classes in turn on one letter: sorted in one pass,
 * where comparing neighbours would take 10^12 steps. */
static void a_heap_of_marks_takes_no_longer_than_its_length(void **state)
{
    (void)state;
    struct bytes text = {0}, made = {0};
    size_t pairs = 500000;
    bytes_add(&text, "q", 1);
    for (size_t i = 0; i < pairs; i++)
        bytes_add_string(&text, "\u0345\u0327");
    unicode_normalize(FORM_NFD, text.data, text.size, &made);
    assert_int_equal(made.size, text.size);
    assert_memory_equal(made.data, "q\u0327\u0327", 5);
    assert_memory_equal(made.data + 1 + 2 * pairs - 2, "\u0327\u0345", 4);
    bytes_free(&text);
    bytes_free(&made);
}

static void nothing_has_a_normal_form_too(void **state)
{
    (void)state;
    struct bytes made = {0};
    for (int form = FORM_NFC; form <= FORM_NFKD; form++)
        unicode_normalize((enum unicode_form)form, NULL, 0, &made);
    unicode_lowercase(NULL, 0, &made);
    utf8_repair(NULL, 0, &made);
    assert_int_equal(made.size, 0);
    assert_int_equal(utf8_valid(NULL, 0), 0);
}

static int open_golden(void **state)
{
    (void)state;
    golden = golden_open("golden/unicode.json");
    return 0;
}

static int close_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lower_case_is_that_of_tokenizers),
        cmocka_unit_test(every_character_has_its_normal_forms),
        cmocka_unit_test(every_pair_is_joined_or_left),
        cmocka_unit_test(any_sequence_has_its_normal_forms),
        cmocka_unit_test(marks_of_neighbouring_classes_are_put_in_order),
        cmocka_unit_test(a_heap_of_marks_takes_no_longer_than_its_length),
        cmocka_unit_test(nothing_has_a_normal_form_too),
    };
    return cmocka_run_group_tests(tests, open_golden, close_golden);
}
