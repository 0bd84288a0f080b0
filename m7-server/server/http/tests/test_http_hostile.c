/* Bytes that no honest client sends: the server refuses them, or closes, and
 * serves the next. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"
#define POST  "POST /echo HTTP/1.1\r\n" LOCAL

/* Malformed lines: never 200. */
static const char *const malformed[] = {
    "\r\n\r\n\r\n\r\n",
    "GET\r\n\r\n",
    "GET \r\n\r\n",
    "GET /health\r\n\r\n",
    "GET /health HTTP/9.9\r\n" LOCAL "\r\n",
    "GET /health HTTP/2.0\r\n" LOCAL "\r\n",
    "GET /health HTTP/0.9\r\n" LOCAL "\r\n",
    "GET /health HTTP/11\r\n" LOCAL "\r\n",
    "GET /health HTTP/1.x\r\n" LOCAL "\r\n",
    "GET /health http/1.1\r\n" LOCAL "\r\n",
    "GET /health HTTPS/1.1\r\n" LOCAL "\r\n",
    "GET /health HTTP/-1.1\r\n" LOCAL "\r\n",
    "GET /health FTP/1.1\r\n" LOCAL "\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "get /health HTTP/1.1\r\n" LOCAL "\r\n",
    "G\x01T /health HTTP/1.1\r\n" LOCAL "\r\n",
    "G(T /health HTTP/1.1\r\n" LOCAL "\r\n",
    "\xff\xfe /health HTTP/1.1\r\n" LOCAL "\r\n",
    "AVERYLONGMETHODTHATNOBODYHASEVERHEARDOF /health HTTP/1.1\r\n" LOCAL
    "\r\n",
    "CONNECT localhost:80 HTTP/1.1\r\n" LOCAL "\r\n",
    "TRACE /health HTTP/1.1\r\n" LOCAL "\r\n",
    "OPTIONS * HTTP/1.1\r\n" LOCAL "\r\n",
    "GET health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET * HTTP/1.1\r\n" LOCAL "\r\n",
    "GET ? HTTP/1.1\r\n" LOCAL "\r\n",
    "GET # HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /health# HTTP/1.1\r\n" LOCAL "\r\n",
    "GET //health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /../health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /./health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /health/ HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /HEALTH HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /heal% HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /heal%6 HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /heal%zz HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /health%00 HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /%ff HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /%c0%af HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /%ed%a0%80 HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /\xff HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /\x01 HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /\x7f HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /items/ HTTP/1.1\r\n" LOCAL "\r\n",
    "GET ftp://localhost/health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http:// HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http:///health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http://[::1/health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http://evil/health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http://localhost HTTP/1.1\r\n" LOCAL "\r\n",
    "GET http://localhost@evil/health HTTP/1.1\r\n" LOCAL "\r\n",
    "GET /health HTTP/1.1\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost:\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: \r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: [\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: []\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: [localhost]\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: :80\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: evil\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: evil:localhost\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: localhost.evil\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: evillocalhost\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: 127.0.0.1.evil\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: localhost, evil\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: user@localhost\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "Host: evil\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "no colon\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "a b: c\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "a\x01: c\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "a(b): c\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "a: \x01\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "a: b\x7f\r\n\r\n",
    "GET /health HTTP/1.1\r\n" LOCAL "\xc3\xa9: c\r\n\r\n",
    POST "Content-Length: -1\r\n\r\n",
    POST "Content-Length: +1\r\n\r\nx",
    POST "Content-Length: 0x1\r\n\r\nx",
    POST "Content-Length: 1 1\r\n\r\nx",
    POST "Content-Length: 1, 1\r\n\r\nx",
    POST "Content-Length: 1e3\r\n\r\nx",
    POST "Content-Length: \r\n\r\nx",
    POST "Content-Length: x\r\n\r\nx",
    POST "Content-Length: 18446744073709551615\r\n\r\nx",
    POST "Content-Length: 18446744073709551616\r\n\r\nx",
    POST "Content-Length: 99999999999999999999999999\r\n\r\nx",
    POST "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
    POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: \r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"
         "0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\nx\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n\r\nx\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n3\r\nx\r\n0\r\n\r\n",
    POST
    "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx\r\n0\r\n\r\n",
    POST
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx\r\n0\r\n\r\n",
    POST "Transfer-Encoding: chunked\r\n\r\n1 \r\n\x01\r\n",
    POST "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
    POST "Content-Length: 10\r\n\r\nshort",
    "POST /health HTTP/1.1\r\n" LOCAL "Content-Length: 4\r\n\r\nbody",
    "{\"model\": \"m\"}\r\n\r\n",
    "\x16\x03\x01\x02\x01\x01\xfc\x03\x03 TLS, by mistake\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "EHLO localhost\r\n\r\n",
    "*1\r\n$4\r\nPING\r\n\r\n",
};

