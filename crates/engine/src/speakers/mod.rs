//! Who speaks when, and who says which words.
//!
//! A segmentation model processes windows of ten seconds and finds where up to three voices speak,
//! also at the same time; it does not link voices across windows. Each stretch of one voice is cut
//! into pieces of at most 2.1 seconds, and a speaker embedding turns each into a vector. The
//! vectors are clustered into speakers, and every piece is assigned to the most similar speaker.
//! Memory is one window and some vectors of 200 numbers a minute: about 20 MB for ten hours of
//! speech.
//!
//! Tuned parameters and the data that they were tuned on: `docs/ACCURACY.md`.

mod assign;
mod clustering;
mod embedding;
mod front_end;
mod network;
mod pieces;
mod segmentation;
mod turns;
mod voices;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cancel::{CancelToken, Stop};
use crate::error::EngineError;
use crate::media::{self, ChannelSelection};
use crate::models;
use crate::shared::Shared;

pub use assign::assign;
pub use front_end::{FrontEnd, Mel, Shape};
pub use slovo_rules::settings::SpeakerCount;
pub(crate) use voices::run as describe_voices;
pub use voices::{MIN_VOICE_SECONDS, Voice, VoicesRequest, mean, similarity};

use clustering::Clustering;
use embedding::Embedding;
use network::Network;
use pieces::{PieceCollector, VoiceStretch};

/// The cosine above which two groups of pieces are one speaker, for the engine's own embedding. Any
/// value from 0.32 to 0.40 gives the same result on the tuning data (made conversations and one
/// sample).
const THRESHOLD: f32 = 0.34;

/// One diarization request.
#[derive(Clone, Debug)]
pub struct SpeakersRequest {
    /// The media file.
    pub input: PathBuf,
    /// The audio track, from 0; `None` for the file's default track.
    pub audio_track: Option<usize>,
    /// The number of speakers, if known.
    pub count: SpeakerCount,
}

/// Events of a running diarization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeakersEvent {
    /// How far the run has got.
    Progress {
        /// 0 to 100, never decreasing; 0 while the length is unknown.
        percent: f32,
    },
}

/// A stretch in which one speaker speaks. Turns of different speakers may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// Number of the speaker, from 0 by first appearance.
    pub speaker: usize,
}

/// Percent of the total time for segmentation and embedding; clustering is quick.
const EMBEDDING_PERCENT: f64 = 98.0;

/// Finds the turns of a recording, in order of start.
pub(crate) fn run(
    shared: &Shared,
    request: &SpeakersRequest,
    cancel: &CancelToken,
    events: &mut dyn FnMut(SpeakersEvent),
) -> Result<Vec<Turn>, EngineError> {
    let stop = Stop::new(cancel);
    if stop.is_set() {
        return Err(EngineError::Cancelled);
    }
    let segmentation = file(shared, models::SPEAKER_SEGMENTATION)?;
    let segmentation = load(segmentation, None)?;
    let embedding = embedding(shared)?;
    let threshold = embedding.description().threshold;
    let mut pcm = open(shared, &request.input, request.audio_track, &stop)?;
    let total = pcm.info().duration.filter(|seconds| *seconds > 0.0);
    let mut collector = PieceCollector::new(&segmentation, &embedding);
    let mut reported = 0.0;
    loop {
        let block = pcm.next_block();
        if stop.is_set() {
            return Err(EngineError::Cancelled);
        }
        let Some(block) = block? else { break };
        collector
            .push(&block.samples)
            .map_err(EngineError::Recognition)?;
        let share = total.map_or(0.0, |total| block.start_seconds / total);
        let percent = (share * EMBEDDING_PERCENT).clamp(reported, EMBEDDING_PERCENT);
        if percent >= reported + 1.0 {
            reported = percent;
            events(SpeakersEvent::Progress {
                percent: percent as f32,
            });
        }
    }
    let (pieces, seconds) = collector.finish().map_err(EngineError::Recognition)?;
    let turns = cluster_into_turns(&pieces, seconds, request.count, threshold);
    events(SpeakersEvent::Progress { percent: 100.0 });
    Ok(turns)
}

/// Opens a recording as the mix of its channels.
fn open(
    shared: &Shared,
    input: &Path,
    audio_track: Option<usize>,
    stop: &Stop,
) -> Result<media::Pcm, EngineError> {
    let limits = &shared.config.limits;
    match media::open_until(input, audio_track, ChannelSelection::Mix, limits, stop) {
        _ if stop.is_set() => Err(EngineError::Cancelled),
        opened => Ok(opened?),
    }
}

/// Clusters pieces into turns.
fn cluster_into_turns(
    pieces: &[VoiceStretch],
    seconds: f64,
    count: SpeakerCount,
    threshold: f32,
) -> Vec<Turn> {
    let mut clustering = Clustering::default();
    let mut pushed = 0;
    for piece in pieces {
        if let Some(vector) = piece.vector.as_ref().filter(|_| piece.is_long_enough()) {
            clustering.push(vector, piece.seconds);
            pushed += 1;
        }
    }
    if pushed == 0 {
        for piece in pieces {
            if let Some(vector) = &piece.vector {
                clustering.push(vector, piece.seconds);
            }
        }
    }
    let threshold = threshold.min(pieces::similarity_within_voices(pieces));
    let speakers = clustering.speakers(count, threshold);
    if speakers.is_empty() {
        return turns::of_one_speaker(pieces, seconds);
    }
    turns::from_pieces(pieces, &speakers, seconds)
}

/// Name of the embedding: vectors of different embeddings cannot be compared.
fn embedding_name(shared: &Shared) -> String {
    let configured = shared.config.speaker_embedding.as_deref();
    let name = configured.and_then(Path::file_stem);
    name.map_or_else(
        || models::SPEAKER_EMBEDDING.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// The configured embedding, or the engine's own.
fn embedding(shared: &Shared) -> Result<Embedding, EngineError> {
    let Some(path) = &shared.config.speaker_embedding else {
        let path = file(shared, models::SPEAKER_EMBEDDING)?;
        return Ok(Embedding::new(load(path, None)?, FrontEnd::default()));
    };
    let description_path = path.with_extension("json");
    let description = std::fs::read(&description_path)
        .map_err(|error| error.to_string())
        .and_then(|json| FrontEnd::read(&json))
        .map_err(|reason| EngineError::ModelUnusable {
            path: description_path,
            reason,
        })?;
    let network = load(path.clone(), description.input.as_deref())?;
    Ok(Embedding::new(network, description))
}

fn file(shared: &Shared, id: &str) -> Result<PathBuf, EngineError> {
    let name = models::find(id).map_or_else(|| models::file_name(id), models::Model::file_name);
    let path = shared.config.models_dir.join(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(EngineError::ModelMissing {
            id: id.to_owned(),
            path,
        })
    }
}

fn load(path: PathBuf, input: Option<&str>) -> Result<Network, EngineError> {
    Network::load(&path, input).map_err(|reason| EngineError::ModelUnusable { path, reason })
}
