//! The conversion of a small synthetic model: every name, shape and byte.

use super::*;

const SMALL: Shape = Shape {
    vocabulary: 51_864,
    width: 32,
    heads: 2,
    encoder_layers: 1,
    decoder_layers: 1,
    mels: 80,
};

/// A CTranslate2 file with synthetic weights; `change` may change each variable.
fn model(shape: &Shape, change: impl Fn(&mut String, &mut Vec<u32>, &mut Vec<u8>)) -> Vec<u8> {
    let n = shape.width;
    let mut variables: Vec<(String, Vec<u32>)> = vec![
        (
            "decoder/embeddings/weight".into(),
            vec![shape.vocabulary, n],
        ),
        ("decoder/position_encodings/encodings".into(), vec![448, n]),
        ("encoder/position_encodings/encodings".into(), vec![1500, n]),
        ("encoder/conv1/weight".into(), vec![n, shape.mels, 3]),
        ("encoder/conv1/bias".into(), vec![n]),
        ("encoder/conv2/weight".into(), vec![n, n, 3]),
        ("encoder/conv2/bias".into(), vec![n]),
    ];
    for side in ["encoder", "decoder"] {
        let mut norms = vec![format!("{side}/layer_norm")];
        let block = format!("{side}/layer_0");
        let mut linears = vec![
            (format!("{block}/self_attention/linear_0"), 3 * n, n),
            (format!("{block}/self_attention/linear_1"), n, n),
            (format!("{block}/ffn/linear_0"), 4 * n, n),
            (format!("{block}/ffn/linear_1"), n, 4 * n),
        ];
        norms.push(format!("{block}/self_attention/layer_norm"));
        norms.push(format!("{block}/ffn/layer_norm"));
        if side == "decoder" {
            norms.push(format!("{block}/attention/layer_norm"));
            linears.push((format!("{block}/attention/linear_0"), n, n));
            linears.push((format!("{block}/attention/linear_1"), 2 * n, n));
            linears.push((format!("{block}/attention/linear_2"), n, n));
        }
        for norm in norms {
            variables.push((format!("{norm}/gamma"), vec![n]));
            variables.push((format!("{norm}/beta"), vec![n]));
        }
        for (name, rows, columns) in linears {
            variables.push((format!("{name}/bias"), vec![rows]));
            variables.push((format!("{name}/weight"), vec![rows, columns]));
        }
    }
    let mut file = 6_u32.to_le_bytes().to_vec();
    name(&mut file, "WhisperSpec");
    file.extend(3_u32.to_le_bytes());
    file.extend(u32::try_from(variables.len() + 2).unwrap().to_le_bytes());
    for side in ["decoder", "encoder"] {
        name(&mut file, &format!("{side}/num_heads"));
        file.extend([0, 2]);
        file.extend(2_u32.to_le_bytes());
        file.extend([2, 0]);
    }
    for (mut variable, mut dimensions) in variables {
        let count: u32 = dimensions.iter().product();
        let mut data: Vec<u8> = (0..count)
            .flat_map(|i| {
                f16::from_f32(f32::from(u8::try_from(i % 251).unwrap()) - 125.0).to_le_bytes()
            })
            .collect();
        zero_key_bias(&variable, n as usize, &mut data);
        change(&mut variable, &mut dimensions, &mut data);
        name(&mut file, &variable);
        file.push(u8::try_from(dimensions.len()).unwrap());
        for d in &dimensions {
            file.extend(d.to_le_bytes());
        }
        file.push(4);
        file.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        file.extend(data);
    }
    file.extend(0_u32.to_le_bytes());
    file
}

fn zero_key_bias(variable: &str, n: usize, data: &mut [u8]) {
    if variable.ends_with("self_attention/linear_0/bias") {
        data[n * 2..n * 4].fill(0);
    } else if variable.ends_with("/attention/linear_1/bias") {
        data[..n * 2].fill(0);
    }
}

fn name(file: &mut Vec<u8>, text: &str) {
    file.extend(u16::try_from(text.len() + 1).unwrap().to_le_bytes());
    file.extend(text.as_bytes());
    file.push(0);
}

/// 50,256 tokens of one byte each, made of Latin letters.
fn tokenizer() -> Vec<u8> {
    let vocabulary: HashMap<String, u32> = (0..50_256_u32).map(|i| (format!("a{i}"), i)).collect();
    serde_json::to_vec(&serde_json::json!({"model": {"vocab": vocabulary}})).unwrap()
}

