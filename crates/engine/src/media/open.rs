//! From a path to a reader: detects the format, chooses the track and the decoder.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use slovo_rules::upload::{Container, SNIFF_BYTES, sniff};
use symphonia::core::codecs::CodecParameters;
use symphonia::core::errors::{Error, Result as Demuxed};
use symphonia::core::formats::{
    FormatOptions, FormatReader, Track as Stream, TrackFlags, TrackType,
};
use symphonia::core::io::{MediaSourceStream, ReadBytes};
use symphonia::default::formats::{
    FlacReader, IsoMp4Reader, MkvReader, MpaReader, OggReader, WavReader,
};

use super::comparison::ChannelSelection;
use super::ffmpeg;
use super::flac::Flac;
use super::info::{self, MediaInfo, Track};
use super::isomp4::{Movie, Trak};
use super::limits::Limits;
use super::native::{Native, Timing, codec_name};
use super::pcm::{EndOfAudio, Pcm};
use super::source::{Media, Meter, View};
use super::wav::Wav;
use super::{MediaError, matroska, mpeg, ogg};
use crate::cancel::Stop;

/// Samples of delay of every MPEG audio decoder, even if no tag states it.
const MP3_DECODER_DELAY: f64 = 529.0;

/// See [`super::open`].
pub(super) fn open(
    path: &Path,
    requested: Option<usize>,
    take: ChannelSelection,
    limits: &Limits,
    stop: &Stop,
) -> Result<Pcm, MediaError> {
    let media = Media::open(path)?;
    let container = recognise(&media)?;
    let opening = Opening {
        media: &media,
        container,
        requested_track: requested,
        take,
        limits,
        stop,
    };
    let first = match opening.natively() {
        Ok(pcm) => return Ok(pcm),
        Err(error) => error,
    };
    if !should_try_external_decoder(container, &first) {
        return Err(first);
    }
    tracing::debug!(reason = %first, container = container.as_str(), "trying the external decoder");
    opening
        .open_external()
        .map_err(|second| match (&first, second) {
            // Only the external decoder reads these, so only its error is meaningful.
            (_, second) if container == Container::Avi || container.needs_external_decoder() => {
                second
            }
            (MediaError::UnsupportedCodec { .. }, missing @ MediaError::DecoderMissing { .. }) => {
                missing
            }
            (_, clear @ (MediaError::NoAudioTrack { .. } | MediaError::NoSuchTrack { .. })) => {
                clear
            }
            (_, clear @ (MediaError::TooLong { .. } | MediaError::TooSlow)) => clear,
            _ => first.clone(),
        })
}

/// The format of the file, or an error with what it is instead.
fn recognise(media: &Media) -> Result<Container, MediaError> {
    let refused = |found: &str| MediaError::UnsupportedFormat {
        found: found.to_owned(),
    };
    match sniff(&media.read_at(0, SNIFF_BYTES)?) {
        // A tag says little about the data after it.
        Some(Container::Mp3) => match sniff(&media.read_at(mpeg::after_tags(media)?, SNIFF_BYTES)?)
        {
            Some(Container::Flac) => Ok(Container::Flac),
            Some(Container::Aac) => Ok(Container::Aac),
            _ => Ok(Container::Mp3),
        },
        Some(container) if container.is_accepted() || container.needs_external_decoder() => {
            Ok(container)
        }
        Some(other) => Err(refused(other.as_str())),
        None => Err(refused("unknown")),
    }
}

/// Whether the external decoder should try a file that failed in this process: not if the file has
/// no audio, exceeds a limit or is only a header.
fn should_try_external_decoder(container: Container, error: &MediaError) -> bool {
    match error {
        MediaError::UnsupportedCodec { .. } => true,
        MediaError::Damaged { .. } => !matches!(container, Container::Wav | Container::Flac),
        _ => false,
    }
}

/// One attempt to open one file.
struct Opening<'a> {
    media: &'a Media,
    container: Container,
    requested_track: Option<usize>,
    take: ChannelSelection,
    limits: &'a Limits,
    stop: &'a Stop,
}

/// The parts of a [`Pcm`] for decoding in this process.
struct NativeParts {
    reader: Box<dyn FormatReader>,
    stream: u32,
    info: MediaInfo,
    timing: Timing,
    ending: EndOfAudio,
}

