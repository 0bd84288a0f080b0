"""Go on with a text:  python3 say.py MODEL 'Once upon a time'"""
import sys
from ctypes import *


class Error(Structure):  # struct rung_error, field by field
    _fields_ = [("code", c_int), ("asked", c_size_t), ("limit", c_size_t),
                ("message", c_char * 1024)]


# POINTER(c_char) and not c_char_p, which ends at a zero.
@CFUNCTYPE(c_int, c_void_p, POINTER(c_char), c_size_t)
def show(_, text, size):
    sys.stdout.buffer.write(text[:size])
    return 0  # go on


path, text = (word.encode() for word in sys.argv[1:])
rung, error = CDLL("librung.so"), Error()
rung.rung_open.restype = c_void_p
model = c_void_p(rung.rung_open(path, None, byref(error)))
failed = not model or rung.rung_continue(
    model, text, c_size_t(40), show, None, byref(error))
print(error.message.decode() if failed else "")
rung.rung_close(model)
sys.exit(1 if failed else 0)
