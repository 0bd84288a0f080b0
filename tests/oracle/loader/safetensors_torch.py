"""Tensors as 32-bit floats, by torch: the reference of every model."""
import torch

TYPES = {
    "BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8,
    "U16": torch.uint16, "I16": torch.int16, "U32": torch.uint32,
    "I32": torch.int32, "U64": torch.uint64, "I64": torch.int64,
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16,
    "BF16": torch.bfloat16, "F8_E5M2": torch.float8_e5m2,
    "F8_E5M2FNUZ": torch.float8_e5m2fnuz, "F8_E4M3": torch.float8_e4m3fn,
    "F8_E4M3FNUZ": torch.float8_e4m3fnuz, "F8_E8M0": torch.float8_e8m0fnu,
}


def versions():
    return {"torch": torch.__version__}


def convert(dtype, values):
    """The bits of the floats, as integers; every NaN as the same."""
    if not values:
        return []
    raw = torch.frombuffer(bytearray(values), dtype=torch.uint8)
    floats = raw.view(TYPES[dtype]).to(torch.float32)
    bits = floats.view(torch.int32).to(torch.int64) & 0xffffffff
    bits[torch.isnan(floats)] = 0x7fc00000
    return bits.tolist()
