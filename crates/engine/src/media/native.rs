//! Demuxing and decoding in this process, by symphonia and libopus.
//!
//! Trimming is done here and in [`super::pcm`], not by the decoders: delay and padding in headers
//! are used only as far as they agree with the audio.

use std::sync::OnceLock;

use slovo_rules::upload::Container;
use symphonia::core::audio::AudioSpec;
use symphonia::core::codecs::CodecParameters;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_AAC, CODEC_ID_MP3, CODEC_ID_OPUS};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::codecs::registry::CodecRegistry;
use symphonia::core::errors::Error;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::packet::Packet;
use symphonia::core::units::{Duration, TimeBase, Timestamp};

use super::MediaError;
use super::mix::Mix;
use super::step::{Decoder, Frames, Step};

/// Samples in a frame of AAC-LC.
const AAC_PRIMING: f64 = 1024.0;

/// A symphonia demuxer and the decoder of one of its tracks.
pub(super) struct Native {
    reader: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    parameters: AudioCodecParameters,
    track: u32,
    time_base: Option<TimeBase>,
    timing: Timing,
    meter: super::source::Meter,
    spec: Option<(AudioSpec, Mix)>,
    tail: Option<Tail>,
    /// Whether the audio ends where the bytes end, as in streams without an index.
    ends_with_bytes: bool,
    is_ogg: bool,
    /// The delay of the Opus encoder in seconds.
    delay: f64,
}

/// How packet times are mapped to presentation times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Timing {
    /// Adds this many seconds (from MP4's edit list; 0 if times are already correct).
    Shift(f64),
    /// The first packet of any track is at time 0 (live streams start at an arbitrary time).
    FromFirstPacket,
    /// Packet times are no longer meaningful: the audio continues without gaps.
    Continuous,
}

/// Trailing samples of an MP3 file that the encoder's tag declares as padding.
struct Tail {
    padding: usize,
    withheld: Vec<f32>,
}

impl Native {
    /// A decoder for the track with the demuxer's id `track`.
    pub(super) fn new(
        reader: Box<dyn FormatReader>,
        track: u32,
        timing: Timing,
        container: Container,
        meter: super::source::Meter,
    ) -> Result<Self, MediaError> {
        let found = reader
            .tracks()
            .iter()
            .find(|candidate| candidate.id == track);
        let found =
            found.ok_or_else(|| MediaError::damaged("the audio track has no description"))?;
        let Some(CodecParameters::Audio(parameters)) = &found.codec_params else {
            return Err(MediaError::UnsupportedCodec {
                codec: "unknown".to_owned(),
            });
        };
        let mut parameters = parameters.clone();
        let is_opus = parameters.codec == CODEC_ID_OPUS;
        let delay = found
            .delay
            .filter(|_| is_opus)
            .map_or(0.0, |frames| f64::from(frames) / 48_000.0);
        forget_pre_skip(&mut parameters);
        let time_base = found.time_base;
        let padding = found.padding.filter(|_| container == Container::Mp3);
        let decoder = make_decoder(&parameters)?;
        meter.refill();
        Ok(Self {
            decoder,
            parameters,
            track,
            time_base,
            timing,
            meter,
            spec: None,
            tail: padding.map(|padding| Tail {
                padding: padding as usize,
                withheld: Vec::new(),
            }),
            ends_with_bytes: matches!(
                container,
                Container::Wav | Container::Mp3 | Container::Flac | Container::Ogg
            ),
            is_ogg: container == Container::Ogg,
            delay,
            reader,
        })
    }

    /// Handles the next link of a chained stream: its first audio track continues where the last
    /// ended.
    fn reset(&mut self) -> Step {
        let next = self.reader.first_track_known_codec(TrackType::Audio);
        let Some((id, Some(CodecParameters::Audio(parameters)))) =
            next.map(|track| (track.id, track.codec_params.clone()))
        else {
            return Step::End;
        };
        self.parameters = parameters;
        forget_pre_skip(&mut self.parameters);
        match make_decoder(&self.parameters) {
            Ok(decoder) => {
                self.decoder = decoder;
                self.track = id;
                self.timing = Timing::Continuous;
                Step::Idle
            }
            Err(_) => Step::Broken("the codec changes to one that is not supported".to_owned()),
        }
    }

    fn seconds(&self, at: Timestamp) -> Option<f64> {
        self.time_base?.calc_time(at).map(|time| time.as_secs_f64())
    }

    /// Time at which the packet's first decoded frame is heard, before trimming.
    fn time_of(&mut self, packet: &Packet) -> Option<f64> {
        match self.timing {
            Timing::Shift(shift) => self.seconds(packet.pts).map(|time| time + shift),
            Timing::FromFirstPacket | Timing::Continuous => None,
        }
    }

    fn settle_start(&mut self, packet: &Packet) {
        if self.timing == Timing::FromFirstPacket {
            let tracks = self.reader.tracks();
            let base = tracks
                .iter()
                .find(|track| track.id == packet.track_id)
                .and_then(|track| track.time_base);
            let first = base
                .and_then(|base| base.calc_time(packet.pts))
                .map_or(0.0, |time| time.as_secs_f64());
            // Ogg counts Opus from before the encoder's delay, Matroska from after it. An AAC track
            // whose times do not mention priming still has one frame of it.
            let has_unstated_priming = self.parameters.codec == CODEC_ID_AAC && first >= 0.0;
            let delay = match self.parameters.sample_rate {
                _ if self.is_ogg => self.delay,
                Some(rate) if has_unstated_priming => AAC_PRIMING / f64::from(rate.max(8_000)),
                _ => 0.0,
            };
            self.timing = Timing::Shift(-first.max(0.0) - delay);
        }
    }

