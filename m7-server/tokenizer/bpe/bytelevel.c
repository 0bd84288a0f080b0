/* The byte-level alphabet: see bytelevel.h. */
#include "bytelevel.h"

#include "unicode.h"

/* The bytes that are not visible come in three runs: 0x00 to 0x20, 0x7F to
 * 0xA0, and 0xAD; 33, 34 and 1 of them. */
uint32_t byte_to_char(unsigned char byte)
{
    if (byte <= 0x20)
        return 0x100u + byte;
    if (byte >= 0x7F && byte <= 0xA0)
        return 0x100u + 33 + (byte - 0x7Fu);
    return byte == 0xAD ? 0x100u + 33 + 34 : byte;
}

int char_to_byte(uint32_t code)
{
    if (code >= 0x100 && code <= 0x120)
        return (int)(code - 0x100);
    if (code > 0x120 && code <= 0x142)
        return (int)(code - 0x121 + 0x7F);
    if (code == 0x143)
        return 0xAD;
    return code < 0x100 && byte_to_char((unsigned char)code) == code
               ? (int)code
               : -1;
}

void bytelevel_spell(const char *text, size_t size, struct bytes *out)
{
    for (size_t i = 0; i < size; i++)
        utf8_add(out, byte_to_char((unsigned char)text[i]));
}

void bytelevel_unspell(const char *token, size_t size, struct bytes *out)
{
    size_t mark = out->size, length;
    for (size_t i = 0; i < size; i += length) {
        int byte = char_to_byte(utf8_decode(token + i, &length));
        char one = (char)byte;
        if (byte >= 0) {
            bytes_add(out, &one, 1);
            continue;
        }
        out->size = mark;
        bytes_add(out, token, size);
        return;
    }
}
