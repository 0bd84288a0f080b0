/* Lists: embeddings and models. */
#include "list_answer.h"

#include "test_api.h"

static const float vectors[] = {0.5f, -0.25f, 1, 0, 3, -2};

#define USAGE "'usage':{'prompt_tokens':9,'total_tokens':9}}"

static void vectors_are_numbers(void **state)
{
    (void)state;
    assert_body(embedding_answer("m", vectors, 2, 3, false, 9),
                "{'object':'list','data':["
                "{'object':'embedding','index':0,'embedding':[0.5,-0.25,1.0]},"
                "{'object':'embedding','index':1,'embedding':[0.0,3.0,-2.0]}],"
                "'model':'m'," USAGE);
}

/* The letters are those of Python's base64.b64encode(struct.pack("<f", x)):
 * of 4, 8 and 12 bytes, which end with "==", "=" and nothing. */
static void expect_letters(size_t width, const char *letters)
{
    char body[256];
    snprintf(body, sizeof body,
             "{'object':'list','data':[{'object':'embedding','index':0,"
             "'embedding':'%s'}],'model':'m'," USAGE,
             letters);
    assert_body(embedding_answer("m", vectors, 1, width, true, 9), body);
}

static void or_their_bytes_in_base64(void **state)
{
    (void)state;
    expect_letters(1, "AAAAPw==");
    expect_letters(2, "AAAAPwAAgL4=");
    expect_letters(3, "AAAAPwAAgL4AAIA/");
}

static void a_model_says_how_much_it_reads(void **state)
{
    (void)state;
    const struct served_model models[] = {{"a", 17, 512, false},
                                          {"b", 18, 2048, true}};
    assert_body(model_answer(models),
                "{'id':'a','object':'model','created':17,'owned_by':'rung',"
                "'max_model_len':512,'rung':{'embedding':false}}");
    assert_body(model_list_answer(models, 2),
                "{'object':'list','data':[{'id':'a','object':'model',"
                "'created':17,'owned_by':'rung','max_model_len':512,'rung':{'"
                "embedding':false}},"
                "{'id':'b','object':'model','created':18,'owned_by':'rung',"
                "'max_model_len':2048,'rung':{'embedding':true}}]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_numbers),
        cmocka_unit_test(or_their_bytes_in_base64),
        cmocka_unit_test(a_model_says_how_much_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
