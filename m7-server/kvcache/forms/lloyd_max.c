/* The best codes for normal numbers: see lloyd_max.h.  Written by
 * tests/oracle/quant/lloyd_max.py, which has their derivation. */
#include "lloyd_max.h"

static const float centroids2[] = {
    -0x1.82aabap+0f, -0x1.cfa592p-2f, 0x1.cfa592p-2f,
    0x1.82aabap+0f};

static const float borders2[] = {
    -0x1.f6941ep-1f, 0x0p+0f, 0x1.f6941ep-1f};

static const float centroids3[] = {
    -0x1.1372f4p+1f, -0x1.580a7p+0f, -0x1.83132p-1f,
    -0x1.f5f3fp-3f, 0x1.f5f3fp-3f, 0x1.83132p-1f,
    0x1.580a7p+0f, 0x1.1372f4p+1f};

static const float borders3[] = {
    -0x1.bf782ep+0f, -0x1.0ccap+0f, -0x1.00480ep-1f,
    0x0p+0f, 0x1.00480ep-1f, 0x1.0ccap+0f,
    0x1.bf782ep+0f};

static const float centroids4[] = {
    -0x1.5dc57ep+1f, -0x1.08d58ep+1f, -0x1.9e384ap+0f,
    -0x1.41985ep+0f, -0x1.e27a72p-1f, -0x1.5042bcp-1f,
    -0x1.8d5c88p-2f, -0x1.06f3fap-3f, 0x1.06f3fap-3f,
    0x1.8d5c88p-2f, 0x1.5042bcp-1f, 0x1.e27a72p-1f,
    0x1.41985ep+0f, 0x1.9e384ap+0f, 0x1.08d58ep+1f,
    0x1.5dc57ep+1f};

static const float borders4[] = {
    -0x1.334d86p+1f, -0x1.d7f1b4p+0f, -0x1.6fe854p+0f,
    -0x1.196accp+0f, -0x1.995e96p-1f, -0x1.0b788p-1f,
    -0x1.086b42p-2f, 0x0p+0f, 0x1.086b42p-2f,
    0x1.0b788p-1f, 0x1.995e96p-1f, 0x1.196accp+0f,
    0x1.6fe854p+0f, 0x1.d7f1b4p+0f, 0x1.334d86p+1f};

static const struct codebook books[] = {
    {centroids2, borders2}, {centroids3, borders3}, {centroids4, borders4}};

const struct codebook *lloyd_max(size_t bits)
{
    return &books[bits - 2];
}

size_t nearest_code(const struct codebook *b, size_t bits, float x)
{
    size_t code = 0, last = ((size_t)1 << bits) - 1;
    for (size_t i = 0; i < last; i++)
        code += x > b->borders[i];
    return code;
}
