/* Keys, names of the server, and origins. */
#include "http_guard.h"

#include "test_http_client.h"

static void a_key_must_be_whole(void **state)
{
    (void)state;
    static const char *const keys[] = {"one", "another"};
    const struct http_options none = {0}, o = {.keys = keys, .n_keys = 2};
    static const char *const wrong[] = {"",
                                        "Bearer",
                                        "Bearer ",
                                        "Bearer on",
                                        "Bearer one ",
                                        "Bearer onex",
                                        "Bearer oneone",
                                        "Bearer One",
                                        "one",
                                        "Basic one",
                                        "Bearer anotherX",
                                        "Bearerone",
                                        "Bearer one another"};
    assert_true(guard_key(&none, NULL));
    assert_false(guard_key(&o, NULL));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(guard_key(&o, wrong[i]));
    assert_true(guard_key(&o, "Bearer one"));
    assert_true(guard_key(&o, "Bearer another"));
    assert_true(guard_key(&o, "bearer  one"));
}

static bool host(const struct http_options *o, const char *name)
{
    return guard_host(o, name, strlen(name));
}

static void a_name_must_be_the_servers(void **state)
{
    (void)state;
    static const char *const hosts[] = {"box", "a.example"}, *any[] = {"*"};
    static const char *const good[] = {
        "localhost", "LocalHost:1", "x.localhost", "127.0.0.1:80",
        "10.0.0.7",  "[::1]",       "[fe80::1]:9", "box",
        "BOX:8080",  "a.example"};
    static const char *const bad[] = {
        "",     ":80",         "evil",     "evil:80",  "xlocalhost",
        "[",    "[]",          "[box]",    "127.0.0.", "127.0.0.1.evil",
        "box.", "b.a.example", "localhos", "::1"};
    const struct http_options o = {.hosts = hosts, .n_hosts = 2};
    const struct http_options all = {.hosts = any, .n_hosts = 1};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(host(&o, good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(host(&o, bad[i]));
    assert_true(host(&all, "evil"));
}

static void an_origin_is_listed_or_our_own(void **state)
{
    (void)state;
    static const char *const list[] = {"https://a.example"}, *any[] = {"*"};
    const struct http_options none = {0};
    const struct http_options o = {.origins = list, .n_origins = 1};
    const struct http_options all = {.origins = any, .n_origins = 1};
    assert_false(guard_origin(&none, "https://a.example"));
    assert_true(guard_origin(&o, "https://a.example"));
    assert_false(guard_origin(&o, "http://a.example"));
    assert_false(guard_origin(&o, "https://a.example.evil"));
    assert_false(guard_origin(&o, "null"));
    assert_true(guard_origin(&all, "null"));
    assert_true(guard_is_own("http://localhost:80", "localhost:80"));
    assert_false(guard_is_own("http://localhost:81", "localhost:80"));
    assert_false(guard_is_own("null", "null"));
    assert_false(guard_is_own("http://localhost", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_must_be_whole),
        cmocka_unit_test(a_name_must_be_the_servers),
        cmocka_unit_test(an_origin_is_listed_or_our_own),
    };
    return cmocka_run_group_tests_name("http_guard", tests, NULL, NULL);
}
