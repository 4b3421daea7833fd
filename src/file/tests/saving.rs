//! What is written is what was shown, and NumPy's own bytes where there is a choice.

use super::*;
use crate::tensor::Buffer;

fn roundtrip(name: &str, items: &[Item<'_>], meta: &Meta) -> (tempfile::TempDir, Archive) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    save_items(&path, items, Some(meta)).unwrap_or_else(|d| panic!("{d:?}"));
    let m = archive(&path);
    (dir, m)
}

/// Transposed, reversed, and every second row of a matrix.
fn views(x: &HostArray) -> Vec<HostArray> {
    let with = |f: &dyn Fn(&mut crate::tensor::Layout)| {
        let mut y = x.clone();
        f(&mut y.view.layout);
        y
    };
    vec![
        x.clone(),
        with(&|l| {
            l.shape.reverse();
            l.strides.reverse();
        }),
        with(&|l| {
            l.offset += (l.shape[0] as isize - 1) * l.strides[0];
            l.strides[0] = -l.strides[0];
        }),
        with(&|l| {
            l.shape[0] = l.shape[0].div_ceil(2);
            l.strides[0] *= 2;
        }),
    ]
}

#[test]
fn npy_of_every_view() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["u8", "i16", "u32", "f16", "f32", "f64", "c64", "c128", "bool"] {
        let x = host(&tensor(&fixture(&format!("save/{name}.npy"))));
        for (i, y) in views(&x).iter().enumerate() {
            let path = dir.path().join(format!("{name}{i}.npy"));
            save_tensor(&path, y).unwrap();
            let back = host(&tensor(&path));
            assert_eq!(back.view.layout.shape, y.view.layout.shape);
            assert!((0..back.view.layout.size()).all(|k| format!("{:?}", back.get(k)) == format!("{:?}", y.get(k))));
        }
        let path = dir.path().join(format!("{name}0.npy"));
        let original = std::fs::read(fixture(&format!("save/{name}.npy"))).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), original, "as NumPy writes it");
    }
}

#[test]
fn conjugates_are_written_conjugated() {
    let dir = tempfile::tempdir().unwrap();
    let mut x = host(&tensor(&fixture("save/c64.npy")));
    x.view.conj = true;
    save_tensor(&dir.path().join("c.npy"), &x).unwrap();
    let back = host(&tensor(&dir.path().join("c.npy")));
    assert_eq!(back.get(1), x.get(1));
}

#[test]
fn saving_is_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.npy");
    let x = host(&tensor(&fixture("save/x.npy")));
    save_tensor(&path, &x).unwrap();
    let before = std::fs::read(&path).unwrap();

    struct Fails;
    impl Emit for Fails {
        fn emit(&self, out: &mut dyn std::io::Write) -> Result<(), SaveFault> {
            out.write_all(&[1; 100])?;
            Err(Diag::new("E0504", "a cast failed").into())
        }
    }
    let item = Item { name: "", encoding: Encoding::Plain(DType::F32), shape: &[100], data: &Fails };
    assert_eq!(save_items(&path, &[item], None).unwrap_err().code, "E0504");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left over");

    // A file that is still mapped can be replaced by what is read from it.
    let y = tensor(&path);
    save_tensor(&path, &views(&host(&y))[2]).unwrap();
    assert_eq!(y.buffer.bytes(), x.buffer.bytes());
    assert!(y.source.check().is_ok());
}

#[test]
fn targets_that_cannot_be_written() {
    let x = host(&tensor(&fixture("save/x.npy")));
    let code = |path: &str| save_tensor(Path::new(path), &x).unwrap_err().code;
    assert_eq!(code("no_such_folder/out.npy"), "E0615");
    assert_eq!(code("png"), "E0602");
    assert_eq!(code("x.safetensors"), "E0616");
    assert_eq!(check_target(Path::new("x.npy"), true).unwrap_err().code, "E0616");
    let bf16 = HostArray {
        buffer: Arc::new(Buffer::zeroed(2).unwrap()),
        view: View { layout: Layout::contiguous(&[1]).unwrap(), dtype: DType::BF16, conj: false },
    };
    assert_eq!(save_tensor(Path::new("x.npy"), &bf16).unwrap_err().code, "E0616");
}

#[test]
fn safetensors_keep_everything() {
    let m = archive(&fixture("st/all.safetensors"));
    let loaded: Vec<Loaded> = m.names().map(|n| m.get(n).unwrap()).collect();
    let arrays: Vec<HostArray> = loaded.iter().map(host).collect();
    let data: Vec<ViewData<'_>> = arrays.iter().map(|a| ViewData::new(a, Encoding::Plain(a.view.dtype))).collect();
    let names: Vec<&str> = m.names().collect();
    let items: Vec<Item<'_>> = data.iter().zip(&names).map(|(d, n)| d.item(n)).collect();
    let (_dir, back) = roundtrip("a.safetensors", &items, m.meta());
    assert_eq!(back.names().collect::<Vec<_>>(), names);
    for (name, x) in names.iter().zip(&loaded) {
        let y = back.get(name).unwrap();
        assert_eq!((y.encoding, &y.view.layout.shape), (x.encoding, &x.view.layout.shape));
        assert_eq!(y.buffer.bytes(), x.buffer.bytes(), "{name}");
    }
    assert!(matches!(back.meta().get("made by"), Some(MetaValue::Str(s)) if s == "a test"));
}