enum speaker_sizes {
    MOST_AT_ONCE = 128
};

/* Clients that say something each, and no more, all at once. */
struct crowd {
    struct fixture f;
    size_t n;
    int fds[MOST_AT_ONCE];
    char begin[MOST_AT_ONCE][80]; /* of what each said, for messages */
};

static void say(struct crowd *c, const char *text, size_t size)
{
    assert_true(c->n < MOST_AT_ONCE);
    int fd = client_open(c->f.port);
    client_send(fd, text, size);
    shutdown(fd, SHUT_WR);
    snprintf(c->begin[c->n], sizeof c->begin[0], "%.*s", (int)size, text);
    c->fds[c->n++] = fd;
}

/* The first status that a client gets before the connection is closed, as
 * every one must be; 0 when there is none. */
static int status_of(int fd)
{
    struct bytes reply = {0};
    while (client_more(fd, &reply))
        ;
    bytes_add(&reply, "", 1);
    if (reply.size > 1)
        assert_memory_equal(reply.data, "HTTP/1.", 7);
    int status = reply.size > 1 ? atoi(reply.data + 9) : 0;
    bytes_free(&reply);
    return status;
}

/* All get 0, or a status from `least` on; and then an honest client 200. */
static void expect_refused(struct crowd *c, int least)
{
    for (size_t i = 0; i < c->n; i++) {
        int status = status_of(c->fds[i]);
        bool refused = status == 0 || (status >= least && status <= 505);
        if (!refused)
            print_error("%d: %s\n", status, c->begin[i]);
        assert_true(refused);
        close(c->fds[i]);
    }
    c->n = 0;
    expect_status(&c->f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, "well");
    assert_true(http_wait(c->f.server, PATIENCE));
    assert_int_equal(c->f.n_held, 0);
}

/* Some of them libmicrohttpd leaves waiting, until their time is over. */
static struct crowd *crowd_start(void)
{
    struct crowd *c = calloc(1, sizeof *c);
    struct http_options o = {.limits = http_default_limits};
    assert_non_null(c);
    o.limits.header_seconds = o.limits.body_seconds = 1.5;
    o.limits.idle_seconds = 2;
    fixture_start(&c->f, &o);
    return c;
}

static void crowd_stop(struct crowd *c)
{
    fixture_stop(&c->f);
    free(c);
}

static void malformed_requests_are_refused(void **state)
{
    (void)state;
    struct crowd *c = crowd_start();
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        say(c, malformed[i], strlen(malformed[i]));
    print_message("%zu requests\n", c->n);
    expect_refused(c, 400);
    crowd_stop(c);
}

/* Who waits for the answer is not told to send on: where the body ends nobody
 * knows. */
static void a_body_without_an_end_is_not_waited_for(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    double begun = clock_now();
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, POST "Transfer-Encoding: gzip, chunked\r\n\r\nx");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 400);
    assert_true(bytes_have(&r.body, "Transfer-Encoding"));
    assert_true(clock_now() - begun < PATIENCE / 4);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

/* libmicrohttpd 0.9.75 takes a zero for the end of a line's text, and a
 * header without a name for the end of the headers; 1.0 redirects a path with
 * spaces. */
