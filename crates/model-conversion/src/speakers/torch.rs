//! Reads the weights out of a file that PyTorch has written, without running any of it.
//!
//! Such a file is a zip archive with the numbers of each tensor in a member of its own
//! and a pickle that says which name has which member. A pickle is a program; here it is
//! only walked, instruction by instruction, for the texts in it.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::SpeakerConvertError;

/// The most a pickle may take; that of the embedding is 130 kB.
const MAX_PICKLE: u64 = 4 << 20;
/// The most a tensor may take.
const MAX_TENSOR: u64 = 64 << 20;

/// The tensors of a file, by their names.
pub(super) struct Weights<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    places: HashMap<String, Place>,
}

/// Where the numbers of a tensor are.
struct Place {
    /// Name of the member.
    member: String,
    /// How many numbers of other tensors come before them there.
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

    /// The first `count` numbers of a tensor.
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
        let wanted = place.offset..place.offset.saturating_add(count);
        numbers.get(wanted).map_or_else(
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

/// A tensor is its name, the kind and number of its storage, and, behind the storage's
/// persistent id, the offset in it.
fn places(steps: &[Step], folder: &str) -> HashMap<String, Place> {
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
                // Several tensors may share a storage: then it is named once.
                if let (Some(name), Some(member)) = (name.take(), &member) {
                    let (member, offset) = (member.clone(), *offset);
                    places.insert(name, Place { member, offset });
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

/// What of a pickle says where tensors are.
#[derive(Debug, PartialEq)]
enum Step {
    Text(String),
    Number(usize),
    /// A storage is named by what came before.
    Load,
}

/// The steps of a pickle in their order. Nothing is carried out; an instruction that a
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
        let taken = match instruction {
            b'.' => return Ok(steps),
            // Marks, tuples, lists, dictionaries, nothing, truth values, calls, objects.
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
            // The protocol's version, what is remembered.
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
            // The name of a class: two lines.
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
        program = rest.get(taken..).ok_or_else(cut_off)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_is_found_in_its_storage_and_nothing_else_is_done() {
        let program = b"\x80\x02}q\x00(X\x03\x00\x00\x00a.bctorch\nFloatStorage\nq\x01\
            X\x02\x00\x00\x0042K\x09QM\x01\x02K\x07u.";
        let places = places(&walk(program).unwrap(), "x/");
        assert_eq!(places.len(), 1);
        assert_eq!(places["a.b"].member, "x/data/42");
        assert_eq!(places["a.b"].offset, 0x201);
    }

    #[test]
    fn what_is_cut_off_or_strange_is_an_error() {
        for program in [
            &b""[..],
            b"\x80",
            b"X\xff\xff\xff\xffab.",
            b"X\x01",
            b"cos\nsystem",
            // An instance made by its class's own code.
            b"(cos\nsystem\no.",
        ] {
            assert!(walk(program).is_err(), "{program:?}");
        }
        assert!(Weights::open(b"no zip").is_err());
    }
}
