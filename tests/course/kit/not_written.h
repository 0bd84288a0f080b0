/* What stands in a function's body until you write it. */
#ifndef NOT_WRITTEN_H
#define NOT_WRITTEN_H

/* Says which function is missing.  In a test, the test ends there and has
 * failed, and the next one goes on; in ./rung, the program ends with status
 * 3.  Remove the call when you write the body. */
_Noreturn void not_written(const char *name);

/* How a test ends: what not_written calls first, if anything. */
void not_written_ends(void (*end)(const char *name));

#endif
