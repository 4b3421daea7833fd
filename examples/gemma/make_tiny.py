"""Writes tiny.gguf, a made-up Gemma 3 of two blocks with the tensor types of a Q4_K_M file, and what an independent
NumPy computation of the network gives for it: tiny_logits.npy after the prompt, tiny_tokens.npy with greedy decoding.

python examples/gemma/make_tiny.py      needs numpy and gguf
"""

import os

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind
from gguf.quants import dequantize, quantize

EMBED, HEADS, SIZE, FEED, VOCAB, BLOCKS, WINDOW = 64, 4, 64, 256, 96, 2, 5
PROMPT, COUNT = [2, 8, 52, 29, 11, 95, 7], 6
BASES = [10000.0, 1000000.0]
EPS = 1e-6
rng = np.random.default_rng(7)
weights = {}
here = os.path.dirname(os.path.abspath(__file__))


def add(writer, name, shape, kind):
    if kind == Kind.F32:
        # What the blocks add outweighs the token itself, or every token would only repeat itself.
        data = ((4 if "post" in name else 1) + rng.normal(size=shape) / 4).astype(np.float32)
        writer.add_tensor(name, data)
        weights[name] = data
        return
    if kind in (Kind.Q4_K, Kind.Q6_K):
        # The package has no encoder: any bytes are codes and scales, only the factors must be sane.
        block, size = gguf.GGML_QUANT_SIZES[kind]
        packed = rng.integers(0, 256, (shape[0], shape[1] // block, size), dtype=np.uint8)
        factors = {Kind.Q4_K: [(0, 3e-4), (2, 2e-3)], Kind.Q6_K: [(208, 1e-4)]}[kind]
        for at, factor in factors:
            values = (factor * rng.uniform(0.5, 1, packed.shape[:2])).astype(np.float16)
            packed[..., at : at + 2] = values[..., None].view(np.uint8)
        packed = packed.reshape(shape[0], -1)
    else:
        packed = quantize((rng.normal(size=shape) / shape[1] ** 0.5).astype(np.float32), kind)
    writer.add_tensor(name, packed, raw_dtype=kind)
    weights[name] = dequantize(packed, kind)
    assert weights[name].shape == shape


def write(path):
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_name("made up")
    writer.add_block_count(BLOCKS)
    writer.add_context_length(64)
    writer.add_embedding_length(EMBED)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(1)
    writer.add_key_length(SIZE)
    writer.add_value_length(SIZE)
    writer.add_layer_norm_rms_eps(EPS)
    writer.add_rope_freq_base(BASES[1])
    writer.add_sliding_window(WINDOW)
    add(writer, "token_embd.weight", (VOCAB, EMBED), Kind.Q8_0)
    add(writer, "output_norm.weight", (EMBED,), Kind.F32)
    for i in range(BLOCKS):
        # As in the real file, value and down come in two types.
        value, down = [(Kind.Q8_0, Kind.Q6_K), (Kind.Q5_0, Kind.Q4_K)][i]
        for name, shape, kind in [
            ("attn_norm", (EMBED,), Kind.F32),
            ("attn_q", (HEADS * SIZE, EMBED), Kind.Q5_0),
            ("attn_k", (SIZE, EMBED), Kind.Q5_0),
            ("attn_v", (SIZE, EMBED), value),
            ("attn_q_norm", (SIZE,), Kind.F32),
            ("attn_k_norm", (SIZE,), Kind.F32),
            ("attn_output", (EMBED, HEADS * SIZE), Kind.Q4_K),
            ("post_attention_norm", (EMBED,), Kind.F32),
            ("ffn_norm", (EMBED,), Kind.F32),
            ("ffn_gate", (FEED, EMBED), Kind.Q5_0),
            ("ffn_up", (FEED, EMBED), Kind.Q5_0),
            ("ffn_down", (EMBED, FEED), down),
            ("post_ffw_norm", (EMBED,), Kind.F32),
        ]:
            add(writer, f"blk.{i}.{name}.weight", shape, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def rms(x, name):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * weights[name].astype(np.float64)


def times(x, name):
    return x @ weights[name].astype(np.float64).T


def turned(x, base):
    """x is [position, head, size]."""
    half = SIZE // 2
    angle = np.arange(len(x))[:, None] * base ** (-np.arange(half) / half)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


def attention(h, i):
    n, far, blk = len(h), i % 6 == 5, f"blk.{i}"
    base = BASES[1] if far else BASES[0]
    q = turned(rms(times(h, f"{blk}.attn_q.weight").reshape(n, HEADS, SIZE), f"{blk}.attn_q_norm.weight"), base)
    k = turned(rms(times(h, f"{blk}.attn_k.weight").reshape(n, 1, SIZE), f"{blk}.attn_k_norm.weight"), base)
    v = times(h, f"{blk}.attn_v.weight")
    out = np.zeros((n, HEADS, SIZE))
    for p in range(n):
        first = 0 if far else max(0, p - WINDOW + 1)
        for head in range(HEADS):
            s = k[first : p + 1, 0] @ q[p, head] / SIZE**0.5
            e = np.exp(s - s.max())
            out[p, head] = e / e.sum() @ v[first : p + 1]
    return times(out.reshape(n, -1), f"{blk}.attn_output.weight")


def logits(tokens):
    """All positions anew, in f64, without a cache."""
    x = weights["token_embd.weight"][tokens].astype(np.float64) * EMBED**0.5
    for i in range(BLOCKS):
        blk = f"blk.{i}"
        x = x + rms(attention(rms(x, f"{blk}.attn_norm.weight"), i), f"{blk}.post_attention_norm.weight")
        h = rms(x, f"{blk}.ffn_norm.weight")
        g = times(h, f"{blk}.ffn_gate.weight")
        g = g / 2 * (1 + np.tanh((2 / np.pi) ** 0.5 * (g + 0.044715 * g**3)))
        down = times(g * times(h, f"{blk}.ffn_up.weight"), f"{blk}.ffn_down.weight")
        x = x + rms(down, f"{blk}.post_ffw_norm.weight")
    return times(rms(x[-1], "output_norm.weight"), "token_embd.weight")


write(os.path.join(here, "tiny.gguf"))
tokens = list(PROMPT)
first = logits(tokens)
while len(tokens) < len(PROMPT) + COUNT:
    now = logits(tokens)
    best = np.sort(now)[::-1]
    assert best[0] - best[1] > 0.05, "two tokens are too close to tell apart in f32: take another seed"
    tokens.append(int(now.argmax()))
np.save(os.path.join(here, "tiny_logits.npy"), first.astype(np.float32))
np.save(os.path.join(here, "tiny_tokens.npy"), np.array(tokens))
print(tokens, np.sort(first)[::-1][:5])
