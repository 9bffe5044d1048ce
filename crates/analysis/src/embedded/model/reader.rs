//! Parses the file's numbers and tables. For any input, it never reads outside the file and never
//! allocates more than the file's size justifies.

use std::ops::Range;

/// Why a file is not a model: the name of the invalid part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidModel(pub &'static str);

/// A read position in the file.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The current position.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], InvalidModel> {
        let end = self
            .at
            .checked_add(count)
            .ok_or(InvalidModel("its length"))?;
        let part = self
            .bytes
            .get(self.at..end)
            .ok_or(InvalidModel("its length"))?;
        self.at = end;
        Ok(part)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], InvalidModel> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| InvalidModel("its length"))
    }

    pub(super) fn u8(&mut self) -> Result<u8, InvalidModel> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, InvalidModel> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, InvalidModel> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Result<f32, InvalidModel> {
        self.array().map(f32::from_le_bytes)
    }

    /// A 64-bit number as a length.
    pub(super) fn length(&mut self) -> Result<usize, InvalidModel> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| InvalidModel("a length"))
    }

    /// A 32-bit number within these bounds, inclusive.
    pub(super) fn between(
        &mut self,
        least: u32,
        most: u32,
        what: &'static str,
    ) -> Result<usize, InvalidModel> {
        let value = self.u32()?;
        if (least..=most).contains(&value) {
            Ok(value as usize)
        } else {
            Err(InvalidModel(what))
        }
    }

    /// The next `count` 32-bit numbers.
    pub(super) fn u32s(&mut self, count: usize) -> Result<Vec<u32>, InvalidModel> {
        let bytes = self.take(count.checked_mul(4).ok_or(InvalidModel("a length"))?)?;
        Ok(words(bytes).map(u32::from_le_bytes).collect())
    }

    /// The next `count` 32-bit floats, which must be finite.
    pub(super) fn f32s(&mut self, count: usize) -> Result<Vec<f32>, InvalidModel> {
        floats(self.take(count.checked_mul(4).ok_or(InvalidModel("a length"))?)?)
    }
}

/// These bytes as 32-bit floats, which must be finite.
pub(super) fn floats(bytes: &[u8]) -> Result<Vec<f32>, InvalidModel> {
    let numbers: Vec<f32> = words(bytes).map(f32::from_le_bytes).collect();
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(numbers)
    } else {
        Err(InvalidModel("a number"))
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.as_chunks::<4>().0.iter().copied()
}

/// One tensor of the directory: its type, and where its bytes are.
pub(super) struct Tensor {
    pub name: Vec<u8>,
    pub packed: bool,
    pub bytes: Range<usize>,
}

/// Weights in a block of 4-bit weights.
pub(super) const BLOCK: usize = 32;
/// Bytes of a block: a 16-bit scale and the weights.
pub(super) const BLOCK_BYTES: usize = 18;
/// The most tensors in a directory; the model has 197.
const MAX_TENSORS: u32 = 4_096;

/// The directory of tensors.
pub(super) fn directory(reader: &mut Reader<'_>, file: usize) -> Result<Vec<Tensor>, InvalidModel> {
    let count = reader.between(1, MAX_TENSORS, "the number of its tensors")?;
    (0..count)
        .map(|_| {
            let name_length = usize::from(reader.u16()?);
            let name = reader.take(name_length)?.to_vec();
            let packed = match reader.u8()? {
                0 => false,
                1 => true,
                _ => return Err(InvalidModel("the type of a tensor")),
            };
            reader.u32()?;
            let (start, length) = (reader.length()?, reader.length()?);
            let end = start.checked_add(length).filter(|end| *end <= file);
            let end = end.ok_or(InvalidModel("the place of a tensor"))?;
            let bytes = start..end;
            Ok(Tensor {
                name,
                packed,
                bytes,
            })
        })
        .collect()
}

/// Writes the weights of these blocks to `out`. Each block has a scale, then sixteen bytes with the
/// first half of the weights in the low four bits and the second half in the high ones.
pub(super) fn unpack(blocks: &[u8], out: &mut [f32]) {
    let blocks = blocks.as_chunks::<BLOCK_BYTES>().0;
    for (block, weights) in blocks.iter().zip(out.as_chunks_mut::<BLOCK>().0) {
        let scale = half::f16::from_le_bytes([block[0], block[1]]).to_f32();
        let (low, high) = weights.split_at_mut(BLOCK / 2);
        for ((byte, low), high) in block[2..].iter().zip(low).zip(high) {
            *low = (f32::from(byte & 0x0F) - 8.0) * scale;
            *high = (f32::from(byte >> 4) - 8.0) * scale;
        }
    }
}
