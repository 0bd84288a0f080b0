/* The byte-level alphabet: a printable character for each of the 256 bytes.
 *
 * GPT-2's vocabulary is of bytes, yet its file must be JSON text.  So each
 * byte that is a visible Latin-1 character stands for itself, and the other
 * 68 (control characters, space, 0xAD) take the characters from U+0100 on in
 * their order: the space, byte 0x20, becomes U+0120, which prints as Ġ. */
#ifndef BYTELEVEL_H
#define BYTELEVEL_H

#include "buffer.h"

#include <stddef.h>
#include <stdint.h>

uint32_t byte_to_char(unsigned char byte);

/* The byte that a character stands for, or -1. */
int char_to_byte(uint32_t code);

/* Append the characters of `text`, a byte each, as UTF-8. */
void bytelevel_spell(const char *text, size_t size, struct bytes *out);

/* Append the bytes that a token (UTF-8) spells; one that has a character
 * outside the alphabet stands for itself. */
void bytelevel_unspell(const char *token, size_t size, struct bytes *out);

#endif
