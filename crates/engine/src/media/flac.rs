//! FLAC headers, parsed here so that pictures and tables before the audio are skipped unread.

use super::MediaError;
use super::source::{Media, Meter, View};

/// Metadata blocks before the first frame; real files have fewer than twenty.
const MAX_BLOCKS: usize = 10_000;

/// A FLAC file's stream information and the offset of its first frame.
#[derive(Debug)]
pub(super) struct Flac {
    stream_info: Vec<u8>,
    frames: u64,
}

impl Flac {
    /// Walks the metadata blocks of the stream that begins at `start`.
    pub(super) fn read(media: &Media, start: u64) -> Result<Self, MediaError> {
        let cut = || MediaError::damaged("the FLAC header is cut off");
        let mut at = start + 4;
        let mut stream_info = None;
        for _ in 0..MAX_BLOCKS {
            let head: [u8; 4] = media.read_at(at, 4)?.try_into().map_err(|_| cut())?;
            let length = u64::from(u32::from_be_bytes([0, head[1], head[2], head[3]]));
            if stream_info.is_none() {
                let info = media.read_at(at + 4, 34)?;
                if head[0] & 0x7F != 0 || length != 34 || info.len() != 34 {
                    return Err(MediaError::damaged(
                        "the FLAC stream information is missing",
                    ));
                }
                stream_info = Some(info);
            }
            at += 4 + length;
            if head[0] & 0x80 != 0 {
                break;
            }
        }
        if at >= media.length() {
            return Err(MediaError::NoSamples);
        }
        Ok(Self {
            stream_info: stream_info.ok_or_else(cut)?,
            frames: at,
        })
    }

    /// The input of the demuxer: the stream information and the frames.
    pub(super) fn view(&self, media: &Media, meter: &Meter) -> View {
        let mut header = b"fLaC\x80\x00\x00\x22".to_vec();
        header.extend_from_slice(&self.stream_info);
        View::part(media, meter, header, self.frames, media.length())
    }
}
