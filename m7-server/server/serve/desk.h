/* The desk: a thread that makes requests ready.
 *
 * Reading a body, rendering a template and cutting a long text into tokens
 * take milliseconds, which the network thread does not have.  So it leaves
 * requests here, and one thread takes them in the order in which they came.
 *
 * Knows nothing of what is done with them. */
#ifndef DESK_H
#define DESK_H

#include "error.h"
#include "http_reply.h"
#include "http_request.h"

struct desk;

/* What is done with a request; ends the reply, or sees to it. */
typedef void desk_function(void *context, const struct http_request *request,
                           struct http_reply *reply, double arrived);

/* context: the functions' first argument.  NULL after an error. */
struct desk *desk_start(void *context, struct error *e);

/* Leave a request: `function` will be called with it, and with the time when
 * it arrived.  Where that cannot be it is answered with an error. */
void desk_submit(struct desk *d, desk_function *function,
                 const struct http_request *request, struct http_reply *reply);

/* Wait for the request that is at work; the others are answered with 503. */
void desk_stop(struct desk *d);

#endif
