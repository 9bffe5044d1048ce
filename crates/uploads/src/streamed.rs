//! Completes the file of an upload whose length was unknown at first.
//!
//! A live recording is sent while it is made. Its WAV header has 0xFFFFFFFF (or 0) as sizes, so
//! players show no length and cannot seek. This writes the true sizes into the header. Any other
//! header is left unchanged, even if it is wrong.

use slovo_storage::Edit;

/// Format tags with a fixed sample size: PCM, floating point, extensible.
const SAMPLED: [u16; 3] = [0x0001, 0x0003, 0xFFFE];
/// Offset of the RIFF size.
const RIFF_SIZE: u64 = 4;

/// What to correct in the header of a file of `length` bytes. After a kill between two of the
/// corrections, the rest of them.
pub fn corrections(head: &[u8], length: u64) -> Vec<Edit> {
    let Some(sizes) = true_sizes(head, length) else {
        return Vec::new();
    };
    let size = |at, size: u32| Edit {
        at,
        bytes: size.to_le_bytes(),
    };
    vec![size(sizes.data_at, sizes.data), size(RIFF_SIZE, sizes.riff)]
}

/// The correct sizes for the header.
#[derive(Debug, PartialEq, Eq)]
struct Sizes {
    riff: u32,
    data: u32,
    /// Offset of the size of the samples.
    data_at: u64,
}

/// The correct sizes for a WAV file of `length` bytes whose header lacks them; `None` if the header
/// has sizes, right or wrong, or the file is not WAV. An incomplete last sample is not counted.
fn true_sizes(head: &[u8], length: u64) -> Option<Sizes> {
    if head.get(..4)? != b"RIFF" || head.get(8..12)? != b"WAVE" {
        return None;
    }
    let mut sample = None;
    let mut at = 12;
    loop {
        let (name, size) = (head.get(at..at + 4)?, u32_at(head, at + 4)?);
        let body = at + 8;
        match name {
            b"fmt " if sample.is_none() => sample = Some(sample_bytes(head.get(body..body + 16)?)?),
            b"data" => {
                let start = body as u64;
                let bytes = length.checked_sub(start)?;
                let bytes = bytes - bytes % sample?;
                let sizes = Sizes {
                    riff: u32::try_from(start + bytes - 8).ok()?,
                    data: u32::try_from(bytes).ok()?,
                    data_at: start - 4,
                };
                let claimed = (u32_at(head, 4)?, size);
                let is_unknown = is_unknown_or_true(claimed.0, sizes.riff)
                    && is_unknown_or_true(claimed.1, sizes.data);
                return (is_unknown && claimed != (sizes.riff, sizes.data)).then_some(sizes);
            }
            _ => {}
        }
        // Chunks begin at even offsets.
        at = body.checked_add(usize::try_from(size).ok()?)?;
        at = at.checked_add(at % 2)?;
    }
}

/// Whether a size is not known yet, or is the true one: written by a process that was killed
/// before it wrote the other.
fn is_unknown_or_true(claimed: u32, truth: u32) -> bool {
    [0, u32::MAX, truth].contains(&claimed)
}

