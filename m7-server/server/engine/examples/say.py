"""Go on with a text:  python3 say.py MODEL 'Once upon a time'"""
from ctypes import *
import sys


def struct(name, **fields):
    return type(name, (Structure,), {"_fields_": list(fields.items())})


# As rung.h has them; POINTER(c_char) and not c_char_p, which ends at a zero.
Error = struct("Error", code=c_int, asked=c_size_t, limit=c_size_t,
               message=c_char * 1024)
Token = struct("Token", index=c_size_t, id=c_int, text=POINTER(c_char),
               size=c_size_t, logprob=c_double, top=c_void_p, n_top=c_size_t)
Sampling = struct("Sampling", repetition=c_float, presence=c_float,
                  frequency=c_float, biases=c_void_p, n_biases=c_size_t,
                  forbid=c_void_p, forbid_context=c_void_p,
                  temperature=c_float, top_k=c_size_t, top_p=c_double,
                  min_p=c_float, typical_p=c_double, seed=c_uint64)
Result = struct("Result", reason=c_int, end_token=c_int, text=POINTER(c_char),
                size=c_size_t)  # and more, which is not looked at
On_token = CFUNCTYPE(c_int, c_void_p, POINTER(Token))
On_end = CFUNCTYPE(None, c_void_p, POINTER(Result))
Request = struct("Request", ids=POINTER(c_int), n_ids=c_size_t, embeds=c_bool,
                 max_tokens=c_size_t, sampling=Sampling, stops=c_void_p,
                 n_stops=c_size_t, ends=c_void_p, n_ends=c_size_t,
                 ignore_eos=c_bool, logprobs=c_bool, top_logprobs=c_size_t,
                 on_prompt=c_void_p, on_token=On_token, on_end=On_end,
                 context=c_void_p)


@On_token
def print_token(_, token):
    sys.stdout.buffer.write(token[0].text[:token[0].size])
    return 0


@On_end
def print_rest(_, result):
    sys.stdout.buffer.write(result[0].text[:result[0].size])


path, text = (word.encode() for word in sys.argv[1:])
rung = CDLL("librung.so")
rung.rung_open.restype = c_void_p
error, request = Error(), Request()
model = c_void_p(rung.rung_open(path, None, byref(error)))
rung.rung_request_init(byref(request))
request.max_tokens, request.sampling.temperature = 40, 0
request.on_token, request.on_end = print_token, print_rest
failed = not model or rung.rung_encode(
    model, text, c_size_t(len(text)), None, byref(request.ids),
    byref(request, Request.n_ids.offset), byref(error)) or rung.rung_generate(
        model, byref(request), None, byref(error))
print(error.message.decode() if failed else "")
rung.rung_free_ids(request.ids)
rung.rung_close(model)
sys.exit(1 if failed else 0)
