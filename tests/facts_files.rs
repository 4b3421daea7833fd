//! Known answers about number formats and packed blocks: facts 50 to 63 and 66 to 68 of the project's list, stated by
//! other libraries' tests or computed with NumPy and the `gguf` package.

use tsk::report::Log;
use tsk::session::Session;
use tsk::tensor::{Codes, DType, Encoding, Layout, PackedFormat, Scalar, UserFormat};

fn format(name: &str) -> &'static PackedFormat {
    PackedFormat::from_name(name).expect("a format")
}

fn decoded(f: &PackedFormat, bytes: &[u8]) -> Vec<f32> {
    let mut out = vec![0.0; bytes.len() / f.bytes * f.block];
    f.decode(bytes, &mut out);
    out
}

fn encoded(f: &PackedFormat, values: &[f32]) -> Vec<u8> {
    let mut out = vec![0xAA; values.len() / f.block * f.bytes];
    assert!(f.encode(values, &mut out));
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn bits(dtype: DType, x: f64) -> u16 {
    let mut out = Vec::new();
    Scalar::Float(x).write(dtype, &mut out);
    u16::from_le_bytes([out[0], out[1]])
}

/// What a text prints.
#[track_caller]
fn prints(text: &str, want: &str) {
    let mut log = Log::default();
    let outcome = Session::new(Default::default()).eval("fact", text, &mut log);
    assert_eq!((outcome.status(), log.text.as_str()), (0, format!("{want}\n").as_str()));
}

#[test]
fn fact_50_f16() {
    let p = |e| 2f64.powi(e);
    for (x, want) in [
        (1.0, 0x3C00),
        (-2.0, 0xC000),
        (0.5, 0x3800),
        (65504.0, 0x7BFF),
        (65519.0, 0x7BFF),
        (65520.0, 0x7C00),
        (p(-14), 0x0400),
        (1023.0 * p(-24), 0x03FF),
        (p(-24), 0x0001),
        (p(-25), 0x0000),
        (1.0 + p(-11), 0x3C00),
        (1.0 + 3.0 * p(-11), 0x3C02),
        (-0.0, 0x8000),
    ] {
        assert_eq!(bits(DType::F16, x), want, "{x:e}");
    }
    let nan = bits(DType::F16, f64::NAN);
    assert!(nan & 0x7C00 == 0x7C00 && nan & 0x03FF != 0, "NaN never becomes inf");
    prints("print(array([65519.0, 65520.0, nan], dtype=f64).astype(f16))", "[6.55e+04      inf      nan]");
}

#[test]
fn fact_51_bf16_rounds_to_nearest_even() {
    assert_eq!(bits(DType::BF16, f64::from(f32::from_bits(0x3FFF_FFFF))), 0x4000);
    assert_eq!(bits(DType::BF16, f64::from(f32::from_bits(0x7F80_0001))) & 0x7FC0, 0x7FC0);
    // Through the kernels too: bits in, bits out.
    let text = "x = array([0x3fffffff, 0x7f800001, 0x3f808000, 0x3f818000], dtype=u32).view(f32)\n\
                print(x.astype(bf16).view(u16))";
    prints(text, "[16384 32704 16256 16258]");
}

#[test]
fn fact_52_sizes_of_blocks() {
    for (name, block, bytes) in [
        ("q4_0", 32, 18),
        ("q4_1", 32, 20),
        ("q5_0", 32, 22),
        ("q5_1", 32, 24),
        ("q8_0", 32, 34),
        ("q2_k", 256, 84),
        ("q3_k", 256, 110),
        ("q4_k", 256, 144),
        ("q5_k", 256, 176),
        ("q6_k", 256, 210),
        ("tq1_0", 256, 54),
        ("tq2_0", 256, 66),
    ] {
        assert_eq!((format(name).block, format(name).bytes), (block, bytes), "{name}");
    }
    // The first half of the elements stands in the low nibbles.
    let mut b = vec![0; 18];
    b[..2].copy_from_slice(&[0x00, 0x3C]);
    b[2] = 0x9F;
    let x = decoded(format("q4_0"), &b);
    assert_eq!((x[0], x[16], x[1], x[17]), (7.0, 1.0, -8.0, -8.0));
}

/// A K-quant's scales and minima by the rule of the fact, given its 12 bytes.
fn scales(s: &[u8]) -> Vec<(f32, f32)> {
    let one = |j: usize| match j < 4 {
        true => (s[j] & 63, s[j + 4] & 63),
        false => ((s[j + 4] & 15) | ((s[j - 4] >> 6) << 4), (s[j + 4] >> 4) | ((s[j] >> 6) << 4)),
    };
    (0..8).map(one).map(|(scale, least)| (f32::from(scale), f32::from(least))).collect()
}

#[test]
fn fact_53_scales_of_six_bits() {
    let mut b: Vec<u8> = (0..144).map(|i| (91 * i + 5) as u8).collect();
    b[..4].copy_from_slice(&[0x00, 0x3C, 0x00, 0x3C]);
    let x = decoded(format("q4_k"), &b);
    for (j, (scale, least)) in scales(&b[4..16]).into_iter().enumerate() {
        for i in [0, 13, 31] {
            let byte = b[16 + 32 * (j / 2) + i];
            let q = if j % 2 == 0 { byte & 15 } else { byte >> 4 };
            assert_eq!(x[32 * j + i], scale * f32::from(q) - least, "{j} {i}");
        }
    }
}

/// Where d and the minimum stand; first four values, last, sum, CRC-32 of all.
type Vector = (&'static str, usize, Option<usize>, [f32; 4], f32, f64, u32);

#[test]
fn fact_54_decode_vectors() {
    let vectors: [Vector; 12] = [
        ("q4_0", 0, None, [-1.5, 1.0, 3.5, -2.0], 0.0, -10.5, 0xfef3c770),
        ("q4_1", 0, Some(2), [8.5, 3.0, 5.5, 8.0], 7.0, 154.5, 0xd16058c5),
        ("q5_0", 0, None, [4.5, -1.0, 1.5, -4.0], 0.5, 7.5, 0xdc349c3f),
        ("q5_1", 0, Some(2), [10.5, 13.0, 15.5, 10.0], 3.5, 284.5, 0xcf12cd82),
        ("q8_0", 0, None, [42.5, 61.0, -48.5, -30.0], -24.0, -88.0, 0xce689365),
        ("q2_k", 80, Some(82), [16.5, 0.0, 5.5, 11.0], 0.0, -230.5, 0x361eb83a),
        ("q3_k", 108, None, [40.5, -54.0, 13.5, -27.0], 21.0, 479.0, 0x9329b91f),
        ("q4_k", 0, Some(2), [119.5, -51.0, 26.5, 104.0], -2.0, 20884.0, 0xfe18b90c),
        ("q5_k", 0, Some(2), [367.5, -51.0, 274.5, 104.0], 28.0, 51772.0, 0x6e8098f0),
        ("q6_k", 208, None, [-715.5, 848.0, 291.5, -265.0], -30.0, 2306.0, 0x7dd18393),
        ("tq1_0", 52, None, [-0.5, -0.5, -0.5, 0.0], -0.5, -1.0, 0x89d96ccd),
        ("tq2_0", 64, None, [-0.5, -0.5, 0.0, 0.5], -0.5, -33.0, 0x539feb44),
    ];
    for (name, d, least, first, last, sum, crc) in vectors {
        let f = format(name);
        let mut b: Vec<u8> = (0..f.bytes).map(|i| (37 * i + 11) as u8).collect();
        if name == "tq2_0" {
            b.iter_mut().for_each(|byte| *byte = (0..4).map(|k| ((*byte >> (2 * k) & 3) % 3) << (2 * k)).sum());
        }
        b[d..d + 2].copy_from_slice(&[0x00, 0x38]);
        if let Some(at) = least {
            b[at..at + 2].copy_from_slice(&[0x00, 0x3C]);
        }
        let x = decoded(f, &b);
        assert_eq!((&x[..4], x[f.block - 1]), (&first[..], last), "{name}");
        assert_eq!(x.iter().map(|v| f64::from(*v)).sum::<f64>(), sum, "{name}");
        let bytes: Vec<u8> = x.iter().flat_map(|v| (v + 0.0).to_le_bytes()).collect();
        assert_eq!(crc32fast::hash(&bytes), crc, "{name}");
    }
}

#[test]
fn fact_55_encode_vectors() {
    let x: Vec<f32> = (0..32).map(|i| (i as f32 - 16.0) / 16.0).collect();
    for (name, want, error) in [
        ("q4_0", "0030809191a2a2b3b3c4c4d5d5e6e6f7f7f8", 0.13),
        ("q4_1", "223000bc80809191a2a2b3b3c4c4d5d5e6e6f7f7", 0.07),
        ("q5_0", "002c0000ffff00112233445566778899aabbccddeeff", 0.0),
        ("q5_1", "002c00bc0000ffff00112233445566778899aabbccddeeff", 0.0),
        ("q8_0", "082081899199a1a9b1b9c0c8d0d8e0e8f0f8000810182028303840474f575f676f77", 0.003_906_25),
    ] {
        let bytes = encoded(format(name), &x);
        assert_eq!(hex(&bytes), want, "{name}");
        let back = decoded(format(name), &bytes);
        let worst = back.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst <= error, "{name} {worst}");
    }
}

#[test]
fn fact_56_halves_round_away_and_zeros_stay() {
    assert_eq!(encoded(format("q8_0"), &[0.0; 32]), [0; 34]);
    let zeros = encoded(format("q4_0"), &[0.0; 32]);
    assert_eq!(hex(&zeros), format!("0080{}", "88".repeat(16)));
    assert!(decoded(format("q4_0"), &zeros).iter().all(|v| *v == 0.0));
    // absmax 127: d = 1, and 0.5 and -2.5 lie in the middle.
    let mut x = [0.0; 32];
    (x[0], x[1], x[2]) = (127.0, 0.5, -2.5);
    assert_eq!(encoded(format("q8_0"), &x)[2..5], [127, 1, (-3_i8) as u8]);
}

#[test]
fn fact_57_a_dominant_value() {
    let mut x = [0.1; 32];
    x[7] = -3.7;
    let back = decoded(format("q4_0"), &encoded(format("q4_0"), &x));
    assert!((back[7] - -3.699_22).abs() < 1e-5, "{}", back[7]);
}

#[test]
fn fact_58_ternary_bytes() {
    let mut x = [0.0; 256];
    (x[0], x[128]) = (1.0, -1.0);
    let b = encoded(format("tq1_0"), &x);
    assert_eq!((b[0], &b[1..48], &b[48..52], &b[52..]), (0xD4, &[0x80; 47][..], &[0x7F; 4][..], &[0x00, 0x3C][..]));
    let b2 = encoded(format("tq2_0"), &x);
    assert_eq!((b2[0], b2[32]), (0x56, 0x54));
    let ternary: Vec<f32> = (0..512).map(|i| ((i * 7 + i / 3) % 3) as f32 - 1.0).collect();
    for name in ["tq1_0", "tq2_0"] {
        assert_eq!(decoded(format(name), &encoded(format(name), &ternary)), ternary, "{name}");
    }
}

#[test]
fn fact_59_partial_blocks_are_refused() {
    for (name, count) in [("tq2_0", 100), ("tq1_0", 300), ("q4_0", 31)] {
        assert_eq!(Encoding::Packed(format(name)).bytes(&[count]), None, "{name}");
        let mut log = Log::default();
        let text = format!("quantize(ones({count}), {name})");
        assert_eq!(Session::new(Default::default()).eval("fact", &text, &mut log).status(), 1);
        assert_eq!(log.errors[0].code, "E0216", "{name}");
    }
}

#[test]
fn fact_60_ternary_of_two_bits() {
    // 256 values without a scale, four neighbours a byte, low pair first, code = value + 1.
    let codes = Codes::Linear { zero: 1.0, signed: false };
    let plain = UserFormat { block: 256, bits: 2, scale: None, minimum: None, codes };
    let f = plain.register().expect("a format");
    assert_eq!((f.block, f.bytes), (256, 64));
    let mut b = vec![0x55; 64];
    b[0] = 0b10_01_00_10;
    assert_eq!(decoded(f, &b)[..5], [1.0, -1.0, 0.0, 1.0, 0.0]);
    let codes = Codes::Linear { zero: 1.0, signed: false };
    let scaled = UserFormat { block: 256, bits: 2, scale: Some(DType::F32), minimum: None, codes };
    assert_eq!(scaled.register().expect("a format").bytes, 68);
}

#[test]
fn fact_61_q8_0_codes_are_values() {
    let mut b = vec![0x00, 0x3C];
    b.extend(1..=32_u8);
    let x = decoded(format("q8_0"), &b);
    assert_eq!(x, (1..=32).map(|i| i as f32).collect::<Vec<_>>());
    let text = "w = quantize(ones(1, 32) * 127, q8_0)\nx = arange(32.0) + 1\nprint(item(w @ x) / 127)";
    prints(text, "528.0");
}

#[test]
fn facts_62_and_63_grids_of_blocks() {
    let f = format("q4_k");
    let w = Layout::contiguous(&[4, 512]).expect("small");
    let grid = f.blocks(&w).expect("whole blocks");
    assert_eq!((&grid.shape[..], &grid.strides[..], grid.offset), (&[4, 512][..], &[2, 1][..], 0));
    assert_eq!((2 * grid.strides[0] + grid.strides[1]) as usize * f.bytes, 720);
    assert_eq!(grid.strides[0] as usize * f.bytes, 288);
    let w = Layout::contiguous(&[2, 512]).expect("small");
    let narrow = |axis, start, len| f.blocks(&w.narrow(axis, start, len).expect("inside"));
    assert_eq!(narrow(1, 256, 256).map(|l| l.offset), Ok(1));
    assert_eq!(narrow(0, 1, 1).map(|l| l.offset), Ok(2));
    assert_eq!(narrow(1, 0, 100).expect_err("cut").code, "E0216");
    assert_eq!(narrow(1, 100, 256).expect_err("cut").code, "E0216");
}

#[test]
fn fact_66_transposed_packed_views() {
    let text = "w = quantize(sin(arange(3 * 512.0)).reshape(3, 512), q4_k)\n\
                print(all(unpack(w.T) == unpack(w).T), w.T.strides, w.T.nbytes == w.nbytes, w.T.is_view)";
    prints(text, "True (1, 2) True True");
}

#[test]
fn fact_67_order_of_blocks() {
    let f = format("q8_0");
    let (rows, blocks) = (4, 3);
    let bytes: Vec<u8> =
        (0..rows * blocks).flat_map(|i| vec![(16 * (i / blocks) + i % blocks) as u8; f.bytes]).collect();
    let at = |data: &[u8], i: usize| data[i * f.bytes];
    for (o, b) in [(0, 0), (1, 2), (3, 1), (3, 2)] {
        assert_eq!(at(&bytes, 3 * o + b), (16 * o + b) as u8);
    }
    // Packing again in the other order moves every block once; the way back gives the same bytes.
    let grid = Layout::contiguous(&[rows, blocks]).expect("small");
    let pack = |data: &[u8], order: &Layout| -> Vec<u8> {
        order.offsets().flat_map(|i| data[i as usize * f.bytes..][..f.bytes].to_vec()).collect()
    };
    let turned = |l: &Layout| l.permute(&[1, 0]).expect("two axes");
    let other = pack(&bytes, &turned(&grid));
    assert_eq!(other.len(), 408);
    for (o, b) in [(0, 0), (1, 2), (3, 1), (3, 2)] {
        assert_eq!(at(&other, 4 * b + o), (16 * o + b) as u8);
    }
    let back = pack(&other, &turned(&Layout::contiguous(&[blocks, rows]).expect("small")));
    assert_eq!(back, bytes);
    assert_eq!(decoded(f, &back).len(), 384);
}

#[test]
fn fact_68_products_of_packed_weights() {
    for name in ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q4_k", "q6_k"] {
        let text = format!(
            "w = quantize(sin(arange(6 * 512.0) * 0.7).reshape(6, 512), {name})\nfull = unpack(w)\nworst = 0.0\n\
             for x in [cos(arange(512.0)), cos(arange(1024.0)).reshape(2, 512), cos(arange(3072.0)).reshape(2, 3, 512)] {{\n\
             y, want = x @ w.T, x @ full.T\nassert y.shape == want.shape\n\
             worst = max(worst, item(max(abs(y - want))) / (5e-3 * max(item(max(abs(want))), 1.0) + 1e-4))\n}}\n\
             print(worst <= 1.0)"
        );
        prints(&text, "True");
    }
}
