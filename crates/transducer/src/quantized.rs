//! Loading of ONNX files, with corrections to int8 networks that rten 0.27 would compute wrongly.
//!
//! - `ConvInteger` pads with 0 where the padding stands for 0.0, which is the input's zero point. The
//!   padding becomes a `Pad` node of its own, with that value.
//! - Products of `u8` and `i8` saturate on processors without VNNI: two of them are added in 16 bits.
//!   There, weights are split into two halves of 7 bits, whose products are added in 32 bits. It
//!   costs twice the time and memory, and is exact.
//!
//! Weights are moved, never copied, so loading needs no more memory than the file has bytes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;

use rten::{Model, ModelOptions};
use rten_gemm::GemmExecutor;
use rten_onnx::onnx::{
    AttributeProto, DataLocation, DataType, GraphProto, ModelProto, NodeProto,
    StringStringEntryProto, TensorProto,
};

/// Tensors of at least this many bytes are handed over without a copy.
const LARGE: usize = 1024;

/// A network that is ready to be loaded.
pub(crate) struct Prepared {
    /// The nodes.
    graph: Vec<u8>,
    /// The weights by name.
    weights: Vec<(String, Vec<u8>)>,
}

/// Reads a network. `None` if its weights are in another file; such a network has to be loaded by
/// its path.
pub(crate) fn prepare(file: File) -> Result<Option<Prepared>, String> {
    let model = ModelProto::parse_file(file).map_err(|error| format!("it is no ONNX: {error}"))?;
    let saturates = GemmExecutor::<u8, i8, i32>::default().may_saturate();
    prepare_model(model, saturates)
}

fn prepare_model(mut model: ModelProto, saturates: bool) -> Result<Option<Prepared>, String> {
    let graph = model.graph.as_mut().ok_or("it is no ONNX: no graph")?;
    if has_loop(graph) {
        return Err("it has a loop, which may never end".to_owned());
    }
    let is_quantised = correct(graph, saturates)?;
    let external = Some(DataLocation::EXTERNAL);
    if graph
        .initializer
        .iter()
        .any(|t| t.data_location == external)
    {
        return if is_quantised {
            Err("an int8 network with its weights in another file is not supported".to_owned())
        } else {
            Ok(None)
        };
    }
    let mut weights = Vec::new();
    for tensor in &mut graph.initializer {
        let Some(bytes) = tensor.raw_data.take_if(|raw| raw.borrow().len() >= LARGE) else {
            continue;
        };
        let name = format!("weights{}.data", weights.len());
        tensor.data_location = external;
        tensor.external_data = vec![
            entry("location", &name),
            entry("offset", "0"),
            entry("length", &bytes.borrow().len().to_string()),
        ];
        weights.push((name, bytes.into_inner()));
    }
    let graph = model.write_buf().map_err(|error| error.to_string())?;
    Ok(Some(Prepared { graph, weights }))
}

/// Whether a graph, or one inside it, has a loop. Exports of NeMo have none.
fn has_loop(graph: &GraphProto) -> bool {
    graph.node.iter().any(|node| {
        let mut inner = node.attribute.iter().filter_map(|it| it.g.as_ref());
        matches!(node.op_type.as_deref(), Some("Loop" | "Scan")) || inner.any(has_loop)
    })
}

impl Prepared {
    /// Loads the network.
    pub(crate) fn load(self) -> Result<Model, String> {
        let mut options = ModelOptions::with_all_ops();
        for (name, bytes) in self.weights {
            options.external_data(&name, bytes);
        }
        options.load(self.graph).map_err(|error| error.to_string())
    }
}

