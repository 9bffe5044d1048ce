//! The dimensions of Whisper's sizes and the tensors that follow from them.
//!
//! One list has three uses: the conversion checks that it wrote every tensor once, and a file's
//! exact size and its memory needs are computed from it.

/// The format of the two-dimensional weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 16-bit floats, as published by OpenAI.
    F16,
    /// 8-bit blocks of 32 with one scale: 34 bytes per 32 weights.
    Q8_0,
    /// 5-bit blocks of 32 with scale and minimum: 24 bytes per 32 weights.
    Q5_1,
    /// 5-bit blocks of 32 with one scale: 22 bytes per 32 weights.
    Q5_0,
}

impl Precision {
    /// Bytes of this many weights, which must be whole blocks of 32.
    #[must_use]
    pub const fn bytes(self, weights: u64) -> u64 {
        match self {
            Self::F16 => weights * 2,
            Self::Q8_0 => weights / 32 * 34,
            Self::Q5_1 => weights / 32 * 24,
            Self::Q5_0 => weights / 32 * 22,
        }
    }

    /// whisper.cpp's type number in the file header: the type, plus 1000 times the quantisation
    /// version (2) if quantised.
    #[must_use]
    pub const fn file_type(self) -> u32 {
        match self {
            Self::F16 => 1,
            Self::Q8_0 => 2_007,
            Self::Q5_0 => 2_008,
            Self::Q5_1 => 2_009,
        }
    }

    /// ggml's type number of a tensor of this precision.
    #[must_use]
    pub const fn tensor_type(self) -> u32 {
        match self {
            Self::F16 => 1,
            Self::Q5_0 => 6,
            Self::Q5_1 => 7,
            Self::Q8_0 => 8,
        }
    }
}

/// The dimensions of one of Whisper's sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Tokens including special ones: 51,864 English, 51,865 multilingual, 51,866 from large-v3 on.
    pub vocabulary: u32,
    /// Width of encoder and decoder.
    pub width: u32,
    /// Attention heads of both.
    pub heads: u32,
    /// Encoder layers.
    pub encoder_layers: u32,
    /// Decoder layers.
    pub decoder_layers: u32,
    /// Mel bands: 80, or 128 from large-v3 on.
    pub mels: u32,
}

/// Positions of the encoder: 30 s in steps of 20 ms.
pub const AUDIO_CONTEXT: u32 = 1_500;
/// Positions of the decoder.
pub const TEXT_CONTEXT: u32 = 448;
/// Frequency bins of Whisper's 400-sample Fourier transform of a real signal.
pub const FREQUENCY_BINS: usize = 400 / 2 + 1;
/// Count of the multilingual plain tokens and their bytes including 4-byte lengths.
const MULTILINGUAL_TOKENS: (u32, u64) = (50_257, 508_085);
/// The same for English. The published English files contain one more token, `<|endoftext|>` (13
/// bytes): they are [`ENGLISH_EXTRA`] longer.
const ENGLISH_TOKENS: (u32, u64) = (50_256, 521_838);

/// Bytes by which a published English file is longer than one converted here.
pub const ENGLISH_EXTRA: u64 = 4 + 13;

impl Shape {
    const fn of(vocabulary: u32, width: u32, heads: u32, layers: u32) -> Self {
        Self {
            vocabulary,
            width,
            heads,
            encoder_layers: layers,
            decoder_layers: layers,
            mels: 80,
        }
    }

    /// Multilingual tiny.
    pub const TINY: Self = Self::of(51_865, 384, 6, 4);
    /// English tiny.
    pub const TINY_EN: Self = Self::of(51_864, 384, 6, 4);
    /// Multilingual base.
    pub const BASE: Self = Self::of(51_865, 512, 8, 6);
    /// English base.
    pub const BASE_EN: Self = Self::of(51_864, 512, 8, 6);
    /// Multilingual small.
    pub const SMALL: Self = Self::of(51_865, 768, 12, 12);
    /// English small.
    pub const SMALL_EN: Self = Self::of(51_864, 768, 12, 12);
    /// Multilingual medium.
    pub const MEDIUM: Self = Self::of(51_865, 1_024, 16, 24);
    /// English medium.
    pub const MEDIUM_EN: Self = Self::of(51_864, 1_024, 16, 24);
    /// Large, first and second version.
    pub const LARGE: Self = Self::of(51_865, 1_280, 20, 32);
    /// Large, third version.
    pub const LARGE_V3: Self = Self {
        mels: 128,
        ..Self::of(51_866, 1_280, 20, 32)
    };
    /// Large, third version, with only four decoder layers.
    pub const LARGE_V3_TURBO: Self = Self {
        decoder_layers: 4,
        ..Self::LARGE_V3
    };