#[test]
fn npz_members_are_aligned_and_mapped() {
    let x = host(&tensor(&fixture("save/x.npy")));
    let all = views(&x);
    let data: Vec<ViewData<'_>> = all.iter().map(|a| ViewData::new(a, Encoding::Plain(a.view.dtype))).collect();
    let names = ["w", "layer/0/b", "größe", "z"];
    let items: Vec<Item<'_>> = data.iter().zip(names).map(|(d, n)| d.item(n)).collect();
    let (_dir, m) = roundtrip("a.npz", &items, &Meta::new());
    assert_eq!(m.names().collect::<Vec<_>>(), names);
    for (name, y) in names.iter().zip(&all) {
        let back = m.get(name).unwrap();
        assert!(back.buffer.is_mapped() && (back.buffer.as_ptr() as usize).is_multiple_of(64));
        assert_eq!(back.view.layout.shape, y.view.layout.shape);
        let back = host(&back);
        assert!((0..back.view.layout.size()).all(|i| back.get(i) == y.get(i)), "{name}");
    }
}

#[test]
fn tables_and_pictures() {
    let dir = tempfile::tempdir().unwrap();
    for (file, out) in
        [("save/x.npy", "x.csv"), ("save/ints.npy", "i.tsv"), ("png/rgba.png", "a.png"), ("png/gray16.png", "g.png")]
    {
        let x = host(&tensor(&fixture(file)));
        for y in views(&x).into_iter().filter(|y| out.ends_with("sv") || y.view.layout.shape[2] <= 4) {
            let path = dir.path().join(out);
            save_tensor(&path, &y).unwrap();
            let back = host(&tensor(&path));
            assert_eq!(back.view.layout.shape, y.view.layout.shape, "{file}");
            assert_eq!(back.view.dtype, y.view.dtype);
            assert!((0..back.view.layout.size()).all(|i| back.get(i) == y.get(i)), "{file}");
        }
    }
    let column = |name: &str| (name.to_owned(), host(&archive(&fixture("csv/header.csv")).get("speed").unwrap()));
    let path = dir.path().join("t.csv");
    save_archive(&path, &[column("a, b"), column("c")], &Meta::new()).unwrap();
    let m = archive(&path);
    assert_eq!(m.names().collect::<Vec<_>>(), ["a, b", "c"]);
    assert_eq!(values(&m.get("a, b").unwrap()), values(&archive(&fixture("csv/header.csv")).get("speed").unwrap()));
    let ints = host(&tensor(&fixture("save/ints.npy")));
    assert_eq!(save_tensor(&dir.path().join("i.png"), &ints).unwrap_err().code, "E0616");
}

/// All tensors of an archive, to be saved as they are.
fn loaded(m: &Archive) -> Vec<(Loaded, HostArray)> {
    m.names().map(|n| m.get(n).unwrap()).map(|l| (l.clone(), host(&l))).collect()
}

#[test]
fn gguf_files_come_back_byte_for_byte() {
    let names = [
        "plain32",
        "plain128",
        "net",
        "meta",
        "align64",
        "q4_k",
        "tq1_0",
        "iq4_xs",
        "mxfp4",
        "metadata_only",
        "version2",
    ];
    for file in names {
        let m = archive(&fixture(&format!("gguf/{file}.gguf")));
        let tensors = loaded(&m);
        let data: Vec<ViewData<'_>> = tensors.iter().map(|(l, a)| ViewData::new(a, l.encoding)).collect();
        let items: Vec<Item<'_>> = data.iter().zip(m.names()).map(|(d, n)| d.item(n)).collect();
        let (dir, back) = roundtrip("m.gguf", &items, m.meta());
        for ((old, _), name) in tensors.iter().zip(m.names()) {
            let new = back.get(name).unwrap();
            assert_eq!((new.encoding, &new.view), (old.encoding, &old.view), "{file} {name}");
            assert_eq!(new.buffer.bytes(), old.buffer.bytes(), "{file} {name}");
        }
        assert!(back.meta().keys().eq(m.meta().keys()), "{file}");
        // A second writing gives the same bytes: nothing is lost or reordered.
        let again = dir.path().join("n.gguf");
        save_items(&again, &items, Some(back.meta())).unwrap();
        assert_eq!(std::fs::read(again).unwrap(), std::fs::read(dir.path().join("m.gguf")).unwrap());
    }
}