static void what_is_not_refused_does_no_harm(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "GET /he@lth HTTP/1.1\r\n" LOCAL "\r\n",
        "G@T /health HTTP/1.1\r\n" LOCAL "\r\n",
        "GET /health HTTP/1.1\r\nHost: localhost@evil\r\n\r\n",
        "GET /health HTTP/1.1\r\n" LOCAL "a@b: c\r\n\r\n",
        "GET /health HTTP/1.1\r\n" LOCAL "a: b@c\r\n\r\n",
        "GET /health HTTP/1.1\r\n" LOCAL ": no name\r\n\r\n",
        "GET /health HTTP/1.1\r\n" LOCAL "a: b\r\n c\r\n\r\n",
        "GET /health HTTP/1.1\n" LOCAL "\n\n",
        "GET /\t HTTP/1.1\r\n" LOCAL "\r\n",
        "GET  /health  HTTP/1.1\r\n" LOCAL "\r\n",
        POST "Transfer-Encoding: chunked\r\n\r\n1;x=y\r\nx\r\n0\r\n\r\n",
        POST "Content-Length: 1@\r\n\r\nx",
        "@@@@@@@@\r\n\r\n"};
    struct crowd *c = crowd_start();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char copy[256];
        size_t size = strlen(texts[i]);
        for (size_t k = 0; k < size; k++)
            copy[k] = (char)(texts[i][k] == '@' ? 0 : texts[i][k]);
        say(c, copy, size);
    }
    expect_refused(c, 200);
    crowd_stop(c);
}

static void say_much(struct crowd *c, const char *begin, const char *more)
{
    struct bytes text = {0};
    bytes_add_string(&text, begin);
    while (text.size < 200000)
        bytes_add_string(&text, more);
    say(c, text.data, text.size);
    bytes_free(&text);
}

static void too_much_of_anything_does_no_harm(void **state)
{
    (void)state;
    static const char *const begins[] = {
        "",
        "GET /",
        "GET /health HTTP/1.1\r\n" LOCAL,
        "GET /health ",
        "GET /health HTTP/1.1\r\n" LOCAL "a: ",
        POST "Transfer-Encoding: chunked\r\n\r\n",
        POST "Transfer-Encoding: chunked\r\n\r\n1;"};
    static const char *const more[] = {"x", "\r\n", "a: b\r\n", "1\r\nx\r\n",
                                       " "};
    struct crowd *c = crowd_start();
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            say_much(c, begins[i], more[k]);
    expect_refused(c, 200);
    crowd_stop(c);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Bytes at random; or an honest request of which some bytes are. */
static size_t make_noise(uint64_t *seed, char *text, size_t most)
{
    static const char *const honest[] = {
        "GET /health?a=b HTTP/1.1\r\n" LOCAL "Accept: */*\r\n\r\n",
        POST "Content-Length: 5\r\n\r\nhello",
        POST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        POST "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello"};
    uint64_t kind = next_random(seed) % 5;
    if (kind == 4) {
        size_t size = next_random(seed) % most;
        for (size_t i = 0; i < size; i++)
            text[i] = (char)next_random(seed);
        return size;
    }
    size_t size = strlen(honest[kind]);
    memcpy(text, honest[kind], size);
    for (size_t n = 1 + next_random(seed) % 4; n > 0; n--) {
        uint64_t any = next_random(seed);
        text[any % size] =
            any >> 63 ? "\r\n :%0;"[any >> 32 & 7] : (char)(any >> 32);
    }
    return size - (next_random(seed) % 4 == 0) * (next_random(seed) % size);
}

static void noise_does_no_harm(void **state)
{
    (void)state;
    uint64_t seed = 1;
    size_t n = 0;
    char text[1000];
    struct crowd *c = crowd_start();
    for (double end = clock_now() + 1; clock_now() < end;) {
        for (; c->n < MOST_AT_ONCE; n++)
            say(c, text, make_noise(&seed, text, sizeof text));
        expect_refused(c, 100);
    }
    print_message("%zu requests\n", n);
    crowd_stop(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_requests_are_refused),
        cmocka_unit_test(a_body_without_an_end_is_not_waited_for),
        cmocka_unit_test(what_is_not_refused_does_no_harm),
        cmocka_unit_test(too_much_of_anything_does_no_harm),
        cmocka_unit_test(noise_does_no_harm),
    };
    return cmocka_run_group_tests_name("http_hostile", tests, NULL, NULL);
}
