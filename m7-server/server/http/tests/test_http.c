/* What a client is told, request by request. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

static void a_request_is_answered_by_its_route(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, "well\n");
    expect_status(&f, "GET /health?a=b HTTP/1.1\r\n" LOCAL "\r\n", 200,
                  "well");
    expect_status(&f, "GET http://localhost/health HTTP/1.1\r\n" LOCAL "\r\n",
                  200, "well");
    expect_status(&f, "GET /items/a%2Fb%20%C3%A9 HTTP/1.1\r\n" LOCAL "\r\n",
                  200, "a/b \xc3\xa9");
    expect_status(
        &f, "POST /echo HTTP/1.1\r\n" LOCAL "Content-Length: 5\r\n\r\nhello",
        200, "hello");
    fixture_stop(&f);
}

static void a_body_may_come_in_chunks(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    expect_status(&f,
                  "POST /echo HTTP/1.1\r\n" LOCAL
                  "Transfer-Encoding: chunked\r\n\r\n"
                  "3\r\nhel\r\nA\r\nlo, world!\r\n0\r\n\r\n",
                  200, "hello, world!");
    fixture_stop(&f);
}

static void a_head_has_the_headers_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "HEAD /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, true);
    assert_int_equal(r.status, 200);
    assert_string_equal(response_header(&r, "Content-Length"), "5");
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    assert_body(&r, "well\n");
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void every_reply_has_an_id_of_its_own(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    char first[64];
    fixture_plain(&f);
    client_ask(f.port, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", &r);
    const char *id = response_header(&r, "x-request-id");
    assert_int_equal(strlen(id), 36);
    memcpy(first, id, 37);
    assert_memory_equal(first, "req_", 4);
    client_ask(f.port, "GET /none HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_string_not_equal(response_header(&r, "x-request-id"), first);
    response_free(&r);
    fixture_stop(&f);
}

static void an_error_has_the_shape_of_openai(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    client_ask(f.port, "GET /n\xc3%A9%22 HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_int_equal(r.status, 400);
    client_ask(f.port, "GET /n%C3%A9%22 HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_int_equal(r.status, 404);
    assert_string_equal(response_header(&r, "Content-Type"),
                        "application/json");
    assert_body(&r, "{\"error\":{\"message\":\"unknown path: /n\xc3\xa9\\\"\","
                    "\"type\":\"invalid_request_error\",\"param\":null,"
                    "\"code\":\"unknown_url\"}}");
    response_free(&r);
    fixture_stop(&f);
}

static void a_method_that_a_path_lacks_is_405(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    client_ask(f.port, "DELETE /echo HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_int_equal(r.status, 405);
    assert_string_equal(response_header(&r, "Allow"),
                        "POST, GET, HEAD, OPTIONS");
    client_ask(f.port, "OPTIONS /echo HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_int_equal(r.status, 204);
    assert_string_equal(response_header(&r, "Allow"),
                        "POST, GET, HEAD, OPTIONS");
    response_free(&r);
    fixture_stop(&f);
}

static void with_keys_one_is_needed(void **state)
{
    (void)state;
    static const char *const keys[] = {"first", "second-key"};
    struct fixture f;
    struct response r = {0};
    fixture_start(&f, &(struct http_options){.keys = keys,
                                             .n_keys = 2,
                                             .limits = http_default_limits});
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, NULL);
    client_ask(f.port, "GET /echo HTTP/1.1\r\n" LOCAL "\r\n", &r);
    assert_int_equal(r.status, 401);
    assert_string_equal(response_header(&r, "WWW-Authenticate"), "Bearer");
    assert_true(bytes_have(&r.body, "\"code\":\"invalid_api_key\""));
    expect_status(&f, "GET /nothing HTTP/1.1\r\n" LOCAL "\r\n", 401, NULL);
    expect_status(&f,
                  "GET /echo HTTP/1.1\r\n" LOCAL
                  "Authorization: Bearer second\r\n\r\n",
                  401, NULL);
    expect_status(&f,
                  "GET /echo HTTP/1.1\r\n" LOCAL
                  "Authorization: Bearer second-key\r\n\r\n",
                  200, NULL);
    expect_status(&f,
                  "GET /echo HTTP/1.1\r\n" LOCAL
                  "authorization: bearer first\r\n\r\n",
                  200, NULL);
    expect_status(
        &f, "POST /echo HTTP/1.1\r\n" LOCAL "Content-Length: 5\r\n\r\nhello",
        401, NULL);
    response_free(&r);
    fixture_stop(&f);
}

static void a_name_that_leads_here_is_not_ours(void **state)
{
    (void)state;
    static const char *const hosts[] = {"box.example"};
    struct fixture f;
    fixture_start(&f, &(struct http_options){.hosts = hosts,
                                             .n_hosts = 1,
                                             .limits = http_default_limits});
    expect_status(&f, "GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                  403, "unknown_host");
    expect_status(&f, "GET http://evil.example/ HTTP/1.1\r\n" LOCAL "\r\n",
                  403, "unknown_host");
    expect_status(&f, "GET /health HTTP/1.1\r\nHost: Box.example:80\r\n\r\n",
                  200, NULL);
    expect_status(&f, "GET /health HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", 200,
                  NULL);
    expect_status(&f, "GET /health HTTP/1.1\r\nHost: [::1]:9\r\n\r\n", 200,
                  NULL);
    expect_status(&f, "GET /health HTTP/1.1\r\n\r\n", 400, NULL);
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL LOCAL "\r\n", 400,
                  NULL);
    fixture_stop(&f);
}

static void other_pages_may_not_ask(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    client_ask(f.port,
               "GET /health HTTP/1.1\r\n" LOCAL
               "Origin: https://a.example\r\n\r\n",
               &r);
    assert_int_equal(r.status, 200);
    assert_null(response_header(&r, "Access-Control-Allow-Origin"));
    expect_status(&f,
                  "POST /echo HTTP/1.1\r\n" LOCAL
                  "Origin: https://a.example\r\nContent-Length: 1\r\n\r\n.",
                  403, "unknown_origin");
    expect_status(&f,
                  "POST /echo HTTP/1.1\r\n" LOCAL
                  "Origin: http://localhost\r\nContent-Length: 1\r\n\r\n.",
                  200, NULL);
    response_free(&r);
    fixture_stop(&f);
}

static void pages_of_the_list_may(void **state)
{
    (void)state;
    static const char *const origins[] = {"https://a.example"};
    static const char *const keys[] = {"key"};
    struct fixture f;
    struct response r = {0};
    fixture_start(&f, &(struct http_options){.origins = origins,
                                             .n_origins = 1,
                                             .keys = keys,
                                             .n_keys = 1,
                                             .limits = http_default_limits});
    client_ask(f.port,
               "OPTIONS /echo HTTP/1.1\r\n" LOCAL
               "Origin: https://a.example\r\n"
               "Access-Control-Request-Method: POST\r\n"
               "Access-Control-Request-Headers: authorization, x-a\r\n\r\n",
               &r);
    assert_int_equal(r.status, 204);
    assert_string_equal(response_header(&r, "Access-Control-Allow-Origin"),
                        "https://a.example");
    assert_string_equal(response_header(&r, "Vary"), "Origin");
    assert_string_equal(response_header(&r, "Access-Control-Allow-Methods"),
                        "POST, GET, HEAD, OPTIONS");
    assert_string_equal(response_header(&r, "Access-Control-Allow-Headers"),
                        "authorization, x-a");
    client_ask(f.port,
               "POST /echo HTTP/1.1\r\n" LOCAL
               "Origin: https://a.example\r\nContent-Length: 1\r\n\r\n.",
               &r);
    assert_int_equal(r.status, 401);
    assert_string_equal(response_header(&r, "Access-Control-Allow-Origin"),
                        "https://a.example");
    response_free(&r);
    fixture_stop(&f);
}

/* libmicrohttpd sends no header without a value: what a client said without
 * one, and would be told again, he has not said. */
