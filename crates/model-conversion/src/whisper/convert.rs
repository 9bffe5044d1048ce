//! Converts CTranslate2's 16-bit Whisper to whisper.cpp's file, as a stream.
//!
//! The output is deterministic, so its checksum is in the catalogue. Memory is bounded by [`PIECE`]
//! and the vocabulary; the input is read once, from start to end.

use std::collections::HashMap;
use std::io::{Read, Write};

use half::f16;
use slovo_model_catalogue::{Precision, Shape, Tensor};

use super::ct2::{ElementType, Reader, Variable};
use super::error::ConvertError;
use super::ggml::Writer;
use super::tokens;

/// Weights per piece; a multiple of the 32 that share a scale.
const PIECE: usize = 64 * 1024;

/// Converts the CTranslate2 model in `weights` with the vocabulary in `tokenizer_json` to
/// whisper.cpp's file in `out`.
///
/// # Errors
/// When the input is not exactly the model that `shape` describes (a tensor is missing, unknown,
/// duplicated or of another shape, a weight is not finite, a key has a bias), or reading or writing
/// fails.
pub fn convert(
    weights: impl Read,
    tokenizer_json: &[u8],
    shape: &Shape,
    precision: Precision,
    out: impl Write,
) -> Result<(), ConvertError> {
    let tokens = tokens::plain_tokens(tokenizer_json, shape.plain_tokens())?;
    let mut missing: HashMap<String, Tensor> = shape
        .tensors()
        .into_iter()
        .map(|tensor| (tensor.name.clone(), tensor))
        .collect();
    let mut writer = Writer::new(out, shape, precision, &tokens)?;
    let mut reader = Reader::new(weights)?;
    while let Some(variable) = reader.next_variable()? {
        if variable.name.ends_with("/num_heads") {
            check_heads(&mut reader, &variable, shape)?;
        } else if is_setting(&variable) {
            reader.skip(variable.bytes)?;
        } else {
            copy_variable(&mut reader, &variable, &mut missing, &mut writer)?;
        }
    }
    if let Some(name) = missing.keys().min() {
        return Err(ConvertError::malformed(format!("{name} is missing")));
    }
    writer.finish().map(drop)
}

/// Whether the variable is one of CTranslate2's settings and not a weight.
fn is_setting(variable: &Variable) -> bool {
    variable.element != ElementType::F16 && variable.bytes <= 8
}

/// No tensor's shape shows the number of heads, so it is checked by its variable.
fn check_heads<R: Read>(
    reader: &mut Reader<R>,
    variable: &Variable,
    shape: &Shape,
) -> Result<(), ConvertError> {
    let mut bytes = [0; 2];
    if variable.bytes != 2 {
        return Err(ConvertError::malformed(format!(
            "{} is not a number",
            variable.name
        )));
    }
    reader.read_exact(&mut bytes)?;
    let heads = u32::from(u16::from_le_bytes(bytes));
    if heads == shape.heads {
        Ok(())
    } else {
        Err(ConvertError::malformed(format!(
            "{heads} attention heads instead of {}",
            shape.heads
        )))
    }
}

/// The destination of a part of a variable.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Into the tensor of this name.
    Tensor(String),
    /// Discarded: it must be zero, because whisper.cpp has no tensor for it.
    Zero,
}

fn copy_variable<R: Read, W: Write>(
    reader: &mut Reader<R>,
    variable: &Variable,
    missing: &mut HashMap<String, Tensor>,
    writer: &mut Writer<W>,
) -> Result<(), ConvertError> {
    let name = &variable.name;
    if variable.element != ElementType::F16 {
        return Err(ConvertError::malformed(format!(
            "{name} is not of 16-bit floats"
        )));
    }
    let parts = parts_of(name)
        .ok_or_else(|| ConvertError::malformed(format!("unknown variable {name}")))?;
    let elements = variable.bytes / 2;
    let share = elements / parts.len() as u64;
    if share * parts.len() as u64 != elements {
        return Err(ConvertError::malformed(format!("{name} cannot be split")));
    }
    for part in parts {
        let Part::Tensor(target) = part else {
            copy_weights(reader, share, |weights| {
                if weights.iter().all(|weight| weight.to_f32() == 0.0) {
                    Ok(())
                } else {
                    Err(ConvertError::malformed(format!(
                        "{name} has a bias for keys"
                    )))
                }
            })?;
            continue;
        };
        let tensor = missing.remove(&target).ok_or_else(|| {
            ConvertError::malformed(format!(
                "{target} does not belong to this model or is duplicated"
            ))
        })?;
        let columns_match = variable.dimensions.get(1..) == tensor.dimensions.get(1..)
            || tensor.dimensions.last() == Some(&1);
        if tensor.elements() != share || !columns_match {
            return Err(ConvertError::malformed(format!(
                "{name} has the shape {:?}, which does not give {target} of {:?}",
                variable.dimensions, tensor.dimensions
            )));
        }
        writer.tensor(&tensor)?;
        copy_weights(reader, share, |weights| {
            writer.weights(tensor.storage, weights)
        })?;
    }
    Ok(())
}

