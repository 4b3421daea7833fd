"""Writes rows.jsonl: elementwise functions and reductions on every dtype and layout, as conformance cases.
Values by NumPy 2.4 in f64 (c128 for complex numbers), rounded to the result's dtype."""

import json

import numpy as np

np.seterr(all="ignore")
# What each dtype computes in here, and how near results must be.
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
INTS = {"bool": bool, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u64": np.uint64}
COMPLEX = {"c64": np.complex64, "c128": np.complex128}
ALL = {**FLOATS, **INTS, **COMPLEX}
NEAR = {"f16": 1.5e-3, "f32": 2e-6, "f64": 1e-13, "c64": 1e-5, "c128": 1e-12}
# Ways to see a tensor of [4, 6]; the same text for both sides.
LAYOUTS = ["x", "x.T", "x[::2, 1::3]", "x[::-1, ::-1]", "broadcast_to(x[1], (3, 6))", "x[:0]", "x[2, 3]", "x[1:, None, ::-2]"]
SPACE = {"broadcast_to": np.broadcast_to}

out = []


def base(dtype, low, high):
    """Text and value of [4, 6] elements from low to high that are exact in every dtype of the kind."""
    steps = [(i * 7 + 3) % 24 for i in range(24)]
    if dtype == "bool":
        data = [bool(s % 3) for s in steps]
    elif dtype in INTS:
        low, high = (max(int(low), 0) if dtype[0] == "u" else int(low)), int(high)
        data = [low + s % (high - low + 1) for s in steps]
    elif dtype in COMPLEX:
        data = [complex(round((low + (high - low) * s / 23) * 8) / 8, (s % 5 - 2) / 4) for s in steps]
    else:
        data = [round((low + (high - low) * s / 23) * 32) / 32 for s in steps]
    text = "[" + ", ".join(repr(v).strip("()") if not isinstance(v, complex) else f"{v.real} + {v.imag}j" for v in data) + "]"
    return f"array({text}, dtype={dtype}).reshape(4, 6)".replace("+ -", "- "), np.array(data, dtype=ALL[dtype]).reshape(4, 6)


def element(v):
    if isinstance(v, complex):
        return [element(v.real), element(v.imag)]
    if isinstance(v, float):
        if v != v:
            return "nan"
        if v in (np.inf, -np.inf):
            return "inf" if v > 0 else "-inf"
    return v


def expected(value, dtype, rtol, atol):
    value = np.asarray(value)
    with np.errstate(all="ignore"):
        value = value.astype(ALL[dtype])
    data = [element(v) for v in value.reshape(-1).tolist()]
    if dtype in ("f32", "f16"):
        data = [v if isinstance(v, str) else float(f"{v:.9g}") for v in data]
    if dtype == "f64":
        data = [v if isinstance(v, str) else float(f"{v:.16g}") for v in data]
    want = {"dtype": dtype, "shape": list(value.shape), "data": data}
    if rtol:
        want.update(rtol=rtol, atol=atol)
    return want


def wide(x):
    """What the reference computes in."""
    kind = x.dtype.kind
    return x.astype(np.complex128 if kind == "c" else np.float64 if kind == "f" else x.dtype)


def case(name, dtype, setup, calls, results):
    out.append({"id": f"{name}-{dtype}", "tags": ["oracle"], "src": setup + "\n" + "\n".join(calls), "expect": results})


def unary(name, f, kinds, low, high, result="float", exact=False):
    for kind in kinds:
        for dtype in kind:
            text, x = base(dtype, low, high)
            to = {"float": dtype if dtype not in INTS else "f32", "same": dtype, "bool": "bool"}.get(result, result)
            if result == "real" :
                to = {"c64": "f32", "c128": "f64"}.get(dtype, dtype)
            rtol = 0 if exact else NEAR.get(to, 0)
            calls, results = [], []
            for layout in LAYOUTS:
                v = eval(layout, {"x": x, **SPACE})
                v = np.asarray(v)
                ref = wide(v)
                if result == "float" and dtype in INTS:
                    ref = ref.astype(np.float64)
                calls.append(f"{name}({layout})")
                results.append(expected(f(ref), to, rtol, rtol))
            case(name, dtype, f"x = {text}", calls, results)


def binary(name, f, kinds, result="same", exact=False, ylow=1, yhigh=5, symbol=None):
    for kind in kinds:
        for dtype in kind:
            text, x = base(dtype, -4 if dtype[0] != "u" else 0, 9)
            ytext, y = base(dtype, ylow, yhigh)
            y = y[::-1].copy()
            to = {"float": dtype if dtype not in INTS else "f32", "same": dtype, "bool": "bool"}[result]
            rtol = 0 if exact else NEAR.get(to, 0)
            calls, results = [], []
            for layout in LAYOUTS:
                scope = {"x": x, **SPACE}
                a = np.asarray(eval(layout, scope))
                b = np.asarray(eval(layout, {"x": y, **SPACE}))
                other = layout.replace("x", "y").replace("broadcast_to(y[1]", "broadcast_to(y[1]")
                calls.append(f"{layout} {symbol} {other}" if symbol else f"{name}({layout}, {other})")
                ra, rb = wide(a), wide(b)
                if result == "float" and dtype in INTS:
                    ra, rb = ra.astype(np.float64), rb.astype(np.float64)
                results.append(expected(f(ra, rb), to, rtol, rtol))
            # One operand broadcast along a column, and a plain number.
            calls.append(f"x[:, :1] {symbol} y[2]" if symbol else f"{name}(x[:, :1], y[2])")
            ra, rb = wide(x[:, :1]), wide(y[2])
            if result == "float" and dtype in INTS:
                ra, rb = ra.astype(np.float64), rb.astype(np.float64)
            results.append(expected(f(ra, rb), to, rtol, rtol))
            case(name, dtype, f"x = {text}\ny = ({ytext})[::-1]", calls, results)


def reduction(name, f, kinds, result="same", empty=True, exact=False):
    for kind in kinds:
        for dtype in kind:
            text, x = base(dtype, -3 if dtype[0] != "u" else 0, 4)
            to = {"float": dtype if dtype not in INTS else "f32", "same": dtype, "bool": "bool", "i64": "i64"}.get(result)
            if result == "wide":
                to = "u64" if dtype[0] == "u" else "i64" if dtype in INTS else dtype
            if result == "real":
                to = {"c64": "f32", "c128": "f64"}.get(dtype, dtype if dtype not in INTS else "f32")
            rtol = 0 if exact else NEAR.get(to, 0)
            calls, results = [], []
            for layout in LAYOUTS:
                v = np.asarray(eval(layout, {"x": x, **SPACE}))
                if v.size == 0 and not empty:
                    continue
                axes = [None] + ([0, -1] if v.ndim > 1 else [])
                for axis in axes:
                    if v.size == 0 and axis == 0 and not empty:
                        continue
                    ref = wide(v)
                    if to in FLOATS or to in COMPLEX:
                        ref = ref.astype(np.complex128 if to in COMPLEX or ref.dtype.kind == "c" else np.float64)
                    elif result == "wide":
                        ref = ref.astype(ALL[to])
                    calls.append(f"{name}({layout})" if axis is None else f"{name}({layout}, axis={axis})")
                    results.append(expected(f(ref, axis=axis), to, rtol, rtol * 4))
            case(name, dtype, f"x = {text}", calls, results)


def elementwise():
    fl, it, cx = FLOATS, INTS, COMPLEX
    signed = {k: v for k, v in INTS.items() if k[0] == "i"}
    numbers = {k: v for k, v in INTS.items() if k != "bool"}
    for name in ["exp", "sin", "cos", "tanh", "arctan", "sinh", "cosh", "arcsinh", "expm1", "exp2", "cbrt"]:
        kinds = [fl, it] if name in ("expm1", "exp2", "cbrt") else [fl, it, cx]
        unary(name, getattr(np, name), kinds, -2, 3)
    for name in ["log", "sqrt", "log2", "log10"]:
        unary(name, getattr(np, name), [fl, it] + ([cx] if name in ("log", "sqrt") else []), 1, 20)
    unary("log1p", np.log1p, [fl, it], 0, 20)
    for name in ["arcsin", "arccos"]:
        unary(name, getattr(np, name), [fl], -1, 1)
    unary("arctanh", np.arctanh, [fl], -0.9, 0.9)
    unary("arccosh", np.arccosh, [fl], 1, 9)
    unary("tan", np.tan, [fl], -1.25, 1.25)
    unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)), [fl], -6, 6)
    unary("silu", lambda x: x / (1 + np.exp(-x)), [fl], -6, 6)
    unary("softplus", lambda x: np.logaddexp(0, x), [fl], -6, 6)
    unary("reciprocal", lambda x: 1 / x, [fl, cx], 1, 9)
    unary("deg2rad", np.deg2rad, [fl], -90, 90)
    for name in ["floor", "ceil", "trunc", "rint"]:
        unary(name, getattr(np, name), [fl], -9, 9, "same", True)
    unary("relu", lambda x: np.maximum(x, x.dtype.type(0)), [fl, signed], -9, 9, "same", True)
    unary("negative", np.negative, [fl, numbers, cx], -9, 9, "same", True)
    unary("abs", np.abs, [fl, numbers], -9, 9, "same", True)
    unary("abs", np.abs, [cx], -9, 9, "real")
    unary("square", np.square, [numbers, cx], -3, 9, "same", True)
    unary("sign", np.sign, [fl, numbers], -2, 2, "same", True)
    unary("invert", np.invert, [it], 0, 20, "same", True)
    unary("isnan", np.isnan, [fl, cx], -2, 2, "bool", True)
    unary("signbit", np.signbit, [fl], -2, 2, "bool", True)
    unary("logical_not", np.logical_not, [fl, it, cx], -2, 2, "bool", True)
    unary("conj", np.conj, [cx], -2, 2, "same", True)
    for name, symbol in [("add", "+"), ("multiply", "*")]:
        binary(name, getattr(np, name), [fl, it, cx], symbol=symbol)
    binary("subtract", np.subtract, [fl, numbers, cx], symbol="-")
    binary("divide", np.divide, [fl, numbers, cx], "float", symbol="/")
    for name, symbol in [("floor_divide", "//"), ("remainder", "%")]:
        binary(name, getattr(np, name), [fl, numbers], symbol=symbol)
    binary("power", np.power, [fl, numbers], ylow=0, yhigh=3, symbol="**")
    for name in ["maximum", "minimum"]:
        binary(name, getattr(np, name), [fl, it], exact=True)
    for name in ["fmax", "fmin", "copysign", "hypot", "arctan2", "fmod", "logaddexp"]:
        binary(name, getattr(np, name), [fl])
    for name, symbol in [("bitwise_and", "&"), ("bitwise_or", "|"), ("bitwise_xor", "^")]:
        binary(name, getattr(np, name), [it], exact=True, symbol=symbol)
    for name, symbol in [("left_shift", "<<"), ("right_shift", ">>")]:
        binary(name, getattr(np, name), [numbers], exact=True, symbol=symbol)
    for name in ["gcd", "lcm"]:
        binary(name, getattr(np, name), [numbers], exact=True)
    for name, symbol in [("equal", "=="), ("not_equal", "!="), ("less", "<"), ("less_equal", "<="), ("greater", ">"), ("greater_equal", ">=")]:
        binary(name, getattr(np, name), [fl, it] + ([cx] if "equal" in name and "_" not in name[:5] and name in ("equal", "not_equal") else []), "bool", True, symbol=symbol)
    for name in ["logical_and", "logical_or", "logical_xor"]:
        binary(name, getattr(np, name), [fl, it], "bool", True)