static void a_header_without_a_value_is_none(void **state)
{
    (void)state;
    static const char *const list[] = {"https://a.example"};
    static const char *const empty[] = {"", " ", "\t", " \t "};
    struct fixture f;
    struct response r = {0};
    fixture_start(&f, &(struct http_options){.limits = http_default_limits,
                                             .origins = list,
                                             .n_origins = 1});
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        char request[400];
        snprintf(request, sizeof request,
                 "OPTIONS /echo HTTP/1.1\r\n" LOCAL
                 "Origin: https://a.example\r\n"
                 "Access-Control-Request-Method: POST\r\n"
                 "Access-Control-Request-Headers:%s\r\n\r\n",
                 empty[i]);
        client_ask(f.port, request, &r);
        assert_int_equal(r.status, 204);
        assert_null(response_header(&r, "Access-Control-Allow-Headers"));
        response_free(&r);
        snprintf(request, sizeof request,
                 "POST /echo HTTP/1.1\r\n" LOCAL
                 "Origin:%s\r\nContent-Length: 1\r\n\r\n.",
                 empty[i]);
        client_ask(f.port, request, &r);
        assert_int_equal(r.status, 200);
        assert_null(response_header(&r, "Access-Control-Allow-Origin"));
        response_free(&r);
    }
    fixture_stop(&f);
}

