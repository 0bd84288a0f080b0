/* The files beside the weights: config.json, which also says how the weights
 * are quantized; the tokenizer's; and what else belongs to the model. */
#ifndef BESIDE_H
#define BESIDE_H

#include "error.h"
#include "new_folder.h"
#include "quantize.h"

#include <jansson.h>

/* Write them for the model `model`.  config.json is as it was but for
 *     "quantization_config": {"quant_method": "rung", "format": "int4",
 *                             "group_size": 128, "scale": "largest value"}
 * where "scale" says how scales were chosen, which nobody needs in order to
 * read them.  Of the others those that are there are copied byte for byte; a
 * GGUF file's tokenizer.json is what this program reads in it. */
int beside_write(const struct new_folder *folder, const char *model,
                 const struct rounding *r, const char *scale,
                 struct error *e);

/* Write a JSON value, which is taken over, as the file `name`. */
int json_write_file(const struct new_folder *folder, const char *name,
                    json_t *value, struct error *e);

#endif
