//! Writes an ONNX file: the subset of its protocol buffers that a feed-forward network needs.
//!
//! Equal calls give equal bytes, so the checksum of a converted model can be pinned.

/// The operator set version, that of ONNX 1.8.
const OPSET: u64 = 13;
/// The file format version of the same release.
const IR_VERSION: u64 = 7;
const FLOAT: u64 = 1;
const INT64: u64 = 7;

/// A protocol buffers message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) -> &mut Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn text(&mut self, field: u64, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(&mut self, field: u64, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }
}

/// An attribute of a node.
#[derive(Clone, Copy)]
pub(super) enum Attribute<'a> {
    /// A string.
    Text(&'a str, &'a str),
    /// An integer.
    Int(&'a str, i64),
    /// A list of integers.
    Ints(&'a str, &'a [i64]),
}

impl Attribute<'_> {
    fn encode(&self) -> Message {
        let mut message = Message::default();
        match self {
            Self::Text(name, value) => message.text(1, name).text(4, value).number(20, 3),
            Self::Int(name, value) => message.text(1, name).number(3, *value as u64).number(20, 2),
            Self::Ints(name, values) => {
                message.text(1, name);
                for value in *values {
                    message.number(8, *value as u64);
                }
                message.number(20, 7)
            }
        };
        message
    }
}

/// A network under construction. Values are identified by name.
#[derive(Default)]
pub(super) struct Graph {
    message: Message,
    values: usize,
}

impl Graph {
    /// Adds the input; a dimension is a number or a name (any size).
    pub(super) fn input(&mut self, name: &str, shape: &[&str]) -> String {
        let value = value_info(name, shape);
        self.message.message(11, &value);
        name.to_owned()
    }

    /// Adds weights.
    ///
    /// The caller must ensure that `shape` and `values` match.
    pub(super) fn weights(&mut self, shape: &[usize], values: &[f32]) -> String {
        debug_assert_eq!(shape.iter().product::<usize>(), values.len());
        let name = self.next_name();
        let raw: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let mut tensor = Message::default();
        for size in shape {
            tensor.number(1, *size as u64);
        }
        tensor.number(2, FLOAT).text(8, &name).bytes(9, &raw);
        self.message.message(5, &tensor);
        name
    }

    /// Adds a list of integers.
    pub(super) fn integers(&mut self, values: &[i64]) -> String {
        let name = self.next_name();
        let raw: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let mut tensor = Message::default();
        tensor
            .number(1, values.len() as u64)
            .number(2, INT64)
            .text(8, &name)
            .bytes(9, &raw);
        self.message.message(5, &tensor);
        name
    }

    /// Adds a node with one output and returns the output's name.
    pub(super) fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[Attribute<'_>],
    ) -> String {
        let name = self.next_name();
        self.add_node(operator, inputs, attributes, &name);
        name
    }

    /// Adds the last node and the network's output, and returns the file.
    pub(super) fn finish(mut self, last: &str, name: &str, shape: &[&str]) -> Vec<u8> {
        self.add_node("Identity", &[last], &[], name);
        let value = value_info(name, shape);
        self.message.text(2, "slovo").message(12, &value);
        let mut opset = Message::default();
        opset.text(1, "").number(2, OPSET);
        let mut model = Message::default();
        model
            .number(1, IR_VERSION)
            .message(7, &self.message)
            .message(8, &opset);
        model.0
    }

    fn add_node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[Attribute<'_>],
        output: &str,
    ) {
        let mut node = Message::default();
        for input in inputs {
            node.text(1, input);
        }
        node.text(2, output).text(3, output).text(4, operator);
        for attribute in attributes {
            node.message(5, &attribute.encode());
        }
        self.message.message(1, &node);
    }

    fn next_name(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }
}

fn value_info(name: &str, shape: &[&str]) -> Message {
    let mut dimensions = Message::default();
    for size in shape {
        let mut dimension = Message::default();
        match size.parse::<u64>() {
            Ok(size) => dimension.number(1, size),
            Err(_) => dimension.text(2, size),
        };
        dimensions.message(1, &dimension);
    }
    let mut tensor = Message::default();
    tensor.number(1, FLOAT).message(2, &dimensions);
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut value = Message::default();
    value.text(1, name).message(2, &kind);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_written_in_the_onnx_format() {
        let mut graph = Graph::default();
        let input = graph.input("x", &["n", "2"]);
        let sum = graph.node("Relu", &[&input], &[Attribute::Int("axis", 300)]);
        let file = graph.finish(&sum, "y", &["n", "2"]);
        // ir_version 7, then the graph as field 7.
        assert_eq!(file[..3], [0x08, 7, 0x3a]);
        let attribute = [
            0x0a, 4, b'a', b'x', b'i', b's', 0x18, 0xac, 0x02, 0xa0, 0x01, 2,
        ];
        assert!(file.windows(attribute.len()).any(|part| part == attribute));
        // opset_import: an empty domain, version 13.
        assert!(file.ends_with(&[0x42, 4, 0x0a, 0, 0x10, 13]));
    }
}
