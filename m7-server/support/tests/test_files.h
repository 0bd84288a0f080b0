/* For the tests of files: a folder of their own, and files made to order. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tables are padded with spaces, so that the data always begins here. */
enum test_places {
    DATA_AT = 1024
};

/* A new folder, which becomes the current one, so that the names of files in
 * messages are known beforehand. */
struct scratch {
    char folder[64];
    char *before; /* the folder to go back to */
};

static inline int scratch_enter(void **state)
{
    struct scratch *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    *state = s;
    strcpy(s->folder, "/tmp/rung-test-XXXXXX");
    s->before = getcwd(NULL, 0);
    return s->before && mkdtemp(s->folder) ? chdir(s->folder) : -1;
}

/* Remove a folder and all in it. */
static inline void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char path[4096];
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, name) >=
            (int)sizeof path)
            continue;
        if (unlink(path))
            remove_folder(path);
    }
    if (directory)
        closedir(directory);
    rmdir(folder);
}

static inline int scratch_leave(void **state)
{
    struct scratch *s = *state;
    int failed = chdir(s->before);
    remove_folder(s->folder);
    free(s->before);
    free(s);
    return failed;
}

/* The program to test, by a path that holds in every folder, in out (4096,);
 * `folder` is where the tests were started. */
static inline void program_path(const char *folder, char *out)
{
    const char *program = getenv("RUNG");
    program = program ? program : "./rung";
    snprintf(out, 4096, "%s%s%s", *program == '/' ? "" : folder,
             *program == '/' ? "" : "/", program);
}

static inline void write_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}

static inline void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

/* The length of a table, as a file begins with it. */
static inline void put_length(unsigned char *out, uint64_t length)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(length >> 8 * i);
}

/* A file with the table `table` and `size` bytes of data: 0, 1, 2 ... */
static inline void write_safetensors(const char *path, const char *table,
                                     size_t size)
{
    unsigned char *file = malloc(DATA_AT + size);
    size_t length = strlen(table);
    if (!file || length > DATA_AT - 8)
        abort();
    memset(file, ' ', DATA_AT);
    put_length(file, DATA_AT - 8);
    memcpy(file + 8, table, length);
    for (size_t i = 0; i < size; i++)
        file[DATA_AT + i] = (unsigned char)i;
    write_file(path, file, DATA_AT + size);
    free(file);
}

#endif