/// Corrects the nodes of an int8 network. Returns whether it is one.
fn correct(graph: &mut GraphProto, saturates: bool) -> Result<bool, String> {
    let mut correction = Correction {
        tensors: std::mem::take(&mut graph.initializer),
        places: HashMap::new(),
        halves: HashMap::new(),
        nodes: Vec::with_capacity(graph.node.len()),
    };
    for (place, tensor) in correction.tensors.iter().enumerate() {
        correction
            .places
            .insert(tensor.name.clone().unwrap_or_default(), place);
    }
    let mut is_quantised = false;
    for node in std::mem::take(&mut graph.node) {
        match node.op_type.as_deref() {
            Some("ConvInteger") => {
                is_quantised = true;
                let node = correction.pad(node)?;
                correction.push(node, saturates)?;
            }
            Some("MatMulInteger") => {
                is_quantised = true;
                correction.push(node, saturates)?;
            }
            Some("DynamicQuantizeLSTM") => {
                return Err("int8 decoders are not supported; take the one in float32".to_owned());
            }
            _ => correction.nodes.push(node),
        }
    }
    graph.node = correction.nodes;
    graph.initializer = correction.tensors;
    Ok(is_quantised)
}

/// A graph under correction.
struct Correction {
    tensors: Vec<TensorProto>,
    /// Place of each tensor by name.
    places: HashMap<String, usize>,
    /// Names of the halves of a split tensor.
    halves: HashMap<String, [String; 2]>,
    nodes: Vec<NodeProto>,
}

impl Correction {
    /// Puts the padding of a `ConvInteger` before it.
    fn pad(&mut self, mut node: NodeProto) -> Result<NodeProto, String> {
        let name = |attribute: &AttributeProto| attribute.name.clone().unwrap_or_default();
        if let Some(automatic) = node.attribute.iter().find(|a| name(a) == "auto_pad")
            && !matches!(automatic.s.as_deref(), None | Some("NOTSET" | "VALID"))
        {
            return Err("automatic padding of int8 convolutions is not supported".to_owned());
        }
        let Some(pads) = node.attribute.iter_mut().find(|a| name(a) == "pads") else {
            return Ok(node);
        };
        let zero_point = node.input.get(2).filter(|input| !input.is_empty());
        if let (Some(zero_point), Some(input)) = (zero_point, node.input.first())
            && pads.ints.iter().any(|pad| *pad != 0)
        {
            let axes = pads.ints.len() / 2;
            let (before, after) = pads.ints.split_at(axes);
            // Neither the batch nor the channels are padded.
            let amounts = [&[0, 0][..], before, &[0, 0], after].concat();
            let number = self.nodes.len();
            let amounts_name = self.add(TensorProto {
                dims: vec![amounts.len() as i64],
                data_type: Some(DataType::INT64),
                int64_data: amounts,
                name: Some(format!("slovo_pads_{number}")),
                ..TensorProto::default()
            });
            let padded = format!("slovo_padded_{number}");
            self.nodes.push(NodeProto {
                name: Some(format!("slovo_pad_{number}")),
                op_type: Some("Pad".to_owned()),
                input: vec![input.clone(), amounts_name, zero_point.clone()],
                output: vec![padded.clone()],
                ..NodeProto::default()
            });
            pads.ints.fill(0);
            node.input[0] = padded;
        }
        Ok(node)
    }

    /// Adds a product of integers, as two where it would saturate.
    fn push(&mut self, node: NodeProto, saturates: bool) -> Result<(), String> {
        if !saturates {
            self.nodes.push(node);
            return Ok(());
        }
        let (Some(weights), Some(output)) = (node.input.get(1), node.output.first()) else {
            return Err("a product of integers has too few inputs".to_owned());
        };
        let [high, low] = self.split(weights)?;
        let output = output.clone();
        let parts = [format!("{output}_high"), format!("{output}_low")];
        for (weights, part) in [high, low].into_iter().zip(&parts) {
            let mut product = node.clone();
            let is_low = *part == parts[1];
            product.input[1] = weights;
            product.name = Some(part.clone());
            product.output = vec![part.clone()];
            if is_low {
                // The zero point is subtracted in the other product.
                product.input.truncate(3);
            } else if let Some(zero_point) = product.input.get(3).filter(|name| !name.is_empty()) {
                let zero_point = self.signed_zero_point(&zero_point.clone())?;
                product.input[3] = zero_point;
            } else if self.is_shifted(&node.input[1]) {
                return Err("unsigned weights without a zero point are not supported".to_owned());
            }
            self.nodes.push(product);
        }
        self.nodes.push(NodeProto {
            name: Some(format!("{output}_sum")),
            op_type: Some("Add".to_owned()),
            input: parts.to_vec(),
            output: vec![output],
            ..NodeProto::default()
        });
        Ok(())
    }