    /// Whether the vocabulary is the multilingual one.
    #[must_use]
    pub const fn multilingual(&self) -> bool {
        self.vocabulary >= 51_865
    }

    /// Whether the encoder may see only as many positions as the audio needs, instead of 30 s. Word
    /// errors did not grow with base and tiny.en (`docs/ACCURACY.md`). With large-v3-turbo they grow
    /// from 15.4 to 62.9 %, with large-v3 from 15.3 to 17.5 % (published figures); other sizes were
    /// not measured.
    #[must_use]
    pub fn allows_short_context(&self) -> bool {
        [Self::BASE, Self::TINY_EN].contains(self)
    }

    /// Number of plain tokens in the file; whisper.cpp adds the special ones itself.
    #[must_use]
    pub const fn plain_tokens(&self) -> u32 {
        if self.multilingual() {
            MULTILINGUAL_TOKENS.0
        } else {
            ENGLISH_TOKENS.0
        }
    }

    /// All tensors of whisper.cpp's file, in no particular order.
    #[must_use]
    pub fn tensors(&self) -> Vec<Tensor> {
        let n = self.width;
        let mut list = vec![
            Tensor::plain("encoder.positional_embedding", &[AUDIO_CONTEXT, n]),
            Tensor::plain("encoder.conv1.bias", &[n, 1]),
            Tensor::half("encoder.conv1.weight", &[n, self.mels, 3]),
            Tensor::plain("encoder.conv2.bias", &[n, 1]),
            Tensor::half("encoder.conv2.weight", &[n, n, 3]),
            Tensor::plain("decoder.positional_embedding", &[TEXT_CONTEXT, n]),
            Tensor::weight("decoder.token_embedding.weight", &[self.vocabulary, n]),
        ];
        norm(&mut list, "encoder.ln_post", n);
        norm(&mut list, "decoder.ln", n);
        for layer in 0..self.encoder_layers {
            block(&mut list, &format!("encoder.blocks.{layer}"), n);
        }
        for layer in 0..self.decoder_layers {
            let prefix = format!("decoder.blocks.{layer}");
            block(&mut list, &prefix, n);
            attention(&mut list, &format!("{prefix}.cross_attn"), n);
        }
        list
    }

    /// Exact size in bytes of whisper.cpp's file in this precision.
    #[must_use]
    pub fn file_bytes(&self, precision: Precision) -> u64 {
        let head = 4 * (1 + 11 + 2 + 1);
        let filters = 4 * u64::from(self.mels) * FREQUENCY_BINS as u64;
        let tokens = if self.multilingual() {
            MULTILINGUAL_TOKENS.1
        } else {
            ENGLISH_TOKENS.1
        };
        let tensors: u64 = self
            .tensors()
            .iter()
            .map(|tensor| tensor.file_bytes(precision))
            .sum();
        head + filters + tokens + tensors
    }
}

/// How a tensor is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// 32-bit floats in every precision: biases, norms and positions.
    Plain,
    /// 16-bit floats in every precision: the convolutions.
    Half,
    /// In the file's precision: all matrices.
    Weight,
}

/// One tensor of whisper.cpp's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// whisper.cpp's name.
    pub name: String,
    /// Row-major dimensions (the file holds them reversed).
    pub dimensions: Vec<u32>,
    /// How its elements are stored.
    pub storage: Storage,
}

impl Tensor {
    fn new(name: &str, dimensions: &[u32], storage: Storage) -> Self {
        Self {
            name: name.to_owned(),
            dimensions: dimensions.to_vec(),
            storage,
        }
    }

