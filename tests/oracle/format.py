"""Writes format.jsonl: values, format specs and what Python 3 makes of them (null where it refuses)."""

import json
import random

random.seed(5)
ints = [0, 1, -1, 7, -42, 255, 1234, 123456, -1234567, 2**63 - 1, -(2**63), 65, 0x1F642]
floats = [0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 2.5, 0.5, 2.675, 1234.5678, 99999.95, 999999.5, 1e5, 1e6, 1e15, 1e16, 1e17,
          123456789.0, 1.5e-5, 0.0001, 1e-10, 5e-324, 1.7976931348623157e308, 1e22, -0.001, float("inf"),
          float("-inf"), float("nan"), 0.045, 1e-4, 9.9995, 0.99995]
strings = ["", "a", "hello", "it's", "漢字", "ä b"]
complexes = [1 + 2j, 2j, -2j, complex(-0.0, 1), 1.5 - 0.25j, 1e20 + 1e-7j, complex(float("nan"), float("-inf")), 0j]
handmade = ["", "5", "05", "<5", ">5", "^5", "=5", "*^9", "0<6", "+", "-", " ", "z", "#", ",", "_", ".2", ".0", "d", "e",
            "f", "g", "%", "x", "X", "o", "b", "c", "n", "s", "E", "F", "G", "#x", "#b", "08b", "#010x", "_b", ",x",
            ",d", "_d", "010,", "09,", "08,", "012_", "+.3f", " .3f", "z.1f", ".3e", ".3g", "#.3g", "#g", "#.0f", ".0e",
            "#.0e", ",.2f", "015,.2f", "+010.1f", ".1%", ".10", ".1", ".17g", ".30f", "q", "5q", "abc", ",_", "5.",
            "1.2.3", "<<5", "{<5", "0=7", "x=7", "*<5s", ".2s", "3.1s", "=5s", "+s", "#s", ",s", "zs", "zd", "é^7"]


def spec():
    pick = random.choice
    out = pick(["", "", "<", ">", "^", "=", "*<", "0>", "é^", "x="]) + pick(["", "", "+", "-", " "])
    out += pick(["", "", "", "z"]) + pick(["", "", "", "#"]) + pick(["", "", "0"]) + pick(["", "", "1", "6", "12", "20"])
    out += pick(["", "", ",", "_"]) + pick(["", "", ".0", ".1", ".3", ".8", ".20"])
    return out + pick(["", "d", "e", "f", "g", "%", "x", "b", "o", "X", "E", "F", "G", "n", "s", "c"])


def key(v):
    if isinstance(v, complex):
        return {"complex": [repr(v.real), repr(v.imag)]}
    if isinstance(v, float):
        return {"float": repr(v)}
    return v


with open("format.jsonl", "w") as out:
    for values, count in [(ints, 500), (floats, 900), (strings, 150), (complexes, 350), ([True, False], 60)]:
        specs = [(v, s) for v in values[:4] for s in handmade] + [(random.choice(values), spec()) for _ in range(count)]
        for v, s in specs:
            try:
                text = format(v, s)
            except (ValueError, OverflowError):
                text = None
            out.write(json.dumps([key(v), s, text], ensure_ascii=False) + "\n")
