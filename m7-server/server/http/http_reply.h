/* The reply to a request: given whole, or as a stream, by any thread.
 *
 * A reply has a producer: the handler, or whoever the handler gives it to.
 * The producer ends it once, by http_reply_send, http_reply_error or
 * http_reply_end, and must not touch it or its request after that.  That holds
 * also when the client has left: then nothing is sent, and ending gives the
 * memory back.
 *
 * No function here waits for the network.  What a slow reader does not take is
 * kept, up to a bound (http_limits.stream_bytes); beyond it he is cut off, so
 * that he costs neither the producer time nor the server memory.
 *
 * The functions of one reply may be called by several threads, one at a time;
 * http_reply_state at any time before its end. */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include "buffer.h"
#include "http_error.h"
#include "http_request.h"

#include <stdbool.h>
#include <stddef.h>

struct http_reply;

/* From REPLY_LEFT on nobody reads what is written: the producer should stop,
 * and has still to end the reply. */
enum http_reply_state {
    REPLY_OPEN,
    REPLY_LEFT,   /* the client has closed its connection */
    REPLY_FULL,   /* it read too slowly, or there was no memory: cut off */
    REPLY_LATE,   /* the time for a request is over; the client was told */
    REPLY_STOPPED /* the server ends */
};

enum http_reply_state http_reply_state(const struct http_reply *r);

static inline bool http_reply_is_gone(const struct http_reply *r)
{
    return http_reply_state(r) >= REPLY_LEFT;
}

/* Have `gone` called once, when the reply comes to REPLY_LEFT or beyond; at
 * once, when it is there already.  It runs on the network thread (in the
 * second case on the caller's), which holds no lock, and must not block, nor
 * call a function of the reply.  Once the reply is ended it is never called:
 * http_reply_end and the others wait for one that is running, so they must not
 * be called under a lock that it takes. */
void http_reply_on_gone(struct http_reply *r,
                        void (*gone)(void *context, enum http_reply_state why),
                        void *context);

/* How a reply begins.  The strings are copied. */
struct http_head {
    int status;
    const char *type; /* Content-Type; NULL: none */
    const struct http_header *headers;
    size_t n_headers;
};

/* The request's body has been read, and nothing points into it any more: free
 * it, so that it does not lie there, and count among all bodies, until the
 * reply ends.  What was made of it and stays until then, of so many bytes,
 * counts still. */
void http_reply_forget_body(struct http_reply *r, size_t stays);

/* Answer, and end the reply.  The body is taken over and left empty; when it
 * has failed the client gets 500 instead. */
void http_reply_send(struct http_reply *r, const struct http_head *head,
                     struct bytes *body);

/* Answer with an error, and end the reply. */
void http_reply_error(struct http_reply *r, int status,
                      const struct http_error *error);

/* What the server itself puts into a stream.  The strings are copied. */
struct http_stream {
    const char *silence;    /* after so long without a byte: a comment, say */
    double silence_seconds; /* 0: never */
    const char *late; /* the last words when the request's time is over */
};

/* Begin to answer with a stream, at once. */
void http_reply_stream(struct http_reply *r, const struct http_head *head,
                       const struct http_stream *stream);

/* Send more of a stream; all of it will be sent, or the state is REPLY_LEFT
 * or beyond. */
enum http_reply_state http_reply_write(struct http_reply *r, const void *data,
                                       size_t size);

/* End a stream, and the reply; one that was never begun becomes a 500. */
void http_reply_end(struct http_reply *r);

/* Add a header to the reply, before it is sent or streamed; for what is known
 * only where http_head is not. */
void http_reply_header(struct http_reply *r, const char *name,
                       const char *value);

#endif