    fn plain(name: &str, dimensions: &[u32]) -> Self {
        Self::new(name, dimensions, Storage::Plain)
    }

    fn half(name: &str, dimensions: &[u32]) -> Self {
        Self::new(name, dimensions, Storage::Half)
    }

    fn weight(name: &str, dimensions: &[u32]) -> Self {
        Self::new(name, dimensions, Storage::Weight)
    }

    /// Number of elements.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.dimensions.iter().map(|&n| u64::from(n)).product()
    }

    fn file_bytes(&self, precision: Precision) -> u64 {
        let head = 12 + 4 * self.dimensions.len() as u64 + self.name.len() as u64;
        head + match self.storage {
            Storage::Plain => self.elements() * 4,
            Storage::Half => self.elements() * 2,
            Storage::Weight => precision.bytes(self.elements()),
        }
    }
}

fn norm(list: &mut Vec<Tensor>, prefix: &str, n: u32) {
    list.push(Tensor::plain(&format!("{prefix}.weight"), &[n]));
    list.push(Tensor::plain(&format!("{prefix}.bias"), &[n]));
}

fn linear(list: &mut Vec<Tensor>, prefix: &str, rows: u32, columns: u32) {
    list.push(Tensor::weight(
        &format!("{prefix}.weight"),
        &[rows, columns],
    ));
    list.push(Tensor::plain(&format!("{prefix}.bias"), &[rows]));
}

/// Query, key (which has no bias), value, out, and the norm before them.
fn attention(list: &mut Vec<Tensor>, prefix: &str, n: u32) {
    linear(list, &format!("{prefix}.query"), n, n);
    list.push(Tensor::weight(&format!("{prefix}.key.weight"), &[n, n]));
    linear(list, &format!("{prefix}.value"), n, n);
    linear(list, &format!("{prefix}.out"), n, n);
    norm(list, &format!("{prefix}_ln"), n);
}

fn block(list: &mut Vec<Tensor>, prefix: &str, n: u32) {
    attention(list, &format!("{prefix}.attn"), n);
    linear(list, &format!("{prefix}.mlp.0"), 4 * n, n);
    linear(list, &format!("{prefix}.mlp.2"), n, 4 * n);
    norm(list, &format!("{prefix}.mlp_ln"), n);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_tensors_matches_whisper() {
        assert_eq!(Shape::BASE.tensors().len(), 245);
        assert_eq!(Shape::TINY_EN.tensors().len(), 167);
        assert_eq!(Shape::LARGE_V3_TURBO.tensors().len(), 587);
    }

    /// Lengths of the files in whisper.cpp's public repository.
    #[test]
    fn sizes_match_those_of_the_published_files() {
        for (shape, precision, bytes) in [
            (Shape::TINY, Precision::F16, 77_691_713),
            (Shape::TINY_EN, Precision::F16, 77_704_715 - ENGLISH_EXTRA),
            (Shape::BASE_EN, Precision::F16, 147_964_211 - ENGLISH_EXTRA),
            (Shape::SMALL_EN, Precision::F16, 487_614_201 - ENGLISH_EXTRA),
            (
                Shape::MEDIUM_EN,
                Precision::F16,
                1_533_774_781 - ENGLISH_EXTRA,
            ),
            (Shape::MEDIUM, Precision::F16, 1_533_763_059),
            (Shape::LARGE, Precision::F16, 3_094_623_691),
            (Shape::LARGE_V3, Precision::F16, 3_095_033_483),
            (Shape::LARGE_V3_TURBO, Precision::F16, 1_624_555_275),
            (Shape::BASE, Precision::F16, 147_951_465),
            (Shape::SMALL, Precision::F16, 487_601_967),
            (Shape::MEDIUM, Precision::Q8_0, 823_369_779),
            (Shape::LARGE_V3_TURBO, Precision::Q8_0, 874_188_075),
            (Shape::LARGE_V3_TURBO, Precision::Q5_0, 574_041_195),
        ] {
            assert_eq!(
                shape.file_bytes(precision),
                bytes,
                "{shape:?} {precision:?}"
            );
        }
    }
}
