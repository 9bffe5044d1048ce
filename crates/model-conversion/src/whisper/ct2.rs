//! Reads CTranslate2's model file (binary version 6) as a stream.
//!
//! The file is a header, then variables, then aliases; see [`Reader`]. Only the current variable's
//! name and shape are kept in memory; the caller reads its data in pieces. Every length in the file
//! is checked before it is used, because the file comes from the network.

use std::io::Read;

use super::error::ConvertError;

/// The longest variable name in bytes; Whisper's longest has 46.
const MAX_NAME_BYTES: u16 = 256;
/// The highest rank of a variable; a convolution's weight has 3.
const MAX_RANK: u8 = 4;
/// The most variables in a file; Whisper large has 1,268.
const MAX_VARIABLES: u32 = 10_000;

/// The type of a variable's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// 32-bit floating point.
    F32,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 16-bit floating point (IEEE half).
    F16,
}

impl ElementType {
    fn of(code: u8) -> Result<Self, ConvertError> {
        Ok(match code {
            0 => Self::F32,
            1 => Self::I8,
            2 => Self::I16,
            3 => Self::I32,
            4 => Self::F16,
            other => {
                return Err(ConvertError::malformed(format!(
                    "unknown element type {other}"
                )));
            }
        })
    }

    const fn bytes(self) -> u64 {
        match self {
            Self::I8 => 1,
            Self::I16 | Self::F16 => 2,
            Self::F32 | Self::I32 => 4,
        }
    }
}

/// A variable's header; its data follow in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Path-like name, for example `encoder/conv1/weight`.
    pub name: String,
    /// Row-major dimensions; empty for a scalar.
    pub dimensions: Vec<u32>,
    /// Type of the elements.
    pub element: ElementType,
    /// Length of the data in bytes; always the product of the dimensions times
    /// the element's size.
    pub bytes: u64,
}

/// A CTranslate2 file being read. After [`Reader::next_variable`] the caller must consume exactly
/// [`Variable::bytes`] bytes with [`Reader::read_exact`] or [`Reader::skip`].
pub struct Reader<R> {
    input: R,
    remaining: u32,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the file is not binary version 6 or not Whisper's specification.
    pub fn new(mut input: R) -> Result<Self, ConvertError> {
        let version = read_u32(&mut input)?;
        if version != 6 {
            return Err(ConvertError::malformed(format!(
                "CTranslate2 binary version {version} instead of 6"
            )));
        }
        let specification = read_name(&mut input)?;
        if specification != "WhisperSpec" {
            return Err(ConvertError::malformed(format!(
                "specification “{specification}” instead of “WhisperSpec”"
            )));
        }
        let _revision = read_u32(&mut input)?;
        let remaining = read_u32(&mut input)?;
        if remaining > MAX_VARIABLES {
            return Err(ConvertError::malformed(format!("{remaining} variables")));
        }
        Ok(Self { input, remaining })
    }

    /// The next variable's header, or `None` after the last.
    ///
    /// # Errors
    /// When the stream ends early or two lengths contradict each other.
    pub fn next_variable(&mut self) -> Result<Option<Variable>, ConvertError> {
        if self.remaining == 0 {
            return Ok(None);
        }
        self.remaining -= 1;
        let name = read_name(&mut self.input)?;
        let rank = read_u8(&mut self.input)?;
        if rank > MAX_RANK {
            return Err(ConvertError::malformed(format!("rank {rank} of {name}")));
        }
        let mut dimensions = Vec::with_capacity(usize::from(rank));
        for _ in 0..rank {
            dimensions.push(read_u32(&mut self.input)?);
        }
        let element = ElementType::of(read_u8(&mut self.input)?)?;
        let bytes = u64::from(read_u32(&mut self.input)?);
        let expected = dimensions.iter().try_fold(element.bytes(), |product, &n| {
            product.checked_mul(u64::from(n))
        });
        if expected != Some(bytes) {
            return Err(ConvertError::malformed(format!(
                "{bytes} bytes of data for {name} of shape {dimensions:?}"
            )));
        }
        Ok(Some(Variable {
            name,
            dimensions,
            element,
            bytes,
        }))
    }