static void requests_may_follow_each_other(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd,
               "POST /echo HTTP/1.1\r\n" LOCAL "Content-Length: 3\r\n\r\none"
               "GET /none HTTP/1.1\r\n" LOCAL "\r\n"
               "POST /echo HTTP/1.1\r\n" LOCAL
               "Transfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
               "GET /items/three HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    assert_body(&r, "one");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 404);
    client_next(fd, &r, false);
    assert_body(&r, "two");
    client_next(fd, &r, false);
    assert_body(&r, "three");
    for (int i = 0; i < 100; i++) {
        client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
        client_next(fd, &r, false);
        assert_body(&r, "well\n");
    }
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void a_handler_sees_the_whole_request(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "POST /hold?a=1&b=x%26y+z HTTP/1.1\r\n" LOCAL
                   "X-One: first\r\nx-one: second\r\nContent-Length: 4\r\n\r\n"
                   "a\r\nb");
    struct http_reply *reply = fixture_held(&f, 0);
    const struct http_request *q = f.requests[0];
    struct bytes value = {0};
    assert_string_equal(q->method, "POST");
    assert_string_equal(q->path, "/hold");
    assert_string_equal(q->rest, "");
    assert_string_equal(q->query, "a=1&b=x%26y+z");
    assert_string_equal(q->peer, "127.0.0.1");
    assert_string_equal(http_header(q, "x-oNe"), "first");
    assert_null(http_header(q, "x-two"));
    assert_int_equal(q->n_headers, 4);
    assert_string_equal(q->body, "a\r\nb");
    assert_int_equal(q->body_size, 4);
    assert_int_equal(http_query(q, "b", &value), 1);
    assert_int_equal(value.size, 5);
    assert_memory_equal(value.data, "x&y z", 5);
    assert_int_equal(http_query(q, "c", &value), 0);
    bytes_free(&value);
    http_reply_end(reply);
    close(fd);
    fixture_stop(&f);
}

static void a_log_has_what_came_of_each(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    expect_status(&f, "GET /health?secret HTTP/1.1\r\n" LOCAL "\r\n", 200,
                  NULL);
    assert_true(fixture_wait(&f, &f.n_logged, 1));
    assert_string_equal(f.log, "GET /health 200 5 whole");
    expect_status(&f, "GET /no HTTP/1.1\r\n" LOCAL "\r\n", 404, NULL);
    assert_true(fixture_wait(&f, &f.n_logged, 2));
    assert_memory_equal(f.log, "GET /no 404 ", 12);
    fixture_stop(&f);
}

static void an_address_that_is_taken_is_told(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    fixture_plain(&f);
    struct http_options o = {.port = f.port, .limits = http_default_limits};
    assert_null(http_start(&o, fixture_routes, 1, NULL, &e));
    assert_int_equal(e.code, ERROR_SYSTEM);
    assert_non_null(strstr(e.message, "127.0.0.1:"));
    o.address = "localhost";
    assert_null(http_start(&o, fixture_routes, 1, NULL, &e));
    assert_int_equal(e.code, ERROR_USAGE);
    o.address = "127.0.0.1";
    o.port = 65536;
    assert_null(http_start(&o, fixture_routes, 1, NULL, &e));
    assert_int_equal(e.code, ERROR_USAGE);
    fixture_stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered_by_its_route),
        cmocka_unit_test(a_body_may_come_in_chunks),
        cmocka_unit_test(a_head_has_the_headers_alone),
        cmocka_unit_test(every_reply_has_an_id_of_its_own),
        cmocka_unit_test(an_error_has_the_shape_of_openai),
        cmocka_unit_test(a_method_that_a_path_lacks_is_405),
        cmocka_unit_test(with_keys_one_is_needed),
        cmocka_unit_test(a_name_that_leads_here_is_not_ours),
        cmocka_unit_test(other_pages_may_not_ask),
        cmocka_unit_test(pages_of_the_list_may),
        cmocka_unit_test(a_header_without_a_value_is_none),
        cmocka_unit_test(requests_may_follow_each_other),
        cmocka_unit_test(a_handler_sees_the_whole_request),
        cmocka_unit_test(a_log_has_what_came_of_each),
        cmocka_unit_test(an_address_that_is_taken_is_told),
    };
    return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}
