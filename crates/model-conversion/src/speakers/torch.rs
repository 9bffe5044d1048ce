//! Reads the weights from a PyTorch file without executing any of it.
//!
//! Such a file is a zip archive with one member for the values of each tensor, and a pickle that
//! maps names to members. A pickle is a program; here it is only parsed, instruction by
//! instruction, for the strings in it.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::SpeakerConvertError;

/// The largest pickle in bytes; that of the embedding is 130 kB.
const MAX_PICKLE: u64 = 4 << 20;
/// The largest tensor in bytes.
const MAX_TENSOR: u64 = 64 << 20;

/// The tensors of a file, by name.
pub(super) struct Weights<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    places: HashMap<String, TensorLocation>,
}

/// Where the values of a tensor are.
struct TensorLocation {
    /// Name of the member.
    member: String,
    /// Number of values of other tensors before them in the member.
    offset: usize,
}

impl<'a> Weights<'a> {
    pub(super) fn open(file: &'a [u8]) -> Result<Self, SpeakerConvertError> {
        let mut archive = ZipArchive::new(Cursor::new(file)).map_err(unreadable)?;
        let pickle = archive
            .file_names()
            .filter_map(Result::ok)
            .find(|name| name.ends_with("/data.pkl"))
            .map(std::borrow::Cow::into_owned)
            .ok_or_else(|| unreadable("no data.pkl inside"))?;
        let folder = pickle.trim_end_matches("data.pkl").to_owned();
        let program = read(&mut archive, &pickle, MAX_PICKLE)?;
        let places = places(&walk(&program)?, &folder);
        Ok(Self { archive, places })
    }

    /// The first `count` values of a tensor.
    pub(super) fn take(
        &mut self,
        name: &str,
        count: usize,
    ) -> Result<Vec<f32>, SpeakerConvertError> {
        let place = self
            .places
            .get(name)
            .ok_or_else(|| SpeakerConvertError::Missing(name.to_owned()))?;
        let bytes = read(&mut self.archive, &place.member, MAX_TENSOR)?;
        let numbers = bytes.as_chunks().0;
        let range = place.offset..place.offset.saturating_add(count);
        numbers.get(range).map_or_else(
            || {
                Err(SpeakerConvertError::TooShort {
                    name: name.to_owned(),
                    wanted: count,
                })
            },
            |numbers| Ok(numbers.iter().map(|n| f32::from_le_bytes(*n)).collect()),
        )
    }
}

/// A tensor consists of its name, the type and number of its storage and, after the storage's
/// persistent id, its offset there.
fn places(steps: &[Step], folder: &str) -> HashMap<String, TensorLocation> {
    let mut places = HashMap::new();
    let (mut name, mut member, mut is_loaded) = (None, None, false);
    for step in steps {
        match step {
            Step::Text(text) if text == "storage" || text == "cpu" => {}
            Step::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                member = Some(format!("{folder}data/{text}"));
                is_loaded = false;
            }
            Step::Text(text) => name = Some(text.clone()),
            Step::Load => is_loaded = true,
            Step::Number(offset) if is_loaded => {
                // Several tensors may share a storage, which is then named only once.
                if let (Some(name), Some(member)) = (name.take(), &member) {
                    let (member, offset) = (member.clone(), *offset);
                    places.insert(name, TensorLocation { member, offset });
                }
                is_loaded = false;
            }
            Step::Number(_) => {}
        }
    }
    places
}

fn read(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    most: u64,
) -> Result<Vec<u8>, SpeakerConvertError> {
    let member = archive.by_name(name).map_err(unreadable)?;
    let mut bytes = Vec::new();
    member
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

fn unreadable(error: impl std::fmt::Display) -> SpeakerConvertError {
    SpeakerConvertError::Unreadable(error.to_string())
}

/// The instructions of a pickle that describe tensors.
#[derive(Debug, PartialEq)]
enum Step {
    Text(String),
    Number(usize),
    /// Loads the storage named by the instructions before.
    Load,
}

/// The relevant instructions of a pickle, in order. Nothing is executed; an instruction that a
/// table of tensors and settings does not need is an error.
fn walk(mut program: &[u8]) -> Result<Vec<Step>, SpeakerConvertError> {
    let cut_off = || unreadable("the pickle is cut off");
    let mut steps = Vec::new();
    loop {
        let [instruction, rest @ ..] = program else {
            return Err(cut_off());
        };
        let number = |bytes: usize| -> Result<usize, SpeakerConvertError> {
            let bytes = rest.get(..bytes).ok_or_else(cut_off)?;
            let number = bytes.iter().rev();
            Ok(number.fold(0, |number, byte| number << 8 | usize::from(*byte)))
        };
        let consumed = match instruction {
            b'.' => return Ok(steps),
            // Marks, tuples, lists, dictionaries, None, booleans, calls, objects.
            b'('
            | b')'
            | b'}'
            | b']'
            | b't'
            | b'u'
            | b's'
            | b'e'
            | b'a'
            | b'N'
            | b'R'
            | b'b'
            | 0x81
            | 0x85..=0x89 => 0,
            b'Q' => {
                steps.push(Step::Load);
                0
            }
            // Protocol version; memo instructions.
            0x80 | b'q' | b'h' => 1,
            b'r' | b'j' => 4,
            b'G' => 8,
            b'K' | b'M' | b'J' => {
                let bytes = match instruction {
                    b'K' => 1,
                    b'M' => 2,
                    _ => 4,
                };
                steps.push(Step::Number(number(bytes)?));
                bytes
            }
            0x8a => 1 + number(1)?,
            // A class name: two lines.
            b'c' => {
                let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                ends.map(|(place, _)| place + 1)
                    .nth(1)
                    .ok_or_else(cut_off)?
            }
            b'X' => {
                let length = number(4)?;
                let text = rest.get(4..4 + length).ok_or_else(cut_off)?;
                steps.push(Step::Text(String::from_utf8_lossy(text).into_owned()));
                4 + length
            }
            other => return Err(unreadable(format!("instruction {other:#x} in the pickle"))),
        };
        program = rest.get(consumed..).ok_or_else(cut_off)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_is_located_in_its_storage_without_running_the_pickle() {
        let program = b"\x80\x02}q\x00(X\x03\x00\x00\x00a.bctorch\nFloatStorage\nq\x01\
            X\x02\x00\x00\x0042K\x09QM\x01\x02K\x07u.";
        let places = places(&walk(program).unwrap(), "x/");
        assert_eq!(places.len(), 1);
        assert_eq!(places["a.b"].member, "x/data/42");
        assert_eq!(places["a.b"].offset, 0x201);
    }

    #[test]
    fn truncated_or_unknown_instructions_are_errors() {
        for program in [
            &b""[..],
            b"\x80",
            b"X\xff\xff\xff\xffab.",
            b"X\x01",
            b"cos\nsystem",
            // An instance created by arbitrary code of its class.
            b"(cos\nsystem\no.",
        ] {
            assert!(walk(program).is_err(), "{program:?}");
        }
        assert!(Weights::open(b"no zip").is_err());
    }
}
