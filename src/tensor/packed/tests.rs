use super::*;
use crate::tensor::DType;

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |mut crc, b| {
        crc ^= u32::from(*b);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
        crc
    })
}

fn format(name: &str) -> &'static PackedFormat {
    PackedFormat::from_name(name).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
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

/// Fact 54: where d and, if any, the minimum stand in the block; first four values, last, sum, checksum.
type Vector = (&'static str, usize, Option<usize>, [f32; 4], f32, f64, u32);
const VECTORS: [Vector; 12] = [
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

#[test]
fn decode_vectors_are_exact() {
    for (name, d, m, first, last, sum, crc) in VECTORS {
        let f = format(name);
        let mut b: Vec<u8> = (0..f.bytes).map(|i| ((37 * i + 11) % 256) as u8).collect();
        if name == "tq2_0" {
            for byte in &mut b {
                *byte = (0..4).fold(0, |n, k| n | (((*byte >> (2 * k)) & 3) % 3) << (2 * k));
            }
        }
        b[d..d + 2].copy_from_slice(&0x3800_u16.to_le_bytes());
        if let Some(m) = m {
            b[m..m + 2].copy_from_slice(&0x3C00_u16.to_le_bytes());
        }
        let out = decoded(f, &b);
        assert_eq!(out[..4], first, "{name}");
        assert_eq!(*out.last().unwrap(), last, "{name}");
        assert_eq!(out.iter().map(|v| f64::from(*v)).sum::<f64>(), sum, "{name}");
        let bytes: Vec<u8> = out.iter().flat_map(|v| (v + 0.0).to_le_bytes()).collect();
        assert_eq!(crc32(&bytes), crc, "{name}");
    }
}

#[test]
fn encodes_as_the_reference_does() {
    let x: Vec<f32> = (0..32).map(|i| (i as f32 - 16.0) / 16.0).collect();
    for (name, expect) in [
        ("q4_0", "0030809191a2a2b3b3c4c4d5d5e6e6f7f7f8"),
        ("q4_1", "223000bc80809191a2a2b3b3c4c4d5d5e6e6f7f7"),
        ("q5_0", "002c0000ffff00112233445566778899aabbccddeeff"),
        ("q5_1", "002c00bc0000ffff00112233445566778899aabbccddeeff"),
        ("q8_0", "082081899199a1a9b1b9c0c8d0d8e0e8f0f8000810182028303840474f575f676f77"),
    ] {
        let got = hex(&encoded(format(name), &x));
        assert_eq!(got, expect, "{name}");
    }
}

/// Numbers of 24 bits, so that they are exact; rows of zeros, of one value, of signs and of tiny values among them.
fn mixed() -> Vec<f32> {
    let mut state = 20261_u64;
    let mut x: Vec<f32> = (0..2304)
        .map(|i| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = ((state >> 40) as i64 - (1 << 23)) as f64 / f64::from(1 << 17);
            (value * if i % 7 == 0 { 0.01 } else { 1.0 }) as f32
        })
        .collect();
    x[32..64].fill(0.0);
    x[64..96].fill(-1.5);
    x[96..128].iter_mut().for_each(|v| *v = v.abs());
    x[256..512].iter_mut().for_each(|v| *v = v.signum());
    x[512..768].iter_mut().for_each(|v| *v *= 2.0_f32.powi(-20));
    x
}

/// Checksums of what the reference package encodes from the same values.
#[test]
fn encodes_mixed_values_as_the_reference_does() {
    let x = mixed();
    assert_eq!(crc32(&x.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()), 0xa3de_1bd1);
    for (name, crc) in [
        ("q4_0", 0x2f3b_75ab),
        ("q4_1", 0x509d_0cf5),
        ("q5_0", 0xa973_cc59),
        ("q5_1", 0xdd63_607b),
        ("q8_0", 0x82cd_581a),
        ("tq1_0", 0x9490_71f6),
        ("tq2_0", 0x7a64_f273),
        ("mxfp4", 0x3764_baec),
    ] {
        assert_eq!(crc32(&encoded(format(name), &x)), crc, "{name}");
    }
}

#[test]
fn zeros_and_dominant_values() {
    assert_eq!(encoded(format("q8_0"), &[0.0; 32]), [0; 34]);
    let zero = encoded(format("q4_0"), &[0.0; 32]);
    assert_eq!(hex(&zero), format!("0080{}", "88".repeat(16)));
    assert!(decoded(format("q4_0"), &zero).iter().all(|v| *v == 0.0));
    let mut x = [0.1_f32; 32];
    x[7] = -3.7;
    assert_eq!(decoded(format("q4_0"), &encoded(format("q4_0"), &x))[7], -3.699_218_8);
}

#[test]
fn ternary_layout() {
    let mut x = [0.0_f32; 256];
    (x[0], x[128]) = (1.0, -1.0);
    let b = encoded(format("tq1_0"), &x);
    assert_eq!(b[0], 0xD4);
    assert!(b[1..48].iter().all(|v| *v == 0x80) && b[48..52].iter().all(|v| *v == 0x7F));
    assert_eq!(b[52..], 0x3C00_u16.to_le_bytes());
    assert_eq!(decoded(format("tq1_0"), &b), x);
    let b = encoded(format("tq2_0"), &x);
    assert_eq!((b[0], b[32]), (0x56, 0x54));
    assert_eq!(decoded(format("tq2_0"), &b), x);
}

#[test]
fn every_encoder_stays_within_its_step() {
    let x: Vec<f32> = (0..768).map(|i| ((i * 7919 % 1000) as f32 / 500.0 - 1.0) * (1.0 + (i / 256) as f32)).collect();
    for f in PackedFormat::all().iter().filter(|f| f.can_encode() && !f.name().starts_with("tq")) {
        let bits = f.bytes as f32 * 8.0 / f.block as f32;
        let scaled: Vec<f32> = match f.name() {
            "i4" => x.iter().map(|v| v * 2.5).collect(),
            "u4" => x.iter().map(|v| (v + 3.0) * 2.5).collect(),
            _ => x.clone(),
        };
        let back = decoded(f, &encoded(f, &scaled));
        let worst = scaled.iter().zip(&back).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let top = scaled.iter().fold(0.0_f32, |a, v| a.max(v.abs()));
        // A code of n bits is off by half a step of 2^n over twice the reach; sub-scales cost some more.
        let limit = top * if f.block == 256 { 2.0_f32.powf(1.4 - bits.floor()) * 2.0 } else { 0.2 };
        assert!(worst <= limit, "{}: {worst} > {limit}", f.name());
    }
}

#[test]
fn user_formats_read_scale_then_codes() {
    let make = |bits, scale, codes| UserFormat { block: 8, bits, scale, minimum: None, codes }.register().unwrap();
    let s4 = make(4, Some(DType::F32), Codes::Linear { zero: 0.0, signed: true });
    assert_eq!(s4.bytes, 8);
    let mut b = 0.5_f32.to_le_bytes().to_vec();
    b.extend([0x21, 0xF8, 0x70, 0x0E]);
    assert_eq!(decoded(s4, &b), [0.5, 1.0, -4.0, -0.5, 0.0, 3.5, -1.0, 0.0]);
    assert_eq!(encoded(s4, &decoded(s4, &b))[4..].len(), 4);
    let three = make(3, None, Codes::Book((0..8).map(|i| (i * i) as f32).collect()));
    let b = [0b1000_1000, 0b1100_0110, 0b1111_1010];
    assert_eq!(decoded(three, &b), [0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0]);
    assert_eq!(encoded(three, &decoded(three, &b)), b);
    let again = make(3, None, Codes::Book((0..8).map(|i| (i * i) as f32).collect()));
    assert!(std::ptr::eq(three, again));
    three.bind("squares");
    three.bind("later");
    assert_eq!(again.name(), "squares");
}

#[test]
fn user_formats_are_checked() {
    let ok = UserFormat {
        block: 32,
        bits: 4,
        scale: Some(DType::F16),
        minimum: None,
        codes: Codes::Linear { zero: 8.0, signed: false },
    };
    let bad = [
        UserFormat { block: 0, ..ok.clone() },
        UserFormat { bits: 9, ..ok.clone() },
        UserFormat { bits: 0, ..ok.clone() },
        UserFormat { block: 3, ..ok.clone() },
        UserFormat { scale: Some(DType::I8), ..ok.clone() },
        UserFormat { codes: Codes::Book(vec![0.0; 15]), ..ok.clone() },
    ];
    assert!(bad.into_iter().all(|f| f.register().unwrap_err().code == "E0411"));
    assert!(ok.register().is_ok());
}

#[test]
fn sizes_are_checked() {
    let q = Encoding::Packed(format("q4_k"));
    assert_eq!(q.bytes(&[4, 512]), Some(4 * 288));
    assert_eq!(q.bytes(&[4, 100]), None);
    assert_eq!(q.bytes(&[]), None);
    assert_eq!(Encoding::Plain(DType::F64).bytes(&[]), Some(8));
    assert_eq!(Encoding::Plain(DType::F64).bytes(&[usize::MAX, 2]), None);
}
