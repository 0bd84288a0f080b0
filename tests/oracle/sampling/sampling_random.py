"""Make m3-sampling/golden/random.json: what xoshiro256** and splitmix64 must
give, from their papers' definitions.

    python3 sampling_random.py

Needs Python alone.  A jump is computed in another way than the program does
it: a step of the state is a matrix T of 256 x 256 bits, and 2^128 steps are T
squared 128 times.  The first numbers are checked against those that the
authors' own C code gives.
"""
import json
import pathlib

OUT = (pathlib.Path(__file__).resolve().parents[3]
       / "m3-sampling" / "golden" / "random.json")
MASK = 2 ** 64 - 1

# prng.di.unimi.it: xoshiro256starstar.c from state 1, 2, 3, 4, and
# splitmix64.c from 1234567.
XOSHIRO = [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360,
           607988272756665600, 16172922978634559625, 8476171486693032832,
           10595114339597558777, 2904607092377533576]
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423,
            4593380528125082431, 16408922859458223821]


def splitmix(seed, n):
    numbers = []
    for _ in range(n):
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        z = seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        numbers.append(z ^ z >> 31)
    return numbers


def rotl(x, k):
    return (x << k | x >> 64 - k) & MASK


def step(s):
    a, b, c, d = s
    return [a ^ b ^ d, a ^ b ^ c, a ^ c ^ (b << 17 & MASK), rotl(b ^ d, 45)]


def numbers(state, n):
    out = []
    for _ in range(n):
        out.append(rotl(state[1] * 5 & MASK, 7) * 9 & MASK)
        state = step(state)
    return out


def pack(s):
    return sum(word << 64 * i for i, word in enumerate(s))


def unpack(x):
    return [x >> 64 * i & MASK for i in range(4)]


def apply(columns, x):
    """The matrix of these columns times the vector of bits x."""
    out = 0
    while x:
        low = x & -x
        out ^= columns[low.bit_length() - 1]
        x ^= low
    return out


def jump_matrix():
    columns = [pack(step(unpack(1 << i))) for i in range(256)]
    for _ in range(128):
        columns = [apply(columns, column) for column in columns]
    return columns


def main():
    assert numbers([1, 2, 3, 4], 10) == XOSHIRO
    assert splitmix(1234567, 5) == SPLITMIX
    columns = jump_matrix()
    streams = []
    for seed in (0, 1, 7, MASK):
        state = splitmix(seed, 4)
        for stream in range(3):
            first = numbers(state, 4)
            streams.append({"seed": str(seed), "stream": stream,
                            "bits": [str(x) for x in first],
                            "shares": [(x >> 11) / 2 ** 53 for x in first]})
            state = unpack(apply(columns, pack(state)))
    golden = {"made by": "tests/oracle/sampling/sampling_random.py",
              "xoshiro": [str(x) for x in XOSHIRO],
              "splitmix": [str(x) for x in SPLITMIX],
              "jump": [str(x) for x in
                       unpack(apply(columns, pack([1, 2, 3, 4])))],
              "streams": streams}
    OUT.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
