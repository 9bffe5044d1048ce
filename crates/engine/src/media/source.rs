//! The file as the demuxers see it: pinned and read-only, with our headers in front or patched
//! bytes, and with a meter that limits what one step may read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use symphonia::core::io::MediaSource;

use super::MediaError;
use crate::inputs;

/// An open regular file. It stays the same file when its path is replaced.
#[derive(Clone, Debug)]
pub(super) struct Media {
    file: Arc<File>,
    length: u64,
}

impl Media {
    /// Opens a regular file. Links are followed; devices, pipes and folders are refused before
    /// anything is read from them.
    pub(super) fn open(path: &Path) -> Result<Self, MediaError> {
        let file = inputs::open(path).map_err(|error| MediaError::io(&error))?;
        let length = file
            .metadata()
            .map_err(|error| MediaError::io(&error))?
            .len();
        if length == 0 {
            return Err(MediaError::EmptyFile);
        }
        Ok(Self {
            file: Arc::new(file),
            length,
        })
    }

    /// Length in bytes at the time of opening.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// Up to `count` bytes at `offset`; fewer at the end of the file.
    pub(super) fn read_at(&self, offset: u64, count: usize) -> Result<Vec<u8>, MediaError> {
        let mut bytes = vec![0; count];
        let mut filled = 0;
        while filled < count {
            match self
                .file
                .read_at(&mut bytes[filled..], offset.saturating_add(filled as u64))
            {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(MediaError::io(&error)),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// A second handle on the same open file, for a subprocess.
    pub(super) fn handle(&self) -> Result<File, MediaError> {
        self.file
            .try_clone()
            .map_err(|error| MediaError::io(&error))
    }
}

/// Limits how many bytes one step may read before it counts as stuck.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    left: Arc<AtomicU64>,
    allowance: u64,
}

impl Meter {
    pub(super) fn new(allowance: u64) -> Self {
        Self {
            left: Arc::new(AtomicU64::new(allowance)),
            allowance,
        }
    }

    /// Restores the whole allowance for the next step.
    pub(super) fn refill(&self) {
        self.left.store(self.allowance, Ordering::Relaxed);
    }

    /// Whether the last step failed because its allowance was used up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn take(&self, requested: usize) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 && requested > 0 {
            return Err(io::Error::other("too much data without a packet"));
        }
        Ok(usize::try_from(left).map_or(requested, |left| left.min(requested)))
    }

    fn spend(&self, bytes: usize) {
        let left = self.left.load(Ordering::Relaxed);
        self.left
            .store(left.saturating_sub(bytes as u64), Ordering::Relaxed);
    }
}

/// The input of a demuxer: `prefix`, then `start..end` of the file with `patches` applied.
#[derive(Clone, Debug)]
pub(super) struct View {
    media: Media,
    prefix: Vec<u8>,
    start: u64,
    end: u64,
    /// Four bytes each, by their offset in the file, in rising order.
    patches: Vec<(u64, [u8; 4])>,
    position: u64,
    meter: Meter,
}

impl View {
    /// The whole file, unchanged.
    pub(super) fn whole(media: &Media, meter: &Meter) -> Self {
        Self::part(media, meter, Vec::new(), 0, media.length)
    }

    /// `prefix` followed by the file's bytes `start..end`.
    pub(super) fn part(
        media: &Media,
        meter: &Meter,
        prefix: Vec<u8>,
        start: u64,
        end: u64,
    ) -> Self {
        let end = end.min(media.length);
        Self {
            media: media.clone(),
            prefix,
            start: start.min(end),
            end,
            patches: Vec::new(),
            position: 0,
            meter: meter.clone(),
        }
    }

    /// The whole file with four bytes replaced at each offset.
    pub(super) fn patched(media: &Media, meter: &Meter, mut patches: Vec<(u64, [u8; 4])>) -> Self {
        patches.sort_unstable_by_key(|(offset, _)| *offset);
        Self {
            patches,
            ..Self::whole(media, meter)
        }
    }

    fn length(&self) -> u64 {
        self.prefix.len() as u64 + (self.end - self.start)
    }

    fn apply_patches(&self, offset: u64, bytes: &mut [u8]) {
        let end = offset + bytes.len() as u64;
        let first = self.patches.partition_point(|(at, _)| at + 4 <= offset);
        for (at, patch) in self.patches[first..].iter().take_while(|(at, _)| *at < end) {
            for (i, byte) in patch.iter().enumerate() {
                let target = at + i as u64;
                if (offset..end).contains(&target) {
                    bytes[(target - offset) as usize] = *byte;
                }
            }
        }
    }
}

impl Read for View {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let prefix = self.prefix.len() as u64;
        let read = if self.position < prefix {
            let rest = &self.prefix[self.position as usize..];
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            count
        } else {
            let offset = self.start + (self.position - prefix);
            let left = self.end.saturating_sub(offset);
            let requested =
                usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
            let requested = self.meter.take(requested)?;
            let read = self.media.file.read_at(&mut buffer[..requested], offset)?;
            self.meter.spend(read);
            self.apply_patches(offset, &mut buffer[..read]);
            read
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for View {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
        };
        self.position = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

impl MediaSource for View {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn media(bytes: &[u8]) -> (tempfile::NamedTempFile, Media) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let media = Media::open(file.path()).unwrap();
        (file, media)
    }

    #[test]
    fn prefix_and_file_part_are_read_as_one_stream() {
        let (_file, media) = media(b"0123456789");
        let mut view = View::part(&media, &Meter::new(100), b"ab".to_vec(), 3, 7);
        let mut text = String::new();
        view.read_to_string(&mut text).unwrap();
        assert_eq!(text, "ab3456");
        view.seek(SeekFrom::End(-2)).unwrap();
        text.clear();
        view.read_to_string(&mut text).unwrap();
        assert_eq!(text, "56");
    }

    #[test]
    fn patches_apply_at_every_read_boundary() {
        let (_file, media) = media(b"0123456789");
        for size in 1..6 {
            let patches = vec![(6, *b"WXYZ"), (1, *b"abcd")];
            let mut view = View::patched(&media, &Meter::new(100), patches);
            let mut output = Vec::new();
            let mut buffer = vec![0; size];
            while let Ok(read @ 1..) = view.read(&mut buffer) {
                output.extend_from_slice(&buffer[..read]);
            }
            assert_eq!(output, b"0abcd5WXYZ");
        }
    }

    #[test]
    fn a_step_reads_no_more_than_its_allowance() {
        let (_file, media) = media(&[7; 1000]);
        let meter = Meter::new(100);
        let mut view = View::whole(&media, &meter);
        let mut sink = Vec::new();
        assert!(view.read_to_end(&mut sink).is_err());
        assert_eq!(sink.len(), 100);
        assert!(meter.is_exhausted());
        meter.refill();
        assert!(view.read_to_end(&mut sink).is_err());
        assert_eq!(sink.len(), 200);
    }

    #[test]
    fn folders_and_empty_files_are_refused() {
        assert_eq!(
            Media::open(Path::new("/")).unwrap_err().code(),
            "unreadable"
        );
        assert_eq!(
            Media::open(Path::new("/dev/zero")).unwrap_err().code(),
            "unreadable"
        );
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(
            Media::open(empty.path()).unwrap_err(),
            MediaError::EmptyFile
        );
    }
}