    /// Fills `buffer` with the current variable's next data.
    ///
    /// # Errors
    /// When the stream ends early.
    pub fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), ConvertError> {
        self.input.read_exact(buffer).map_err(ConvertError::reading)
    }

    /// Skips `bytes` bytes of data.
    ///
    /// # Errors
    /// When the stream ends early.
    pub fn skip(&mut self, bytes: u64) -> Result<(), ConvertError> {
        let skipped = std::io::copy(&mut (&mut self.input).take(bytes), &mut std::io::sink())
            .map_err(ConvertError::reading)?;
        if skipped == bytes {
            Ok(())
        } else {
            Err(ConvertError::malformed(
                "the file ends too early".to_owned(),
            ))
        }
    }
}

fn read_u8(input: &mut impl Read) -> Result<u8, ConvertError> {
    let mut bytes = [0; 1];
    input
        .read_exact(&mut bytes)
        .map_err(ConvertError::reading)?;
    Ok(bytes[0])
}

fn read_u32(input: &mut impl Read) -> Result<u32, ConvertError> {
    let mut bytes = [0; 4];
    input
        .read_exact(&mut bytes)
        .map_err(ConvertError::reading)?;
    Ok(u32::from_le_bytes(bytes))
}

/// A name: u16 length that includes the closing NUL, then the bytes.
fn read_name(input: &mut impl Read) -> Result<String, ConvertError> {
    let mut length = [0; 2];
    input
        .read_exact(&mut length)
        .map_err(ConvertError::reading)?;
    let length = u16::from_le_bytes(length);
    if length == 0 || length > MAX_NAME_BYTES {
        return Err(ConvertError::malformed(format!("a name of {length} bytes")));
    }
    let mut bytes = vec![0; usize::from(length)];
    input
        .read_exact(&mut bytes)
        .map_err(ConvertError::reading)?;
    if bytes.pop() != Some(0) {
        return Err(ConvertError::malformed(
            "a name without its closing NUL".to_owned(),
        ));
    }
    String::from_utf8(bytes)
        .map_err(|_| ConvertError::malformed("a name that is not text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(count: u32) -> Vec<u8> {
        let mut bytes = 6_u32.to_le_bytes().to_vec();
        bytes.extend(12_u16.to_le_bytes());
        bytes.extend(b"WhisperSpec\0");
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes
    }

    fn variable(name: &str, dimensions: &[u32], code: u8, bytes: u32) -> Vec<u8> {
        let mut out = u16::try_from(name.len() + 1)
            .unwrap()
            .to_le_bytes()
            .to_vec();
        out.extend(name.as_bytes());
        out.push(0);
        out.push(u8::try_from(dimensions.len()).unwrap());
        for n in dimensions {
            out.extend(n.to_le_bytes());
        }
        out.push(code);
        out.extend(bytes.to_le_bytes());
        out
    }

    #[test]
    fn variables_are_read_in_order() {
        let mut file = header(2);
        file.extend(variable("a/b", &[2, 3], 4, 12));
        file.extend([7; 12]);
        file.extend(variable("c", &[], 1, 1));
        file.push(9);
        let mut reader = Reader::new(file.as_slice()).unwrap();
        let first = reader.next_variable().unwrap().unwrap();
        assert_eq!((first.name.as_str(), first.bytes), ("a/b", 12));
        reader.skip(12).unwrap();
        let second = reader.next_variable().unwrap().unwrap();
        assert_eq!(second.element, ElementType::I8);
        let mut value = [0];
        reader.read_exact(&mut value).unwrap();
        assert_eq!(value, [9]);
        assert_eq!(reader.next_variable().unwrap(), None);
    }

    #[test]
    fn contradictory_lengths_are_refused() {
        let mut file = header(1);
        file.extend(variable("a", &[u32::MAX, u32::MAX, u32::MAX], 0, 4));
        assert!(
            Reader::new(file.as_slice())
                .unwrap()
                .next_variable()
                .is_err()
        );
    }

    #[test]
    fn a_file_truncated_at_any_byte_is_refused() {
        let mut file = header(1);
        file.extend(variable("name", &[4], 4, 8));
        file.extend([0; 8]);
        for cut in 0..file.len() {
            let outcome = Reader::new(&file[..cut]).and_then(|mut reader| {
                let variable = reader.next_variable()?;
                reader.skip(variable.map_or(0, |v| v.bytes))
            });
            assert!(outcome.is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn other_formats_are_refused() {
        assert!(Reader::new(&b"<!DOCTYPE html><html></html>"[..]).is_err());
        assert!(Reader::new(&[][..]).is_err());
    }
}
