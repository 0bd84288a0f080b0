"""Tensors as 32-bit floats, by numpy and ml_dtypes."""
import ml_dtypes
import numpy

TYPES = {
    "BOOL": numpy.bool_, "U8": numpy.uint8, "I8": numpy.int8,
    "U16": numpy.uint16, "I16": numpy.int16, "U32": numpy.uint32,
    "I32": numpy.int32, "U64": numpy.uint64, "I64": numpy.int64,
    "F64": numpy.float64, "F32": numpy.float32, "F16": numpy.float16,
    "BF16": ml_dtypes.bfloat16, "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}


def versions():
    return {"numpy": numpy.__version__, "ml_dtypes": ml_dtypes.__version__}


def convert(dtype, values):
    """The bits of the floats, as integers; every NaN as the same."""
    with numpy.errstate(over="ignore", invalid="ignore"):
        floats = numpy.frombuffer(values, TYPES[dtype]).astype(numpy.float32)
    bits = floats.view(numpy.uint32).copy()
    bits[numpy.isnan(floats)] = 0x7fc00000
    return bits.tolist()
