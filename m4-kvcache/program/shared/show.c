/* Tokens as the commands show them: see show.h.  Writes into memory; it is
 * the commands that print. */
#include "show.h"

#include "json_write.h"
#include "unicode.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Black on five soft backgrounds, in turn, so that neighbours differ. */
static const char *const colors[] = {"\033[30;48;5;153m", "\033[30;48;5;157m",
                                     "\033[30;48;5;223m", "\033[30;48;5;218m",
                                     "\033[30;48;5;189m"};
static const size_t n_colors = sizeof colors / sizeof colors[0];
static const char color_end[] = "\033[0m";

/* Columns of the bytes of a token; longer ones push its piece aside. */
enum table_layout {
    BYTES_WIDTH = 36
};

bool show_in_color(bool asked)
{
    const char *no_color = getenv("NO_COLOR");
    return asked || (isatty(STDOUT_FILENO) && !(no_color && *no_color));
}

static void add_hexadecimal(const char *before, unsigned char byte,
                            const char *digits, struct bytes *out)
{
    char pair[] = {digits[byte >> 4], digits[byte & 15]};
    bytes_add_string(out, before);
    bytes_add(out, pair, 2);
}

/* Append the letter that C writes after a backslash for this byte, if any. */
static bool add_escape(char byte, struct bytes *out)
{
    static const char bytes[] = "\n\t\r\\", letters[] = "ntr\\";
    const char *at = byte ? strchr(bytes, byte) : NULL;
    if (!at)
        return false;
    char pair[] = {'\\', letters[at - bytes]};
    bytes_add(out, pair, 2);
    return true;
}

void show_text(const char *text, size_t size, struct bytes *out)
{
    size_t valid = 0;
    for (size_t at = 0, length; at < size; at += length) {
        if (valid <= at)
            valid = at + utf8_valid(text + at, size - at);
        length = 1;
        bool whole = valid > at;
        uint32_t code = whole ? utf8_decode(text + at, &length) : 0;
        if (whole && !unicode_is_control(code) && code != '\\')
            bytes_add(out, text + at, length);
        else if (length > 1 || !add_escape(text[at], out))
            for (size_t i = 0; i < length; i++)
                add_hexadecimal("\\x", (unsigned char)text[at + i],
                                "0123456789ABCDEF", out);
    }
}

/* Append one token's bytes: "20 74 68 65". */
static void add_hex_bytes(const struct bytes *piece, struct bytes *out)
{
    for (size_t i = 0; i < piece->size; i++)
        add_hexadecimal(i ? " " : "", (unsigned char)piece->data[i],
                        "0123456789abcdef", out);
}

/* Append the piece of the i-th token of a list. */
static void add_piece(const struct bytes *piece, size_t i, bool color,
                      struct bytes *out)
{
    bytes_add_string(out, color ? colors[i % n_colors] : "");
    show_text(piece->data, piece->size, out);
    bytes_add_string(out, color ? color_end : "");
}

static size_t hexadecimal_width(size_t size)
{
    size_t width = size ? 3 * size - 1 : 0;
    return width < BYTES_WIDTH ? width : BYTES_WIDTH;
}

static void add_row(int id, const struct bytes *piece, size_t i, size_t width,
                    bool color, struct bytes *out)
{
    char number[32];
    snprintf(number, sizeof number, "%8d  ", id);
    bytes_add_string(out, number);
    add_hex_bytes(piece, out);
    for (size_t w = hexadecimal_width(piece->size); w < width; w++)
        bytes_add_string(out, " ");
    bytes_add_string(out, color ? "  " : "  '");
    add_piece(piece, i, color, out);
    bytes_add_string(out, color ? "\n" : "'\n");
}

static void free_pieces(struct bytes *pieces, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_free(&pieces[i]);
    free(pieces);
}

/* The bytes of each token, one buffer a token: (n,), freed by free_pieces. */
static struct bytes *find_pieces(const struct tokenizer *t, const int *ids,
                                 size_t n, struct error *e)
{
    struct bytes *pieces = calloc(n + 1, sizeof *pieces);
    if (!pieces)
        fail_memory(e, "the tokens' pieces");
    for (size_t i = 0; pieces && i < n; i++)
        if (tokenizer_bytes(t, ids[i], &pieces[i], e)) {
            free_pieces(pieces, n);
            return NULL;
        }
    return pieces;
}

int show_table(const struct tokenizer *t, const int *ids, size_t n, bool color,
               struct bytes *out, struct error *e)
{
    struct bytes *pieces = find_pieces(t, ids, n, e);
    if (!pieces)
        return -1;
    size_t width = 0;
    for (size_t i = 0; i < n; i++)
        if (hexadecimal_width(pieces[i].size) > width)
            width = hexadecimal_width(pieces[i].size);
    for (size_t i = 0; i < n; i++)
        add_row(ids[i], &pieces[i], i, width, color, out);
    free_pieces(pieces, n);
    return out->failed ? fail_memory(e, "the table of tokens") : 0;
}

int show_strip(const struct tokenizer *t, const int *ids, size_t n, bool color,
               struct bytes *out, struct error *e)
{
    struct bytes *pieces = find_pieces(t, ids, n, e);
    if (!pieces)
        return -1;
    for (size_t i = 0; i < n; i++) {
        bytes_add_string(out, i && !color ? "|" : "");
        add_piece(&pieces[i], i, color, out);
    }
    bytes_add_string(out, "\n");
    free_pieces(pieces, n);
    return out->failed ? fail_memory(e, "the pieces") : 0;
}

void show_ids(const struct ids *ids, const char *between, struct bytes *out)
{
    for (size_t i = 0; i < ids->size; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", ids->data[i]);
        bytes_add_string(out, i ? between : "");
        bytes_add_string(out, number);
    }
}

/* Append a JSON value, which is taken over; NULL is one for which there was
 * no memory. */
static int add_json(json_t *value, struct bytes *out, struct error *e)
{
    char *text = json_text(value, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(value);
    if (!text)
        return fail_memory(e, "the answer");
    bytes_add_string(out, text);
    free(text);
    return 0;
}

int show_json_text(const char *text, size_t size, struct bytes *out,
                   struct error *e)
{
    return add_json(json_stringn(text ? text : "", size), out, e);
}

/* The bytes of a token as a JSON array; NULL on error. */
static json_t *json_bytes(const struct tokenizer *t, int id, struct error *e)
{
    struct bytes piece = {0};
    json_t *list = NULL;
    if (tokenizer_bytes(t, id, &piece, e) == 0) {
        list = json_array();
        for (size_t i = 0; i < piece.size; i++) {
            unsigned char byte = (unsigned char)piece.data[i];
            json_add(&list, json_integer(byte));
        }
        if (!list)
            fail_memory(e, "the bytes of a token");
    }
    bytes_free(&piece);
    return list;
}

int show_json_tokens(const struct tokenizer *t, const struct ids *ids,
                     struct bytes *out, struct error *e)
{
    bytes_add_string(out, "[");
    for (size_t i = 0; i < ids->size; i++) {
        json_t *bytes = json_bytes(t, ids->data[i], e);
        if (!bytes)
            return -1;
        bytes_add_string(out, i ? "," : "");
        json_t *token =
            json_pack("{s:i, s:s, s:o}", "id", ids->data[i], "token",
                      tokenizer_token(t, ids->data[i]), "bytes", bytes);
        if (add_json(token, out, e))
            return -1;
    }
    bytes_add_string(out, "]");
    return 0;
}