#[test]
fn packed_views_are_written_block_by_block() {
    let m = archive(&fixture("gguf/q4_k.gguf"));
    let w = m.get("w").unwrap();
    // Rows backwards, without the first block: w[::-1, 256:].
    let mut x = host(&w);
    let layout = &mut x.view.layout;
    layout.offset = layout.strides[0] * (layout.shape[0] as isize - 1) + 1;
    layout.strides[0] = -layout.strides[0];
    layout.shape[1] -= 256;
    let data = ViewData::new(&x, w.encoding);
    let (_dir, back) = roundtrip("w.gguf", &[data.item("w")], &Meta::new());
    let back = back.get("w").unwrap();
    let (all, cut) = (values(&w), values(&back));
    assert_eq!(back.view.layout.shape[..], [3, 512]);
    for (row, part) in cut.chunks(512).enumerate() {
        assert_eq!(part, &all[(2 - row) * 768 + 256..][..512]);
    }
}

#[test]
fn metadata_of_a_script_gets_its_types() {
    let mut meta = Meta::new();
    meta.set("a", MetaValue::Int(-5));
    meta.set("b", MetaValue::UInt(1 << 40));
    meta.set("c", MetaValue::Float(0.1));
    meta.set("d", MetaValue::Str("größe".into()));
    meta.set("e", MetaValue::Array(MetaArray::made(vec![MetaValue::Str("x".into()), MetaValue::Str("y".into())])));
    meta.set("f", MetaValue::Array(MetaArray::made(vec![MetaValue::Int(1), MetaValue::Int(1 << 40)])));
    meta.set("g", MetaValue::Bool(true));
    let (_dir, m) = roundtrip("m.gguf", &[], &meta);
    let text: Vec<String> =
        m.meta().iter().map(|(k, v)| format!("{k} {v:?}")).filter(|t| !t.contains("Array")).collect();
    assert_eq!(text, ["a Int(-5)", "b UInt(1099511627776)", "c Float(0.1)", "d Str(\"größe\")", "g Bool(true)"]);
    let Some(MetaValue::Array(f)) = m.meta().get("f") else { panic!() };
    assert_eq!((f.kind(), f.len()), (MetaType::I64, 2));
    assert!(matches!(f.get(1), Some(Ok(MetaValue::Int(n))) if n == 1 << 40));
    let Some(MetaValue::Array(e)) = m.meta().get("e") else { panic!() };
    assert!(matches!(e.get(1), Some(Ok(MetaValue::Str(s))) if s == "y"));
    assert!(e.get(2).is_none());
}

#[test]
fn user_formats_are_loaded_and_saved_as_plain_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let codes = crate::tensor::Codes::Linear { zero: 8.0, signed: false };
    let format = crate::tensor::UserFormat { block: 32, bits: 4, scale: Some(DType::F16), minimum: None, codes };
    let encoding = Encoding::Packed(format.register().unwrap());
    let options = OpenOptions::default();
    let w = read_raw(&fixture("raw/linear4.bin"), encoding, &[3, 128], 0, &options).unwrap();
    assert_eq!((w.view.layout.strides[..].to_vec(), w.view.dtype, w.elements), (vec![4, 1], DType::F32, 384));
    let (path, array) = (dir.path().join("w.bin"), host(&w));
    save_items(&path, &[ViewData::new(&array, encoding).item("")], None).unwrap();
    let back = read_raw(&path, encoding, &[3, 128], 0, &options).unwrap();
    assert_eq!(back.buffer.bytes(), w.buffer.bytes());
    assert_eq!(values(&back)[..2], [Scalar::Float(3.0009765625), Scalar::Float(-1.2861328125)]);
    assert_eq!(read_raw(&path, encoding, &[3, 100], 0, &options).unwrap_err().code, "E0216");
    assert_eq!(read_raw(&path, encoding, &[4, 128], 0, &options).unwrap_err().code, "E0604");
    assert_eq!(read_raw(&path, encoding, &[1 << 62, 128], 0, &options).unwrap_err().code, "E0606");
    assert_eq!(open(&path, &options).err().unwrap().code, "E0602");
}

#[test]
fn empty_and_broadcast_views() {
    let dir = tempfile::tempdir().unwrap();
    let mut x = host(&tensor(&fixture("save/x.npy")));
    let path = dir.path().join("x.npy");
    // x[:, 5:] lies behind the last element of each row; of the last row behind the buffer.
    (x.view.layout.shape[1], x.view.layout.offset) = (0, 1000);
    save_tensor(&path, &x).unwrap();
    assert_eq!(tensor(&path).view.layout.shape[..], [6, 0]);
    x.view.layout = Layout { shape: [3, 50_000].as_slice().into(), strides: [5, 0].as_slice().into(), offset: 1 };
    save_tensor(&path, &x).unwrap();
    let back = host(&tensor(&path));
    assert_eq!((back.get(0), back.get(49_999), back.get(100_000)), (x.get(0), x.get(0), x.get(100_000)));
}
