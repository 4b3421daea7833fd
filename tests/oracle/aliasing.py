"""Writes aliasing.jsonl: programs of views and writes that mean the same in NumPy and here, with the arrays that
every name holds at the end. Made with NumPy 2.4; the programs by hand and, from a seed, by chance."""

import json
import random

import numpy as np

HAND = [
    "x = arange(10)\nx[1:] = x[:-1]",
    "x = arange(10)\nx[:-1] = x[1:]",
    "x = arange(10)\nx[1:] += x[:-1]",
    "x = arange(10)\nx[::-1] += x",
    "x = arange(10)\nx[::-1] = x",
    "x = arange(10)\nx[::2], x[1::2] = x[1::2], x[::2]",
    "x = arange(10)\nx[2], x[5] = x[5], x[2]",
    "x = arange(12).reshape(3, 4)\nx[0, 1], x[2, 3] = x[2, 3], x[0, 1]",
    "x = arange(16).reshape(4, 4)\nx += x.T",
    "x = arange(16).reshape(4, 4)\nx[...] = x.T",
    "x = arange(16).reshape(4, 4)\nx[::-1, ::-1] += x",
    "x = arange(16).reshape(4, 4)\nx[1:, 1:] = x[:-1, :-1]",
    "x = arange(16).reshape(4, 4)\nx[:, 0] = x[0]",
    "x = arange(16).reshape(4, 4)\nx *= x[0]",
    "x = arange(16).reshape(4, 4)\nx += x[:, 1:2]",
    "x = arange(10)\ny = x + 1\nx[0] = 50\nz = y * 2",
    "x = arange(10)\ny = x * x\nx += y\ny += x\nx += y",
    "x = arange(10)\ny = x[::2]\nz = y[1:]\nz[0] = 70\ny += 1\nx[4] = 9",
    "x = arange(10)\ny = x[2:8]\nx = x + 1\ny[0] = 5",
    "x = arange(10)\ny = x\nx = x + 1\ny[0] = 5",
    "x = arange(10)\ny = x\nx += 1\ny[0] = 5",
    "x = arange(12)\ny = x.reshape(3, 4)\ny[1] = 0\nz = y.T\nz[0, 2] = 8\nx[0] = 7",
    "x = arange(12).reshape(3, 4)\ny = x.T.reshape(-1)\ny[0] = 9\nx[0, 1] = 5",
    "x = arange(12).reshape(3, 4)\ny = x.reshape(2, 6)[::-1, ::3]\ny[...] = 1\nx[x == 1] = 77",
    "x = arange(10)\nx[x > 4] = 0\nx[x == 0] += 3",
    "x = arange(10)\nm = x > 4\nx[m] = x[m] * 2\nx[~m] -= 1",
    "x = arange(10)\nm = x > 4\nx[:] = 1\ny = x[m]",
    "x = arange(10)\nx[[0, 0, 1]] = [7, 8, 9]\nx[[3, 3]] += 1",
    "x = arange(10)\ny = x[[1, 2, 3]]\ny[0] = 99\nx[2] = 5",
    "x = arange(10)\nx[[5, 6, 7]] = x[[7, 6, 5]]",
    "x = arange(12).reshape(3, 4)\nx[[0, 2], [1, 3]] = x[1, :2]\nx[:, [0, 3]] += 1",
    "x = arange(12).reshape(3, 4)\nx[[2, 0, 1]] = x\nx[:, ::2] -= x[:, 1::2]",
    "z = array([1 + 2j, 3 + 4j, 5 + 6j])\nz.real[...] = z.imag\nz.imag[1:] += 1\ny = z.real",
    "z = array([1 + 2j, 3 + 4j])\nr = z.real\nz *= 1j\nr += 10",
    "x = arange(6)\ny = x.reshape(2, 3)\nx[:] = y.T.reshape(-1)",
    "x = arange(6)\ny = x[::-1]\nx[:3] = y[:3]\ny[0] = 100",
    "x = arange(8)\ny = x[:4]\nz = x[2:6]\ny += z\nz += y",
    "x = arange(8)\ny = x[:4] + x[4:]\nx[:4] = y\nx[4:] = y",
    "x = arange(8)\ns = x[3]\nx[3] = 9\nt = s + x[3]",
    "x = arange(8)\nfor i in [1, 2, 3, 4]: x[i] = x[i - 1] + x[i]",
    "x = arange(9).reshape(3, 3)\ny = x[1]\nx[1] = x[0]\nx[0] = y",
    "x = arange(9).reshape(3, 3)\nx[0], x[1] = x[1], x[0]",
    "x = arange(9).reshape(3, 3)\na = x[0] + x[1]\nx[0] = a\nx[1] = a\nx[2] += a",
    "x = arange(4)\ny = x + 0\nx[:2] = y[2:]\ny[:2] = x[2:]\nx += y",
    "x = arange(15).reshape(5, 3)\nx -= x.max(axis=0)",
    "x = arange(15).reshape(5, 3)\nx[::2] += x.sum(axis=0)\nx[:, 1] -= x.max(axis=1)",
    "x = arange(15).reshape(5, 3)\ny = x.T\ny -= y.max(axis=0)\ny[::-1] += y.sum(axis=1, keepdims=True)",
    "x = arange(60).reshape(3, 4, 5)\nx -= x.max(axis=1, keepdims=True)\nx[:, ::-1] += x.sum(axis=0)",
    "x = arange(600).reshape(20, 30)\nx -= x.max(axis=0)\nx += x.T[:20, :1] * 2\nx[...] = x.cumsum(axis=0) % 97",
    "x = arange(300)\nx[1:] += x[:-1]\ny = x[::3] % 7\nx[::3] = y\nx[::-1] += x",
    "x = arange(400).reshape(20, 20)\nx += x.T\nx[::2] -= x[1::2]\ny = x % 5\nx[y == 2] = 0",
]


