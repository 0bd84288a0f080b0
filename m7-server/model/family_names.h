/* What families call their weights. */
#ifndef FAMILY_NAMES_H
#define FAMILY_NAMES_H

/* A name for each part; NULL: there is no such part.  Parts that share a name
 * are fused: stacked in one tensor, in the order in which they stand here. */
struct weight_names {
    const char *embedding, *norm, *head;
    const char *mix_norm, *q, *k, *v, *o, *mix_after; /* of a layer */
    const char *q_norm, *k_norm;
    const char *feed_norm, *gate, *up, *down, *feed_after;
    const char *mask, *mask_value; /* of a layer, in old files; not read */
};

extern const struct weight_names llama_names;   /* most others', too */
extern const struct weight_names hunyuan_names; /* q and k norms of its own */
extern const struct weight_names gemma_names;   /* norms before and after */
extern const struct weight_names glm4_names;  /* the same; gate and up fused */
extern const struct weight_names internlm2_names; /* its own; qkv fused */
extern const struct weight_names olmo2_names; /* norms only after */
extern const struct weight_names phi3_names;  /* q, k, v and gate, up fused */
extern const struct weight_names starcoder2_names; /* no gate */
extern const struct weight_names neox_names;       /* no gate; q, k, v fused */

#endif