def reductions():
    fl, it, cx = FLOATS, INTS, COMPLEX
    reduction("sum", np.sum, [fl, it, cx], "wide")
    reduction("prod", np.prod, [{"f32": 0, "f64": 0}, it], "wide")
    reduction("mean", np.mean, [fl, it, cx], "float", empty=False)
    reduction("var", np.var, [fl, it], "float", empty=False)
    reduction("std", np.std, [{"f32": 0, "f64": 0}, it], "float", empty=False)
    for name in ["max", "min"]:
        reduction(name, getattr(np, name), [fl, it], "same", empty=False, exact=True)
    for name in ["argmax", "argmin"]:
        reduction(name, getattr(np, name), [fl, it], "i64", empty=False, exact=True)
    for name in ["any", "all"]:
        reduction(name, getattr(np, name), [fl, it, cx], "bool", exact=True)
    reduction("count_nonzero", np.count_nonzero, [fl, it], "i64", exact=True)
    for name in ["nansum", "nanmax"]:
        reduction(name, getattr(np, name), [fl], "same", empty=name == "nansum")
    reduction("cumsum", np.cumsum, [{"f32": 0, "f64": 0}, it], "wide")
    reduction("ptp", np.ptp, [fl], "same", empty=False)


elementwise()
reductions()
with open("rows.jsonl", "w", encoding="utf-8") as f:
    for c in out:
        f.write(json.dumps(c, separators=(",", ":")) + "\n")
print(len(out), "cases")