fn converted(file: &[u8], precision: Precision) -> Result<Vec<u8>, ConvertError> {
    let mut out = Vec::new();
    convert(file, &tokenizer(), &SMALL, precision, &mut out)?;
    Ok(out)
}

fn place(haystack: &[u8], needle: &str) -> usize {
    haystack
        .windows(needle.len())
        .position(|window| window == needle.as_bytes())
        .unwrap()
        + needle.len()
}

#[test]
fn conversion_is_deterministic_and_of_the_exact_size() {
    let file = model(&SMALL, |_, _, _| {});
    let token_bytes: u64 = (0..50_256_u32)
        .map(|i| 4 + 1 + i.to_string().len() as u64)
        .sum();
    for precision in [Precision::F16, Precision::Q8_0] {
        let first = converted(&file, precision).unwrap();
        assert_eq!(first, converted(&file, precision).unwrap());
        let expected = SMALL.file_bytes(precision) - 521_838 + token_bytes;
        assert_eq!(first.len() as u64, expected, "{precision:?}");
    }
}

#[test]
fn rows_are_split_into_query_key_and_value() {
    let file = model(&SMALL, |_, _, _| {});
    let out = converted(&file, Precision::F16).unwrap();
    let at = |name: &str, i: usize| {
        let start = place(&out, name) + i * 2;
        f16::from_le_bytes([out[start], out[start + 1]]).to_f32()
    };
    let expected = |i: usize| f32::from(u8::try_from(i % 251).unwrap()) - 125.0;
    assert_eq!(at("encoder.blocks.0.attn.query.weight", 5), expected(5));
    assert_eq!(
        at("encoder.blocks.0.attn.key.weight", 5),
        expected(32 * 32 + 5)
    );
    assert_eq!(
        at("encoder.blocks.0.attn.value.weight", 5),
        expected(2 * 32 * 32 + 5)
    );
    assert_eq!(
        at("decoder.blocks.0.cross_attn.value.weight", 7),
        expected(32 * 32 + 7)
    );
}

#[test]
fn a_key_bias_and_wrong_shapes_names_and_numbers_are_refused() {
    let key = model(&SMALL, |name, _, data| {
        if name == "encoder/layer_0/self_attention/linear_0/bias" {
            data[32 * 2 + 1] = 0x3c;
        }
    });
    let shape = model(&SMALL, |name, dimensions, _| {
        if name == "encoder/layer_0/ffn/linear_0/weight" {
            dimensions.swap(0, 1);
        }
    });
    let unknown = model(&SMALL, |name, _, _| {
        if name == "encoder/conv1/bias" {
            *name = "encoder/conv9/bias".into();
        }
    });
    let infinite = model(&SMALL, |name, _, data| {
        if name == "encoder/conv2/weight" {
            data[0..2].copy_from_slice(&f16::INFINITY.to_le_bytes());
        }
    });
    for (file, reason) in [
        (key, "bias for keys"),
        (shape, "shape"),
        (unknown, "conv9"),
        (infinite, "not a number"),
    ] {
        let error = converted(&file, Precision::Q8_0).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn truncated_files_and_other_sizes_or_head_counts_are_refused() {
    let file = model(&SMALL, |_, _, _| {});
    for cut in [0, 3, 100, file.len() / 2, file.len() - 10] {
        assert!(
            converted(&file[..cut], Precision::Q8_0).is_err(),
            "cut at {cut}"
        );
    }
    let mut out = Vec::new();
    assert!(
        convert(
            &file[..],
            &tokenizer(),
            &Shape::TINY_EN,
            Precision::Q8_0,
            &mut out
        )
        .is_err()
    );
    let heads = Shape { heads: 4, ..SMALL };
    let error = convert(&file[..], &tokenizer(), &heads, Precision::Q8_0, &mut out).unwrap_err();
    assert!(error.to_string().contains("2 attention heads"), "{error}");
}

#[test]
fn five_bit_precision_is_refused() {
    let file = model(&SMALL, |_, _, _| {});
    assert!(matches!(
        converted(&file, Precision::Q5_1),
        Err(ConvertError::Precision(Precision::Q5_1))
    ));
}