def run(program, careful=False):
    """The arrays at the end. Computed values lie row-major here, whatever the order of their operands."""
    names = {"arange": np.arange, "array": np.array, "copy": np.copy}
    for line in program.split("\n"):
        exec(carefully(line) if careful else line, names)
        name = line.split(" = ")[0]
        if isinstance(names.get(name), np.ndarray) and names[name].base is None:
            names[name] = np.ascontiguousarray(names[name])
    return {k: v for k, v in names.items() if isinstance(v, (np.ndarray, np.generic)) and not k.startswith("_")}


def carefully(line):
    """Copies what is written: NumPy itself mixes up overlapping 1-d slices of unlike steps."""
    if "]" not in line.split(" = ")[0] or " = " not in line or line.startswith("for"):
        return line
    left, right = line.split(" = ")
    if "], " in left:
        a, b = left.split("], ")
        return f"_r = ({right})\n{a}] = copy(_r[0])\n{b} = copy(_r[1])"
    return f"{left} = copy({right})"


def is_clear(program):
    plain, careful = run(program), run(program, True)
    return all(np.array_equal(plain[k], careful[k]) for k in plain)


def here(program):
    """Python's one-line loop in tsk's spelling."""
    lines = []
    for line in program.split("\n"):
        if line.startswith("for "):
            head, body = line.split(": ", 1)
            line = head + " { " + body + " }"
        lines.append(line)
    return "\n".join(lines)


def subscript(shape):
    """A random basic index and nothing else."""
    parts = []
    for n in shape:
        kind = random.random()
        if kind < 0.35:
            parts.append(":")
        elif kind < 0.45 and len(shape) > 1:
            parts.append(str(random.randrange(-n, n)))
        else:
            step = random.choice(["", "", ":2", ":-1", ":3", ":-2"])
            ends = [random.choice(["", str(random.randrange(-n, n + 1))]) for _ in range(2)]
            parts.append(":".join(ends) + step)
    return "[" + ", ".join(parts) + "]"


def statement(values, count):
    name = random.choice(list(values))
    shape = values[name].shape
    kind = random.randrange(12)
    other = random.choice(list(values))
    view = name + subscript(shape)
    if kind == 0:
        return f"v{count} = {view}"
    if kind == 1:
        return f"p{count} = {name} * 2 + {other}"
    if kind == 2:
        return f"{view} = {other}{subscript(values[other].shape)}"
    if kind in (3, 4):
        return f"{view} {random.choice(['+=', '-='])} {other}{subscript(values[other].shape)}"
    if kind == 5:
        return f"{name} += {other}"
    if kind == 6:
        return f"{name}[...] = {name} % 23"
    if kind == 7:
        return f"{name}[{name} > {random.randrange(20)}] = {random.randrange(9)}"
    if kind == 8:
        n = shape[0]
        ids = [random.randrange(-n, n) for _ in range(3)]
        return f"{name}[{ids}] {random.choice(['=', '+='])} {random.randrange(9)}"
    if kind == 9 and len(shape) == 2:
        return f"v{count} = {name}.T"
    if kind == 10:
        return f"v{count} = {name}.reshape(-1)"
    a, b = view, name + subscript(shape)
    return f"{a}, {b} = {b}, {a}"


def by_chance():
    program = random.choice(["x = arange(12)\nm = arange(24).reshape(4, 6)", "x = arange(90)\nm = arange(120).reshape(10, 12)"])
    lines = program.split("\n")
    while len(lines) < 22:
        values = {k: v for k, v in run("\n".join(lines)).items() if v.ndim > 0 and v.size > 0}
        line = statement(values, len(lines))
        try:
            after = run("\n".join(lines + [line]))
        except (ValueError, IndexError):
            continue
        small = all(np.abs(v).max(initial=0) < 1 << 40 for v in after.values()) and len(after) < 9
        if small and is_clear("\n".join(lines + [line])):
            lines.append(line)
    return "\n".join(lines)


def main():
    random.seed(5)
    with open("aliasing.jsonl", "w", encoding="utf-8") as out:
        for program in HAND + [by_chance() for _ in range(150)]:
            names = {}
            for name, value in run(program).items():
                flat = np.asarray(value).reshape(-1)
                data = [[z.real, z.imag] for z in flat.tolist()] if flat.dtype.kind == "c" else flat.tolist()
                names[name] = {"shape": list(np.shape(value)), "data": data}
            out.write(json.dumps({"source": here(program), "names": names}, separators=(",", ":")) + "\n")


main()