    fn decode(&mut self, packet: &Packet, frames: &mut Frames) -> Step {
        let time = self.time_of(packet);
        let is_mp3 = self.parameters.codec == CODEC_ID_MP3;
        let decoded = match self.decoder.decode(packet) {
            Ok(decoded) => decoded,
            Err(Error::ResetRequired) => {
                self.decoder.reset();
                return Step::Bad;
            }
            Err(_) => return Step::Bad,
        };
        let spec = decoded.spec();
        if self.spec.as_ref().is_none_or(|(known, _)| known != spec) {
            let mix = Mix::of(spec.channels(), decoded.num_planes());
            self.spec = Some((spec.clone(), mix));
        }
        frames.rate = spec.rate();
        decoded.copy_to_vec_interleaved(&mut frames.samples);
        if let Some((_, mix)) = &self.spec {
            frames.mix.clone_from(mix);
        }
        // The other decoders have trimmed the start, so the audio begins later.
        let cut = if is_mp3 {
            Duration::ZERO
        } else {
            packet.trim_start
        };
        frames.time = time
            .zip(self.time_base)
            .map(|(time, base)| time + base.calc_duration_saturating(cut).as_secs_f64());
        if is_mp3 {
            self.hold_tail(packet, frames);
        }
        if frames.samples.is_empty() {
            Step::Idle
        } else {
            Step::Frames
        }
    }

    /// Holds back the padding declared by the encoder's tag until it is certain that no audio
    /// follows.
    fn hold_tail(&mut self, packet: &Packet, frames: &mut Frames) {
        let channels = frames.mix.channels();
        let Some(tail) = &mut self.tail else { return };
        let count = frames.samples.len() / channels;
        let padding = usize::try_from(packet.trim_end.get())
            .unwrap_or(usize::MAX)
            .min(count);
        if padding > 0 {
            let rest = frames.samples.split_off((count - padding) * channels);
            tail.withheld.extend_from_slice(&rest);
        }
        if tail.withheld.len() / channels > tail.padding + 1 {
            // There is more audio than the tag declares: the tag is wrong, and all of it is real.
            frames.samples.append(&mut tail.withheld);
            self.tail = None;
        }
    }
}

impl Decoder for Native {
    fn step(&mut self, frames: &mut Frames) -> Result<Step, MediaError> {
        let packet = match self.reader.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => return Ok(Step::End),
            Err(Error::ResetRequired) => return Ok(self.reset()),
            Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Ok(if self.ends_with_bytes {
                    Step::End
                } else {
                    Step::Broken("the file ends in the middle of its sound".to_owned())
                });
            }
            Err(_) if self.meter.is_exhausted() => {
                return Ok(Step::Broken(
                    "a part of the file is larger than any real one".to_owned(),
                ));
            }
            // An Ogg page with a wrong checksum is skipped.
            Err(Error::DecodeError(_)) if self.is_ogg => return Ok(Step::Bad),
            Err(error) => return Ok(Step::Broken(error.to_string())),
        };
        self.meter.refill();
        self.settle_start(&packet);
        if packet.track_id != self.track {
            return Ok(Step::Idle);
        }
        if packet.data.is_empty() {
            return Ok(if self.ends_with_bytes {
                Step::End
            } else {
                Step::Idle
            });
        }
        Ok(self.decode(&packet, frames))
    }
}

/// The decoders: symphonia's own and libopus.
fn codecs() -> &'static CodecRegistry {
    static CODECS: OnceLock<CodecRegistry> = OnceLock::new();
    CODECS.get_or_init(|| {
        let mut registry = CodecRegistry::new();
        symphonia::default::register_enabled_codecs(&mut registry);
        registry.register_audio_decoder::<symphonia_adapter_libopus::OpusDecoder>();
        registry
    })
}

fn make_decoder(parameters: &AudioCodecParameters) -> Result<Box<dyn AudioDecoder>, MediaError> {
    let options = AudioDecoderOptions::default().gapless(parameters.codec != CODEC_ID_MP3);
    codecs()
        .make_audio_decoder(parameters, &options)
        .map_err(|_| MediaError::UnsupportedCodec {
            codec: codec_name(parameters),
        })
}

/// The codec's name, short and in lower case.
pub(super) fn codec_name(parameters: &AudioCodecParameters) -> String {
    use symphonia::core::codecs::audio::well_known as known;
    if let Some(registered) = codecs().get_audio_decoder(parameters.codec) {
        return registered.codec.info.short_name.to_owned();
    }
    let name = match parameters.codec {
        known::CODEC_ID_AC3 => "ac3",
        known::CODEC_ID_EAC3 => "eac3",
        known::CODEC_ID_DCA => "dts",
        known::CODEC_ID_TRUEHD => "truehd",
        known::CODEC_ID_SPEEX => "speex",
        known::CODEC_ID_WAVPACK => "wavpack",
        known::CODEC_ID_TTA => "tta",
        _ => "unknown",
    };
    name.to_owned()
}

/// The libopus wrapper trims the pre-skip itself, whether or not the container's times already
/// account for it; with a pre-skip of zero only the times count.
fn forget_pre_skip(parameters: &mut AudioCodecParameters) {
    if parameters.codec == CODEC_ID_OPUS
        && let Some(skip) = parameters
            .extra_data
            .as_mut()
            .and_then(|head| head.get_mut(10..12))
    {
        skip.fill(0);
    }
}