/// Bytes of one sample of all channels; `None` if the format chunk is inconsistent.
fn sample_bytes(format: &[u8]) -> Option<u64> {
    let word = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
    let (channels, bits) = (u64::from(word(2)), u64::from(word(14)));
    let bytes = channels * bits / 8;
    let is_consistent = bits % 8 == 0 && bytes > 0 && u64::from(word(12)) == bytes;
    (SAMPLED.contains(&word(0)) && is_consistent).then_some(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    word.try_into().ok().map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use std::io;

    use slovo_storage::Storage;
    use slovo_test_media::wave::Header;

    use super::*;

    /// A recording as the web app sends it: 44.1 kHz, 16 bit, mono, of unknown sizes.
    fn streamed(size: u32, data: &[u8]) -> Vec<u8> {
        let header = Header {
            rate: 44_100,
            data: Some(size),
            riff: Some(size),
            ..Header::default()
        };
        header.with(data)
    }

    fn complete_wav(data: &[u8]) -> Vec<u8> {
        let rate = 44_100;
        Header {
            rate,
            ..Header::default()
        }
        .with(data)
    }

    /// The content of a file of these bytes after its header was completed for this length.
    fn completed(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
        let id = uuid::Uuid::from_u128(1);
        let folder = tempfile::tempdir()?;
        let storage = Storage::open(folder.path())?;
        std::fs::write(storage.media(id), bytes)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(storage.complete(id, length as u64, corrections))?;
        std::fs::read(storage.media(id))
    }

    #[test]
    fn unknown_sizes_in_a_wav_header_are_filled_in() {
        let data = [1, 2, 3, 4, 5, 6];
        for size in [0, u32::MAX] {
            let sent = streamed(size, &data);
            assert_eq!(
                completed(&sent, sent.len()).unwrap(),
                complete_wav(&data),
                "{size}"
            );
        }
        // Half a sample at the end stays in the file, but is not counted.
        let sent = streamed(u32::MAX, &data[..5]);
        let mut odd = complete_wav(&data[..4]);
        odd.push(5);
        assert_eq!(completed(&sent, sent.len()).unwrap(), odd);
        let empty = streamed(u32::MAX, &[]);
        assert_eq!(completed(&empty, empty.len()).unwrap(), complete_wav(&[]));
    }

    #[test]
    fn a_header_is_completed_after_an_interrupted_write() {
        let data = [1, 2, 3, 4];
        let sent = streamed(u32::MAX, &data);
        // Bytes beyond the length, which were not recorded.
        let extended = [&sent[..], &[0xAA; 9]].concat();
        assert_eq!(
            completed(&extended, sent.len()).unwrap(),
            complete_wav(&data)
        );
        // Only one of the sizes is written; both are written.
        let mut half = sent.clone();
        half[40..44].copy_from_slice(&4_u32.to_le_bytes());
        assert_eq!(completed(&half, half.len()).unwrap(), complete_wav(&data));
        let complete = complete_wav(&data);
        assert_eq!(completed(&complete, complete.len()).unwrap(), complete);
        // Missing bytes cannot be replaced.
        assert!(completed(&sent, sent.len() + 1).is_err());
    }

    #[test]
    fn a_data_chunk_after_other_chunks_is_found() {
        let sent = streamed(u32::MAX, &[1, 2]);
        let mut listed = sent[..36].to_vec();
        // A chunk of odd length with its padding byte.
        listed.extend(b"LIST\x03\0\0\0abc\0");
        listed.extend(&sent[36..]);
        let mut expected = listed.clone();
        expected[4..8].copy_from_slice(&50_u32.to_le_bytes());
        expected[52..56].copy_from_slice(&2_u32.to_le_bytes());
        assert_eq!(completed(&listed, listed.len()).unwrap(), expected);
    }

    #[test]
    fn inconsistent_and_foreign_headers_are_left_unchanged() {
        let with = |change: fn(&mut Vec<u8>)| {
            let mut bytes = streamed(u32::MAX, &[7; 100]);
            change(&mut bytes);
            bytes
        };
        let unchanged = [
            // Stated but wrong sizes, one or both.
            with(|b| b[40..44].copy_from_slice(&60_u32.to_le_bytes())),
            with(|b| b[4..8].copy_from_slice(&10_u32.to_le_bytes())),
            // Inconsistent or invalid sample sizes.
            with(|b| b[32] = 4),
            with(|b| b[22] = 0),
            with(|b| b[34] = 0),
            with(|b| b[34] = 12),
            with(|b| b[20] = 0x55),
            // A chunk whose size leads beyond the end of the file or overflows.
            with(|b| b[16..20].copy_from_slice(&u32::MAX.to_le_bytes())),
            with(|b| b[16..20].copy_from_slice(&5000_u32.to_le_bytes())),
            with(|b| b[12..16].copy_from_slice(b"data")),
            // Something else.
            with(|b| b[0] = b'X'),
            with(|b| b[8] = b'A'),
            with(|b| b.truncate(43)),
            with(|b| b.truncate(5)),
            with(Vec::clear),
            b"OggS and so on".to_vec(),
        ];
        for bytes in unchanged {
            assert_eq!(completed(&bytes, bytes.len()).unwrap(), bytes);
        }
    }
}
