/* Replies on their way to the network. */
#include "http_server.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum http_send_sizes {
    BLOCK_BYTES = 32768 /* that libmicrohttpd asks for at once, about */
};

/* The lock is held. */
static ssize_t take_block(struct http_reply *r, char *block, size_t most)
{
    size_t waiting = exchange_waiting(r);
    size_t size = waiting < most ? waiting : most;
    memcpy(block, r->content.data + r->taken, size);
    r->taken += size;
    r->sent += size;
    return (ssize_t)size;
}

/* libmicrohttpd asks for more of a stream.  When there is none it must not
 * ask again before there is: the connection is suspended. */
static ssize_t read_stream(void *context, uint64_t position, char *block,
                           size_t most)
{
    (void)position;
    struct http_reply *r = context;
    ssize_t result = 0;
    pthread_mutex_lock(&r->lock);
    if (r->broken)
        result = MHD_CONTENT_READER_END_WITH_ERROR;
    else if (exchange_waiting(r) > 0)
        result = take_block(r, block, most);
    else if (r->complete)
        result = MHD_CONTENT_READER_END_OF_STREAM;
    else {
        r->suspended = true;
        MHD_suspend_connection(r->network);
    }
    pthread_mutex_unlock(&r->lock);
    return result;
}

static struct MHD_Response *make_response(struct http_reply *r)
{
    if (r->streamed && !r->head_only)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                 read_stream, r, NULL);
    struct exchange_body body = exchange_body(r);
    return MHD_create_response_from_buffer(r->streamed ? 0 : body.size,
                                           (void *)body.data,
                                           MHD_RESPMEM_PERSISTENT);
}

/* The next of the headers, whose name is at *name and whose value at *value;
 * begin with NULL. */
static bool next_header(const struct http_reply *r, const char **name,
                        const char **value)
{
    *name = *name ? *value + strlen(*value) + 1 : r->headers.data;
    if (!*name || *name == r->headers.data + r->headers.size)
        return false;
    *value = *name + strlen(*name) + 1;
    return true;
}

enum MHD_Result send_reply(struct http_reply *r)
{
    struct MHD_Response *response = make_response(r);
    if (!response)
        return MHD_NO;
    const char *name = NULL, *value = NULL;
    enum MHD_Result result = MHD_YES;
    while (result == MHD_YES && next_header(r, &name, &value))
        result = MHD_add_response_header(response, name, value);
    if (result == MHD_YES)
        result = MHD_queue_response(r->network, (unsigned)r->status, response);
    MHD_destroy_response(response);
    if (result == MHD_YES && r->head_only && r->streamed)
        exchange_quiet(r);
    else if (result == MHD_YES && !r->streamed)
        r->sent = r->head_only ? 0 : exchange_body(r).size;
    return result;
}

/* A reply is small enough for what the system takes at once; if it does not,
 * the client has left replies unread, and is owed none. */
void send_past(int socket, const struct http_reply *r)
{
    struct bytes text = {0};
    struct exchange_body body = exchange_body(r);
    char line[128];
    snprintf(line, sizeof line, "HTTP/1.1 %d %s\r\n", r->status,
             MHD_get_reason_phrase_for((unsigned)r->status));
    bytes_add_string(&text, line);
    const char *name = NULL, *value = NULL;
    while (next_header(r, &name, &value)) {
        bytes_add_string(&text, name);
        bytes_add_string(&text, ": ");
        bytes_add_string(&text, value);
        bytes_add_string(&text, "\r\n");
    }
    snprintf(line, sizeof line,
             "Content-Length: %zu\r\nConnection: close\r\n\r\n", body.size);
    bytes_add_string(&text, line);
    bytes_add(&text, body.data, body.size);
    if (!text.failed)
        (void)!send(socket, text.data, text.size, MSG_DONTWAIT | MSG_NOSIGNAL);
    bytes_free(&text);
}
