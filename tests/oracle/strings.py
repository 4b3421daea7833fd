"""Writes strings.jsonl: string, method, arguments and what Python 3 makes of them (null where it refuses)."""

import json
import random

random.seed(11)
TEXTS = ["", " ", "a", "abc", "Hello World", "  a b  c ", "a,b,,c", "they're bill's FRIENDS", "ÄÖü ß", "漢字 kanji",
         "x\ty\tzz\n\tq", "line1\nline2\r\nline3\x1ex\u2028", "-42", "+7", "007", "²①", "٣٤", "aaaa", "abcabc",
         "\x1c a\x1f", "ǆ Ǆ ǅ", "ﬁn", "İI", "ΑΣ", "a-b_c.d", "...abc...", "🙂x🙂", "Title Case", "mIxEd", "1a"]
PIECES = ["", "a", " ", "b", ",", "abc", "l", "漢", "🙂", "..", "é", "\n", "bc", "aa"]


def args(method):
    pick, num = random.choice, lambda: random.choice([-7, -3, -1, 0, 1, 2, 3, 5, 9])
    if method in ("strip", "lstrip", "rstrip"):
        return pick([[], [None], ["."], [" a"], ["-+.c"], [""]])
    if method in ("split", "rsplit"):
        return pick([[], [None, num()], [pick(PIECES)], [pick(PIECES), num()]])
    if method == "splitlines":
        return pick([[], [True]])
    if method == "join":
        return [[pick(PIECES) for _ in range(random.randrange(4))]]
    if method == "replace":
        return [pick(PIECES), pick(PIECES)] + pick([[], [num()]])
    if method in ("startswith", "endswith"):
        return [pick([pick(PIECES), [pick(PIECES), "c"]])] + pick([[], [num()], [num(), num()], [None, num()]])
    if method in ("find", "rfind", "index", "rindex", "count"):
        return [pick(PIECES)] + pick([[], [num()], [num(), num()], [num(), None]])
    if method == "zfill":
        return [num()]
    if method in ("ljust", "rjust", "center"):
        return [pick([0, 3, 4, 8, 9, 20, -1])] + pick([[], ["*"], ["漢"], ["ab"]])
    if method in ("partition", "rpartition", "removeprefix", "removesuffix"):
        return [pick(PIECES)]
    if method == "expandtabs":
        return pick([[], [4], [1], [0], [-2]])
    return []


METHODS = ["capitalize", "center", "count", "endswith", "expandtabs", "find", "index", "isalnum", "isalpha", "isascii",
           "isdecimal", "isdigit", "islower", "isspace", "istitle", "isupper", "join", "ljust", "lower", "lstrip",
           "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit",
           "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "zfill"]
seen = set()
with open("strings.jsonl", "w") as out:
    for method in METHODS:
        for text in TEXTS:
            for _ in range(5):
                given = args(method)
                key = json.dumps([text, method, given])
                if key in seen:
                    continue
                seen.add(key)
                tuples = [tuple(a) if isinstance(a, list) else a for a in given]
                try:
                    result = getattr(text, method)(*tuples)
                except (ValueError, TypeError):
                    result = None
                out.write(json.dumps([text, method, given, result], ensure_ascii=False) + "\n")
