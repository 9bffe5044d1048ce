//! Writes whisper.cpp's model file.
//!
//! Magic number, eleven integers, mel filters, vocabulary, then named tensors. Weights go through a
//! buffer of bounded size; the file is written once, from start to end.

use std::io::Write;

use half::f16;
use slovo_model_catalogue::{
    AUDIO_CONTEXT, FREQUENCY_BINS, Precision, Shape, Storage, TEXT_CONTEXT, Tensor,
};

use super::error::ConvertError;
use super::{mel, q8_0};

/// "ggml" as a little-endian number.
const MAGIC: u32 = 0x6767_6d6c;

/// A model file being written.
pub struct Writer<W> {
    out: W,
    precision: Precision,
    /// Encoded bytes of the current tensor.
    encoded: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes header, mel filters and vocabulary.
    ///
    /// # Errors
    /// When writing fails, or only whisper.cpp's own tool supports the precision.
    pub fn new(
        mut out: W,
        shape: &Shape,
        precision: Precision,
        tokens: &[Vec<u8>],
    ) -> Result<Self, ConvertError> {
        if !matches!(precision, Precision::F16 | Precision::Q8_0) {
            return Err(ConvertError::Precision(precision));
        }
        let numbers = [
            MAGIC,
            shape.vocabulary,
            AUDIO_CONTEXT,
            shape.width,
            shape.heads,
            shape.encoder_layers,
            TEXT_CONTEXT,
            shape.width,
            shape.heads,
            shape.decoder_layers,
            shape.mels,
            precision.file_type(),
            shape.mels,
            count(FREQUENCY_BINS)?,
        ];
        let mut head: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        for weight in mel::filters(shape.mels as usize) {
            head.extend(weight.to_le_bytes());
        }
        head.extend(count(tokens.len())?.to_le_bytes());
        for token in tokens {
            head.extend(count(token.len())?.to_le_bytes());
            head.extend(token);
        }
        out.write_all(&head).map_err(ConvertError::writing)?;
        Ok(Self {
            out,
            precision,
            encoded: Vec::new(),
        })
    }

    /// Writes the header of a tensor; its weights follow with [`Writer::weights`].
    ///
    /// # Errors
    /// When writing fails.
    pub fn tensor(&mut self, tensor: &Tensor) -> Result<(), ConvertError> {
        let kind = match tensor.storage {
            Storage::Plain => 0,
            Storage::Half => Precision::F16.tensor_type(),
            Storage::Weight => self.precision.tensor_type(),
        };
        let mut head = Vec::new();
        head.extend(count(tensor.dimensions.len())?.to_le_bytes());
        head.extend(count(tensor.name.len())?.to_le_bytes());
        head.extend(kind.to_le_bytes());
        for n in tensor.dimensions.iter().rev() {
            head.extend(n.to_le_bytes());
        }
        head.extend(tensor.name.as_bytes());
        self.out.write_all(&head).map_err(ConvertError::writing)
    }

    /// Writes the next weights of the current tensor. The length of every piece but the last of a
    /// tensor must be a multiple of 32.
    ///
    /// # Errors
    /// When writing fails.
    pub fn weights(&mut self, storage: Storage, weights: &[f16]) -> Result<(), ConvertError> {
        self.encoded.clear();
        match (storage, self.precision) {
            (Storage::Plain, _) => {
                for weight in weights {
                    self.encoded.extend(weight.to_f32().to_le_bytes());
                }
            }
            (Storage::Weight, Precision::Q8_0) => {
                let plain: Vec<f32> = weights.iter().map(|weight| weight.to_f32()).collect();
                q8_0::quantise(&plain, &mut self.encoded);
            }
            _ => {
                for weight in weights {
                    self.encoded.extend(weight.to_le_bytes());
                }
            }
        }
        self.out
            .write_all(&self.encoded)
            .map_err(ConvertError::writing)
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self) -> Result<W, ConvertError> {
        self.out.flush().map_err(ConvertError::writing)?;
        Ok(self.out)
    }
}

fn count(n: usize) -> Result<u32, ConvertError> {
    u32::try_from(n).map_err(|_| ConvertError::malformed(format!("a length of {n}")))
}
