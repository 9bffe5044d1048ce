//! The model's file: header, vocabulary, directory of tensors, 4-bit weights.

use std::ops::Range;

use super::reader::{BLOCK, BLOCK_BYTES, InvalidModel, Reader, Tensor, directory, floats};
use super::tokenizer::Tokenizer;

/// The dimensions of the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shape {
    /// Dimensions of a vector.
    pub width: usize,
    pub heads: usize,
    /// Dimensions of the feed-forward layer.
    pub inner: usize,
    /// The most tokens of a sequence.
    pub positions: usize,
    pub epsilon: f32,
}

/// A 4-bit matrix, kept in the file's bytes, and its bias.
pub(super) struct Linear {
    pub weights: Range<usize>,
    pub bias: Vec<f32>,
    pub inputs: usize,
}

/// Scale and shift of a normalisation.
pub(super) struct Norm {
    pub scale: Vec<f32>,
    pub shift: Vec<f32>,
}

/// One layer of the encoder.
pub(super) struct Layer {
    pub query: Linear,
    pub key: Linear,
    pub value: Linear,
    pub joined: Linear,
    pub after_attention: Norm,
    pub inner: Linear,
    pub outer: Linear,
    pub after_inner: Norm,
}

/// The whole model. The matrices stay packed in `bytes`: unpacked they would take eight times the
/// memory, and unpacking one for a batch takes a fraction of the time of its multiplication.
pub(super) struct Model {
    pub bytes: Vec<u8>,
    pub shape: Shape,
    pub tokenizer: Tokenizer,
    /// The token embeddings.
    pub words: Range<usize>,
    pub positions: Vec<f32>,
    /// The embedding of the only token type in use.
    pub kind: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
}

impl Model {
    /// Parses the file. Every number is validated before it is used.
    pub(super) fn read(bytes: Vec<u8>) -> Result<Self, InvalidModel> {
        let mut reader = Reader::new(&bytes);
        if reader.take(4)? != b"E5S1" || reader.u32()? != 1 {
            return Err(InvalidModel("its first bytes"));
        }
        let width = reader.between(32, 2_048, "its width")?;
        let layers = reader.between(1, 48, "its layers")?;
        let heads = reader.between(1, 64, "its heads")?;
        let inner = reader.between(32, 8_192, "its inner width")?;
        let vocabulary = reader.between(8, 1 << 20, "the size of its vocabulary")?;
        let positions = reader.between(8, 8_192, "its positions")?;
        let kinds = reader.between(1, 16, "its kinds of sentences")?;
        let epsilon = reader.f32()?;
        let block = reader.between(1, 1_024, "its blocks")?;
        let even = width.is_multiple_of(BLOCK) && inner.is_multiple_of(BLOCK);
        let sound = (0.0..0.1).contains(&epsilon) && block == BLOCK;
        if !even || !sound || !width.is_multiple_of(heads) {
            return Err(InvalidModel("its shape"));
        }
        let tokenizer = Tokenizer::read(&mut reader, &bytes)?;
        if tokenizer.len() > vocabulary {
            return Err(InvalidModel("the size of its vocabulary"));
        }
        let tensors = directory(&mut reader, bytes.len())?;
        let find = Tensors {
            tensors,
            bytes: &bytes,
        };
        let layers: Result<Vec<Layer>, InvalidModel> = (0..layers)
            .map(|number| find.layer(number, width, inner))
            .collect();
        let mut kind = find.numbers("emb.type", width * kinds)?;
        kind.truncate(width);
        Ok(Self {
            shape: Shape {
                width,
                heads,
                inner,
                positions,
                epsilon,
            },
            words: find.packed("emb.word", vocabulary * width)?,
            positions: find.numbers("emb.pos", positions * width)?,
            kind,
            norm: find.norm("emb.ln", width)?,
            layers: layers?,
            tokenizer,
            bytes,
        })
    }
}

/// Finds tensors by name and checks their sizes.
struct Tensors<'a> {
    tensors: Vec<Tensor>,
    bytes: &'a [u8],
}

impl Tensors<'_> {
    fn find(&self, name: &str, packed: bool, length: usize) -> Result<Range<usize>, InvalidModel> {
        let mut tensors = self.tensors.iter();
        let tensor = tensors.find(|tensor| tensor.name == name.as_bytes());
        tensor
            .filter(|tensor| tensor.packed == packed && tensor.bytes.len() == length)
            .map(|tensor| tensor.bytes.clone())
            .ok_or(InvalidModel("a tensor"))
    }

    fn packed(&self, name: &str, weights: usize) -> Result<Range<usize>, InvalidModel> {
        self.find(name, true, weights / BLOCK * BLOCK_BYTES)
    }

    fn numbers(&self, name: &str, count: usize) -> Result<Vec<f32>, InvalidModel> {
        floats(&self.bytes[self.find(name, false, count * 4)?])
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, InvalidModel> {
        Ok(Norm {
            scale: self.numbers(&format!("{name}.w"), width)?,
            shift: self.numbers(&format!("{name}.b"), width)?,
        })
    }

    fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, InvalidModel> {
        Ok(Linear {
            weights: self.packed(&format!("{name}.w"), inputs * outputs)?,
            bias: self.numbers(&format!("{name}.b"), outputs)?,
            inputs,
        })
    }

    fn layer(&self, number: usize, width: usize, inner: usize) -> Result<Layer, InvalidModel> {
        let full_name = |part: &str| format!("l{number}.{part}");
        Ok(Layer {
            query: self.linear(&full_name("q"), width, width)?,
            key: self.linear(&full_name("k"), width, width)?,
            value: self.linear(&full_name("v"), width, width)?,
            joined: self.linear(&full_name("ao"), width, width)?,
            after_attention: self.norm(&full_name("aln"), width)?,
            inner: self.linear(&full_name("fi"), width, inner)?,
            outer: self.linear(&full_name("fo"), inner, width)?,
            after_inner: self.norm(&full_name("oln"), width)?,
        })
    }
}