impl Opening<'_> {
    fn open_external(&self) -> Result<Pcm, MediaError> {
        let (info, decoder) = ffmpeg::open(
            self.media,
            self.container,
            self.requested_track,
            self.limits,
            self.stop,
        )?;
        let ending = EndOfAudio {
            is_cut: match self.container {
                Container::Mkv | Container::Webm => matroska::is_cut(self.media)?,
                Container::Avi => self.is_riff_cut()?,
                _ => false,
            },
            ..EndOfAudio::default()
        };
        Pcm::new(info, Box::new(decoder), ending, self.take, self.limits)
    }

    /// Whether the first RIFF chunk extends beyond the end of the file. Streaming writers leave no
    /// size or a huge one.
    fn is_riff_cut(&self) -> Result<bool, MediaError> {
        let size = self.media.read_at(4, 4)?;
        let size = size.try_into().map_or(0, u32::from_le_bytes);
        Ok(size < 0x7FFF_0000 && u64::from(size) + 8 > self.media.length())
    }

    fn natively(&self) -> Result<Pcm, MediaError> {
        let meter = Meter::new(self.limits.max_step_bytes);
        let found = catch_unwind(AssertUnwindSafe(|| match self.container {
            Container::Wav => self.wav(&meter),
            Container::Flac => self.flac(&meter),
            Container::Mp3 => self.mp3(&meter),
            Container::Ogg => self.ogg(&meter),
            Container::Mp4 | Container::Mov => self.mp4(&meter),
            Container::Mkv | Container::Webm => self.matroska(&meter),
            other => Err(MediaError::UnsupportedCodec {
                codec: other.as_str().to_owned(),
            }),
        }));
        let found = found
            .unwrap_or_else(|_| Err(MediaError::damaged("its header makes the reader fail")))?;
        let native = Native::new(
            found.reader,
            found.stream,
            found.timing,
            self.container,
            meter,
        )?;
        Pcm::new(
            found.info,
            Box::new(native),
            found.ending,
            self.take,
            self.limits,
        )
    }

    fn wav(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let wav = Wav::read(self.media, self.limits)?;
        if let Some(codec) = wav.external_codec() {
            return Err(MediaError::UnsupportedCodec {
                codec: codec.to_owned(),
            });
        }
        let reader = demuxer(wav.view(self.media, meter), WavReader::try_new)?;
        Ok(NativeParts {
            ending: EndOfAudio::declared(wav.declared_seconds()),
            ..self.single(reader)?
        })
    }

    fn flac(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let flac = Flac::read(self.media, mpeg::after_tags(self.media)?)?;
        let reader = demuxer(flac.view(self.media, meter), FlacReader::try_new)?;
        let found = self.single(reader)?;
        Ok(NativeParts {
            ending: EndOfAudio::declared(found.info.duration),
            ..found
        })
    }

    fn mp3(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let start = mpeg::after_tags(self.media)?;
        let view = View::part(self.media, meter, Vec::new(), start, self.media.length());
        let reader = demuxer(view, MpaReader::try_new)?;
        // Only an encoder's tag has a frame count; without one the length is estimated.
        let is_counted = reader
            .tracks()
            .first()
            .is_some_and(|track| track.delay.is_some());
        let found = self.single(reader)?;
        let rate = f64::from(found.info.tracks[found.info.track].rate.max(8_000));
        let unstated_delay = if is_counted {
            0.0
        } else {
            MP3_DECODER_DELAY / rate
        };
        Ok(NativeParts {
            timing: Timing::Shift(-unstated_delay),
            ending: EndOfAudio::declared(found.info.duration.filter(|_| is_counted)),
            ..found
        })
    }

    fn ogg(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let reader = demuxer(View::whole(self.media, meter), OggReader::try_new)?;
        let found = self.multiple(reader, Timing::FromFirstPacket, &[])?;
        Ok(NativeParts {
            ending: EndOfAudio {
                is_cut: ogg::is_cut(self.media)?,
                ..EndOfAudio::default()
            },
            ..found
        })
    }

    fn matroska(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let reader = demuxer(View::whole(self.media, meter), MkvReader::try_new)?;
        let entries = matroska::entries(self.media)?;
        let found = self.multiple(reader, Timing::FromFirstPacket, &entries)?;
        let ending = EndOfAudio {
            is_cut: matroska::is_cut(self.media)?,
            ..EndOfAudio::default()
        };
        Ok(NativeParts { ending, ..found })
    }

    fn mp4(&self, meter: &Meter) -> Result<NativeParts, MediaError> {
        let movie = Movie::read(self.media)?;
        let audio = movie.audio();
        self.check_tracks(audio.len())?;
        let tracks: Vec<Track> = audio
            .iter()
            .enumerate()
            .map(|(index, trak)| trak.describe(index))
            .collect();
        let track = info::choose(&tracks, self.requested_track)?;
        let trak: &Trak = audio[track];
        let placement = movie.placement(trak);
        if !movie.has_file_type || placement.is_intricate {
            // The demuxer requires a file type box and does not support complex edits.
            return Err(MediaError::UnsupportedCodec {
                codec: tracks[track].codec.clone(),
            });
        }
        let reader = demuxer(
            movie.view(self.media, meter, trak),
            |mut stream, options| {
                // The demuxer steps back over the four bytes that a probe would have read.
                stream.ignore_bytes(4)?;
                IsoMp4Reader::try_new(stream, options)
            },
        )?;
        let mut tracks = tracks;
        if let Some(stream) = reader.tracks().iter().find(|stream| stream.id == trak.id()) {
            let described = describe(stream, track);
            tracks[track].codec = described.codec;
        }
        let info = MediaInfo {
            container: self.container.as_str().to_owned(),
            codec: tracks[track].codec.clone(),
            duration: info::duration(movie.duration()),
            tracks,
            track,
            has_video: movie.has_video(),
        };
        let timing = Timing::Shift(placement.shift);
        Ok(NativeParts {
            reader,
            stream: trak.id(),
            info,
            timing,
            ending: EndOfAudio {
                exact: placement.end,
                ..EndOfAudio::default()
            },
        })
    }

    /// A container with one track whose times begin at zero.
    fn single(&self, reader: Box<dyn FormatReader>) -> Result<NativeParts, MediaError> {
        self.multiple(reader, Timing::Shift(0.0), &[])
    }

    fn multiple(
        &self,
        reader: Box<dyn FormatReader>,
        timing: Timing,
        entries: &[matroska::Entry],
    ) -> Result<NativeParts, MediaError> {
        let is_matroska = matches!(self.container, Container::Mkv | Container::Webm);
        let streams: Vec<&Stream> = reader
            .tracks()
            .iter()
            .filter(|stream| stream.track_type() == Some(TrackType::Audio))
            .collect();
        self.check_tracks(streams.len())?;
        let tracks: Vec<Track> = streams
            .iter()
            .enumerate()
            .map(|(index, stream)| {
                let mut matching = entries
                    .iter()
                    .filter(|entry| entry.number == u64::from(stream.id));
                Track {
                    title: matching.clone().find_map(|entry| entry.title.clone()),
                    default: is_matroska && !matching.any(|entry| entry.is_not_default),
                    ..describe(stream, index)
                }
            })
            .collect();
        let track = info::choose(&tracks, self.requested_track)?;
        let chosen = streams[track];
        let claimed = claimed_seconds(chosen).or_else(|| {
            let file = reader.media_info();
            file.time_base
                .zip(file.duration)
                .map(|(base, length)| base.calc_duration_saturating(length).as_secs_f64())
        });
        let info = MediaInfo {
            container: self.container.as_str().to_owned(),
            codec: tracks[track].codec.clone(),
            duration: info::duration(claimed),
            tracks,
            track,
            has_video: reader
                .tracks()
                .iter()
                .any(|stream| stream.track_type() == Some(TrackType::Video)),
        };
        let stream = chosen.id;
        Ok(NativeParts {
            reader,
            stream,
            info,
            timing,
            ending: EndOfAudio::default(),
        })
    }

    fn check_tracks(&self, count: usize) -> Result<(), MediaError> {
        if count == 0 {
            return Err(MediaError::NoAudioTrack {
                container: self.container.as_str().to_owned(),
            });
        }
        if count > self.limits.max_tracks {
            return Err(MediaError::damaged(format!(
                "it claims {count} audio tracks"
            )));
        }
        Ok(())
    }
}