/// Reads `elements` 16-bit floats in pieces, checks that they are finite and passes them to `take`.
fn copy_weights<R: Read>(
    reader: &mut Reader<R>,
    elements: u64,
    mut take: impl FnMut(&[f16]) -> Result<(), ConvertError>,
) -> Result<(), ConvertError> {
    let mut bytes = vec![0; PIECE * 2];
    let mut left = elements;
    while left > 0 {
        let piece = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE);
        reader.read_exact(&mut bytes[..piece * 2])?;
        let weights: Vec<f16> = bytes[..piece * 2]
            .chunks_exact(2)
            .map(|pair| f16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(ConvertError::malformed(
                "a weight is not a number".to_owned(),
            ));
        }
        take(&weights)?;
        left -= piece as u64;
    }
    Ok(())
}

/// The names of whisper.cpp's tensors in a CTranslate2 variable, in order.
fn parts_of(name: &str) -> Option<Vec<Part>> {
    let single = |target: String| Some(vec![Part::Tensor(target)]);
    let (side, rest) = name.split_once('/')?;
    if !matches!(side, "encoder" | "decoder") {
        return None;
    }
    match rest {
        "position_encodings/encodings" => return single(format!("{side}.positional_embedding")),
        "embeddings/weight" => return single(format!("{side}.token_embedding.weight")),
        _ => {}
    }
    let (layer, kind) = rest.rsplit_once('/')?;
    if matches!(layer, "conv1" | "conv2") && matches!(kind, "weight" | "bias") {
        return single(format!("{side}.{layer}.{kind}"));
    }
    if layer == "layer_norm" {
        let norm = if side == "encoder" { "ln_post" } else { "ln" };
        return single(format!("{side}.{norm}.{}", norm_kind(kind)?));
    }
    let (number, module) = layer.strip_prefix("layer_")?.split_once('/')?;
    let number: u32 = number.parse().ok()?;
    let block = format!("{side}.blocks.{number}");
    let norm = match module {
        "self_attention/layer_norm" => Some("attn_ln"),
        "attention/layer_norm" => Some("cross_attn_ln"),
        "ffn/layer_norm" => Some("mlp_ln"),
        _ => None,
    };
    if let Some(norm) = norm {
        return single(format!("{block}.{norm}.{}", norm_kind(kind)?));
    }
    let targets: &[&str] = match module {
        "self_attention/linear_0" => &["attn.query", "attn.key", "attn.value"],
        "self_attention/linear_1" => &["attn.out"],
        "attention/linear_0" => &["cross_attn.query"],
        "attention/linear_1" => &["cross_attn.key", "cross_attn.value"],
        "attention/linear_2" => &["cross_attn.out"],
        "ffn/linear_0" => &["mlp.0"],
        "ffn/linear_1" => &["mlp.2"],
        _ => return None,
    };
    if !matches!(kind, "weight" | "bias") {
        return None;
    }
    let parts = targets.iter().map(|target| {
        if kind == "bias" && target.ends_with(".key") {
            Part::Zero
        } else {
            Part::Tensor(format!("{block}.{target}.{kind}"))
        }
    });
    Some(parts.collect())
}

fn norm_kind(kind: &str) -> Option<&'static str> {
    match kind {
        "gamma" => Some("weight"),
        "beta" => Some("bias"),
        _ => None,
    }
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
