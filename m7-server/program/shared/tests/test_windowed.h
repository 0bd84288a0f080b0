/* For the tests of commands with a model whose upper layers have a window. */
#ifndef TEST_WINDOWED_H
#define TEST_WINDOWED_H

#include "test_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void replace_text(char *text, const char *from, const char *to)
{
    char rest[4096], *at = strstr(text, from);
    assert_non_null(at);
    strcpy(rest, at + strlen(from));
    strcpy(at, to);
    strcat(at, rest);
}

/* Link a file of the reading model into this folder. */
static inline void link_model_file(const char *name)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", getenv("RUNG_MODEL"), name);
    assert_int_equal(symlink(path, name), 0);
}

/* The reading model with a window of three in its upper four layers. */
static inline void write_windowed_model(void)
{
    char path[4200], text[4096] = "";
    snprintf(path, sizeof path, "%s/config.json", getenv("RUNG_MODEL"));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t size = fread(text, 1, 2048, f);
    fclose(f);
    text[size] = 0;
    replace_text(text, "\"use_sliding_window\": false",
                 "\"use_sliding_window\": true");
    replace_text(text, "\"sliding_window\": null", "\"sliding_window\": 3");
    replace_text(text, "\"max_window_layers\": 8", "\"max_window_layers\": 4");
    f = fopen("config.json", "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    link_model_file("model.safetensors");
    link_model_file("tokenizer.json");
}

#endif