/// Creates a demuxer over a view. Its "unsupported" errors become damage here, because the format
/// was recognised from the content.
fn demuxer<R: FormatReader + 'static>(
    view: View,
    make: impl FnOnce(MediaSourceStream<'static>, FormatOptions) -> Demuxed<R>,
) -> Result<Box<dyn FormatReader>, MediaError> {
    let stream = MediaSourceStream::new(Box::new(view), Default::default());
    match make(stream, FormatOptions::default()) {
        Ok(reader) => Ok(Box::new(reader)),
        Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Err(MediaError::damaged("its header is cut off"))
        }
        Err(Error::IoError(error)) if error.kind() != std::io::ErrorKind::Other => {
            Err(MediaError::io(&error))
        }
        Err(error) => Err(MediaError::damaged(error.to_string())),
    }
}

fn describe(stream: &Stream, index: usize) -> Track {
    let parameters = match &stream.codec_params {
        Some(CodecParameters::Audio(parameters)) => Some(parameters),
        _ => None,
    };
    Track {
        index,
        codec: parameters.map_or_else(|| "unknown".to_owned(), codec_name),
        channels: parameters
            .and_then(|p| p.channels.as_ref())
            .map_or(0, symphonia::core::audio::Channels::count),
        rate: parameters.and_then(|p| p.sample_rate).unwrap_or(0),
        language: info::language(stream.language.as_deref()),
        title: None,
        default: stream.flags.contains(TrackFlags::DEFAULT),
    }
}

fn claimed_seconds(stream: &Stream) -> Option<f64> {
    let (base, length) = stream.time_base.zip(stream.duration)?;
    Some(base.calc_duration_saturating(length).as_secs_f64())
}
