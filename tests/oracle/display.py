"""Writes display.jsonl: arrays (bytes in hex) and the text NumPy shows for them. Made with NumPy 2.4."""

import json
import numpy as np

NAMES = {
    "bool": "bool", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16",
    "int32": "i32", "int64": "i64", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64",
    "complex128": "c128",
}
FLOATS = [np.float16, np.float32, np.float64]
INTS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
rng = np.random.default_rng(7)
out = open("display.jsonl", "w")


def case(a, **options):
    a = np.ascontiguousarray(a).reshape(np.shape(a))
    name = NAMES[a.dtype.name]
    keys = {"width": "linewidth", "edge": "edgeitems"}
    with np.printoptions(**{keys.get(k, k): v for k, v in options.items()}):
        text, shown = np.array2string(a), repr(a)
    row = {"dtype": name, "shape": list(a.shape), "hex": a.tobytes().hex(), "options": options, "text": text}
    # Names of dtypes have other lengths here, so a repr that breaks before them proves nothing.
    last = shown.rsplit("\n", 1)[-1]
    if "dtype=" not in shown or (len(last) < options.get("width", 75) - 4 and not last.strip().startswith(("dtype", "shape"))):
        row["repr"] = shown.replace(f"dtype={a.dtype.name}", f"dtype={name}")
    out.write(json.dumps(row) + "\n")


def shape():
    return tuple(int(n) for n in rng.choice([1, 2, 3, 5], size=rng.integers(0, 4)))


def floats(dtype, s):
    n = int(np.prod(s))
    kind = rng.integers(0, 9)
    if kind == 0:
        x = rng.normal(size=n)
    elif kind == 1:
        x = np.round(rng.normal(size=n) * 100, int(rng.integers(0, 4)))
    elif kind == 2:
        x = rng.normal(size=n) * 10.0 ** rng.integers(-9, 9)
    elif kind == 3:
        x = rng.normal(size=n) * 10.0 ** rng.integers(-9, 9, size=n)
    elif kind == 4:
        x = rng.integers(-2000, 2000, size=n) / 8
    elif kind == 5:
        x = 2.0 ** rng.integers(-20, 20, size=n)
    elif kind == 6:
        x = rng.choice([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, -2.25, 1e5, 3e-5], size=n)
    elif kind == 7:
        x = rng.choice([999.9996, 0.0001, 0.00009999, 999999.94, 1e6, 1e8, 99999999.0, 1000.0, 1.0, 1e-3], size=n)
    else:
        x = rng.random(size=n)
    with np.errstate(all="ignore"):
        return x.astype(dtype).reshape(s)


for dtype in FLOATS:
    for _ in range(110):
        case(floats(dtype, shape()))
    for v in [0.0, -0.0, 1.0, 0.1, 1 / 3, 1e-20, 12345.678, 1e15, 1e16, np.nan, np.inf, -np.inf]:
        with np.errstate(all="ignore"):
            case(np.array(v, dtype))
    for e in rng.integers(-149, 127, size=12):
        with np.errstate(all="ignore"):
            case(np.array([2.0 ** int(e), 1.0, 3.0 * 2.0 ** int(e)]).astype(dtype))
    with np.errstate(all="ignore"):
        case(np.array([np.finfo(dtype).max, np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal], dtype))
        case(np.array([np.finfo(dtype).max], dtype))
        case(np.array([1e-9, 6e-9, 1.0], dtype), suppress=True)
for dtype in [np.complex64, np.complex128]:
    part = np.float32 if dtype == np.complex64 else np.float64
    for _ in range(60):
        s = shape()
        z = np.empty(s, dtype)
        z.real, z.imag = floats(part, s), floats(part, s)
        case(z)
for dtype in INTS:
    info = np.iinfo(dtype)
    for _ in range(14):
        high = min(int(info.max), 10 ** int(rng.integers(1, 19)))
        case(rng.integers(max(int(info.min), -high), high, size=shape(), dtype=dtype, endpoint=True))
    case(np.array([info.min, info.max, 0], dtype))
for _ in range(12):
    case(rng.random(shape()) < 0.5)
for s in [(0,), (3, 0), (0, 2), (2, 0, 3)]:
    for dtype in [np.float32, np.float64, np.int64, np.bool_]:
        case(np.zeros(s, dtype))
for width in [1, 10, 20, 40, 75, 120, 200]:
    case(np.arange(60), width=width)
    case(rng.normal(size=(2, 3, 9)), width=width)
    case(rng.normal(size=(4, 8)) + 1j, width=width)
    case(np.arange(30) % 3 == 0, width=width)
for precision in [0, 1, 2, 3, 5, 12, 20]:
    case(rng.normal(size=(3, 4)), precision=precision)
    case(rng.normal(size=6) * 1e6, precision=precision)
    case(rng.normal(size=6).astype(np.float32) * 1e-6, precision=precision)
    case(np.array([0.5, 1.5, 2.5, 0.125]), precision=precision)
    case(rng.normal(size=3) * 1e-6, precision=precision, suppress=True)
for n in [1, 2, 3, 5]:
    for s in [(30,), (5, 6), (10, 3), (7, 2, 4), (2, 2, 9, 2), (8, 1)]:
        case(rng.integers(0, 1000, size=s), threshold=20, edge=n)
        case(rng.normal(size=s), threshold=10, edge=n, width=50)
case(np.arange(1001))
case(np.arange(1000).astype(np.int16))
out.close()