    /// Splits weights into two tensors whose sum they are. Both have less than 8 bits, so that two
    /// products with `u8` fit in 16 bits. Unsigned weights are made signed, by 128 less.
    fn split(&mut self, name: &str) -> Result<[String; 2], String> {
        if let Some(halves) = self.halves.get(name) {
            return Ok(halves.clone());
        }
        let is_unsigned = self.is_shifted(name);
        let tensor = self.tensor(name)?;
        let Some(bytes) = tensor.raw_data.as_ref().map(RefCell::take) else {
            return Err(format!("the weights {name:?} are not stored as bytes"));
        };
        let dims = tensor.dims.clone();
        let signed = |byte: &u8| (if is_unsigned { byte ^ 0x80 } else { *byte }) as i8;
        let high = bytes.iter().map(|byte| (signed(byte) >> 1) as u8).collect();
        let low = bytes.iter().map(|byte| {
            let value = signed(byte);
            (value - (value >> 1)) as u8
        });
        let low = low.collect();
        // The original is used nowhere else, and has lost its bytes.
        tensor.dims = vec![0];
        let halves = [("high", high), ("low", low)]
            .map(|(half, bytes)| self.add(bytes_tensor(format!("{name}_{half}"), &dims, bytes)));
        self.halves.insert(name.to_owned(), halves.clone());
        Ok(halves)
    }

    /// The zero point of weights that were split, as a signed number.
    fn signed_zero_point(&mut self, name: &str) -> Result<String, String> {
        let signed = format!("{name}_signed");
        if !self.is_shifted(name) || self.places.contains_key(&signed) {
            return Ok(if self.is_shifted(name) {
                signed
            } else {
                name.to_owned()
            });
        }
        let tensor = self.tensor(name)?;
        let bytes: Vec<u8> = match &tensor.raw_data {
            Some(raw) => raw.borrow().clone(),
            None => tensor.int32_data.iter().map(|value| *value as u8).collect(),
        };
        let dims = tensor.dims.clone();
        let bytes = bytes.iter().map(|byte| byte ^ 0x80).collect();
        Ok(self.add(bytes_tensor(signed, &dims, bytes)))
    }

    /// Whether a tensor is unsigned, and becomes signed when weights are split.
    fn is_shifted(&self, name: &str) -> bool {
        let tensor = self.places.get(name).map(|place| &self.tensors[*place]);
        tensor.is_some_and(|tensor| tensor.data_type == Some(DataType::UINT8))
    }

    fn tensor(&mut self, name: &str) -> Result<&mut TensorProto, String> {
        let tensor = self.places.get(name).map(|place| &mut self.tensors[*place]);
        tensor
            .filter(|tensor| matches!(tensor.data_type, Some(DataType::UINT8 | DataType::INT8)))
            .ok_or_else(|| format!("{name:?} is not a constant of 8-bit integers"))
    }

    fn add(&mut self, tensor: TensorProto) -> String {
        let name = tensor.name.clone().unwrap_or_default();
        self.places.insert(name.clone(), self.tensors.len());
        self.tensors.push(tensor);
        name
    }
}

fn bytes_tensor(name: String, dims: &[i64], bytes: Vec<u8>) -> TensorProto {
    TensorProto {
        dims: dims.to_vec(),
        data_type: Some(DataType::INT8),
        raw_data: Some(RefCell::new(bytes)),
        name: Some(name),
        ..TensorProto::default()
    }
}

fn entry(key: &str, value: &str) -> StringStringEntryProto {
    StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests;
