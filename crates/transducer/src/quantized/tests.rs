use rten::Value;
use rten_onnx::onnx::{
    AttributeType, Dimension, OperatorSetIdProto, TensorShapeProto, TypeProto, TypeProtoTensor,
    ValueInfoProto,
};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};

use super::*;

fn value_info(name: &str, kind: DataType, sizes: &[i64]) -> ValueInfoProto {
    let dim = sizes.iter().map(|size| Dimension {
        dim_value: Some(*size),
        dim_param: None,
    });
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            tensor_type: Some(TypeProtoTensor {
                elem_type: Some(kind),
                shape: Some(TensorShapeProto { dim: dim.collect() }),
            }),
            sequence: None,
        }),
    }
}

fn integers(name: &str, kind: DataType, dims: &[i64], bytes: Vec<u8>) -> TensorProto {
    TensorProto {
        data_type: Some(kind),
        ..bytes_tensor(name.to_owned(), dims, bytes)
    }
}

/// A network of one node, from `x` to `y`.
fn model(node: NodeProto, tensors: Vec<TensorProto>, input: &[i64], output: &[i64]) -> ModelProto {
    ModelProto {
        ir_version: Some(8),
        graph: Some(GraphProto {
            node: vec![node],
            initializer: tensors,
            input: vec![value_info("x", DataType::UINT8, input)],
            output: vec![value_info("y", DataType::INT32, output)],
            value_info: Vec::new(),
        }),
        opset_import: vec![OperatorSetIdProto {
            domain: None,
            version: Some(17),
        }],
        ..ModelProto::default()
    }
}

fn node(kind: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> NodeProto {
    NodeProto {
        op_type: Some(kind.to_owned()),
        name: Some("node".to_owned()),
        input: inputs.iter().map(|input| (*input).to_owned()).collect(),
        output: vec!["y".to_owned()],
        attribute,
        domain: None,
    }
}

fn run(model: ModelProto, saturates: bool, input: Value) -> Vec<i32> {
    let prepared = prepare_model(model, saturates).unwrap().unwrap();
    let model = prepared.load().unwrap();
    let output = model.run_one(input.into(), None).unwrap();
    let output: Tensor<i32> = output.try_into().unwrap();
    output.to_vec()
}

/// The largest products there are, which do not fit in 16 bits in pairs.
#[test]
fn large_products_do_not_saturate_when_they_are_split() {
    const SIZE: usize = 64;
    for (kind, zero_point) in [(DataType::INT8, 0_u8), (DataType::UINT8, 131)] {
        let weights: Vec<u8> = (0..SIZE * 3).map(|n| (n * 37 % 256) as u8).collect();
        let dims = [SIZE as i64, 3];
        let tensors = vec![
            integers("w", kind, &dims, weights.clone()),
            integers("x_zero", DataType::UINT8, &[], vec![3]),
            integers("w_zero", kind, &[], vec![zero_point]),
        ];
        let product = node("MatMulInteger", &["x", "w", "x_zero", "w_zero"], Vec::new());
        let input: Vec<u8> = (0..SIZE).map(|n| 255 - (n % 3) as u8).collect();
        let weight = |byte: u8| match kind {
            DataType::INT8 => i32::from(byte as i8),
            _ => i32::from(byte) - i32::from(zero_point),
        };
        let expected: Vec<i32> = (0..3)
            .map(|column| {
                let terms = (0..SIZE)
                    .map(|row| (i32::from(input[row]) - 3) * weight(weights[row * 3 + column]));
                terms.sum()
            })
            .collect();
        let model = model(product, tensors, &[1, SIZE as i64], &[1, 3]);
        let input = NdTensor::from_data([1, SIZE], input);
        assert_eq!(run(model, true, input.into()), expected, "{kind}");
    }
}

#[test]
fn padding_of_convolutions_stands_for_zero() {
    let integers_attribute = |name: &str, ints: &[i64]| AttributeProto {
        name: Some(name.to_owned()),
        ints: ints.to_vec(),
        r#type: Some(AttributeType::INTS),
        ..AttributeProto::default()
    };
    let attributes = vec![
        integers_attribute("kernel_shape", &[3]),
        integers_attribute("pads", &[1, 1]),
    ];
    for saturates in [false, true] {
        // Two channels in, one out: not depthwise.
        let weights = [2_i8, -3, 5, 7, 1, -4];
        let tensors = vec![
            integers(
                "w",
                DataType::INT8,
                &[1, 2, 3],
                weights.map(|w| w as u8).to_vec(),
            ),
            integers("x_zero", DataType::UINT8, &[], vec![100]),
        ];
        let convolution = node("ConvInteger", &["x", "w", "x_zero"], attributes.clone());
        let model = model(convolution, tensors, &[1, 2, 4], &[1, 1, 4]);
        let input = [[110_u8, 90, 120, 100], [101, 99, 150, 80]];
        let at = |channel: usize, place: usize| {
            // Outside, the value is 0.0, which is the zero point.
            let value = place
                .checked_sub(1)
                .and_then(|place| input[channel].get(place));
            value.map_or(0, |value| i32::from(*value) - 100)
        };
        let expected: Vec<i32> = (0..4)
            .map(|place| {
                let products = (0..6).map(|n| i32::from(weights[n]) * at(n / 3, place + n % 3));
                products.sum()
            })
            .collect();
        let input = NdTensor::from_data([1, 2, 4], input.concat());
        assert_eq!(run(model, saturates, input.into()), expected, "{saturates}");
    }
}

#[test]
fn networks_that_cannot_be_corrected_are_refused() {
    let product = || node("MatMulInteger", &["x", "w"], Vec::new());
    let refused = |node: NodeProto, tensors: Vec<TensorProto>| {
        let model = model(node, tensors, &[1, 2], &[1, 1]);
        prepare_model(model, true).err().expect("it is refused")
    };
    assert!(refused(product(), Vec::new()).contains("not a constant"));
    let float = integers("w", DataType::FLOAT, &[2, 1], vec![0; 8]);
    assert!(refused(product(), vec![float]).contains("not a constant"));
    let unsigned = integers("w", DataType::UINT8, &[2, 1], vec![0; 2]);
    assert!(refused(product(), vec![unsigned]).contains("zero point"));
    let lstm = node("DynamicQuantizeLSTM", &["x"], Vec::new());
    assert!(refused(lstm, Vec::new()).contains("float32"));
    let mut outside = integers("w", DataType::INT8, &[2, 1], vec![0; 2]);
    outside.data_location = Some(DataLocation::EXTERNAL);
    assert!(refused(product(), vec![outside]).contains("another file"));
    assert!(refused(node("MatMulInteger", &["x"], Vec::new()), Vec::new()).contains("too few"));
    assert!(refused(node("Loop", &["x"], Vec::new()), Vec::new()).contains("never end"));
    let empty = prepare_model(ModelProto::default(), true);
    assert!(empty.err().expect("it is refused").contains("no graph"));
}
