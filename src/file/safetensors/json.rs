//! The header's JSON, read into what it must be: doubled keys, wrong types and deep nesting are errors of the parser.

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

pub(super) struct Pairs {
    pub tensors: Vec<(String, TensorInfo)>,
    pub metadata: Vec<(String, String)>,
}

pub(super) struct TensorInfo {
    pub dtype: String,
    pub shape: Vec<u64>,
    pub data_offsets: [u64; 2],
}

pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    let text = std::str::from_utf8(text).map_err(|e| format!("the header is not UTF-8 at byte {}", e.valid_up_to()))?;
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Pairs in the file's order; a key that stands twice is an error.
pub(super) struct Strict<V>(pub Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Strict<V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Walk<V>(std::marker::PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Walk<V> {
            type Value = Strict<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut pairs, mut seen) = (Vec::new(), HashSet::new());
                while let Some(key) = map.next_key::<String>()? {
                    if !seen.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the name {key:?} is doubled")));
                    }
                    pairs.push((key, map.next_value()?));
                }
                Ok(Strict(pairs))
            }
        }
        from.deserialize_map(Walk(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Walk;
        impl<'de> Visitor<'de> for Walk {
            type Value = Pairs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tensors")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let (mut pairs, mut seen) = (Pairs { tensors: Vec::new(), metadata: Vec::new() }, HashSet::new());
                while let Some(key) = map.next_key::<String>()? {
                    if !seen.insert(key.clone()) {
                        return Err(A::Error::custom(format!("{DOUBLED}{key}")));
                    }
                    match key.as_str() {
                        "__metadata__" => pairs.metadata = map.next_value::<Strict<String>>()?.0,
                        _ => pairs.tensors.push((key, map.next_value()?)),
                    }
                }
                Ok(pairs)
            }
        }
        from.deserialize_map(Walk)
    }
}

/// Marks the error of a doubled tensor, which has a code of its own.
pub(super) const DOUBLED: &str = "doubled tensor ";

impl<'de> Deserialize<'de> for TensorInfo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Walk;
        impl<'de> Visitor<'de> for Walk {
            type Value = TensorInfo;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with dtype, shape and data_offsets")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TensorInfo, A::Error> {
                let (mut dtype, mut shape, mut data_offsets) = (None, None, None);
                while let Some(key) = map.next_key::<String>()? {
                    let twice = match key.as_str() {
                        "dtype" => dtype.replace(map.next_value()?).is_some(),
                        "shape" => shape.replace(map.next_value()?).is_some(),
                        "data_offsets" => data_offsets.replace(map.next_value()?).is_some(),
                        _ => map.next_value::<IgnoredAny>().map(|_| false)?,
                    };
                    if twice {
                        return Err(A::Error::custom(format!("{key:?} stands twice")));
                    }
                }
                Ok(TensorInfo {
                    dtype: dtype.ok_or_else(|| A::Error::missing_field("dtype"))?,
                    shape: shape.ok_or_else(|| A::Error::missing_field("shape"))?,
                    data_offsets: data_offsets.ok_or_else(|| A::Error::missing_field("data_offsets"))?,
                })
            }
        }
        from.deserialize_map(Walk)
    }
}
