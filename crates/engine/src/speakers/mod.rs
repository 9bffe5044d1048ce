//! Who speaks when, and whose the words are.
//!
//! The sound is heard in windows of ten seconds by a segmentation model, which finds where
//! up to three voices speak, also at once, but does not know them again in the next window.
//! Each of their runs is cut into pieces of at most 2.1 seconds, of which a speaker
//! embedding makes vectors; the vectors are joined into speakers, and every piece goes to
//! the speaker it is most like. Memory is one window and some vectors of 200 numbers a
//! minute: ten hours of speech take about 20 MB.
//!
//! What was tuned, and on what, is in `docs/ACCURACY.md`.

mod assign;
mod clustering;
mod front_end;
mod network;
mod pieces;
mod segmentation;
mod turns;

use std::path::PathBuf;

use crate::cancel::{CancelToken, Stop};
use crate::error::EngineError;
use crate::media::{self, Take};
use crate::models;
use crate::shared::Shared;

pub use assign::assign;
pub use front_end::{FrontEnd, Mel, Shape};
pub use slovo_rules::settings::SpeakerCount;

use clustering::Clustering;
use front_end::FilterBank;
use network::Network;
use pieces::{Listener, Piece};

/// The cosine above which two groups of pieces are one speaker, for the embedding that
/// comes with the engine. Between 0.32 and 0.40 the made conversations and the sample that it
/// was tuned on stay as they are.
const THRESHOLD: f32 = 0.34;

/// One search for speakers.
#[derive(Clone, Debug)]
pub struct SpeakersRequest {
    /// The media file.
    pub input: PathBuf,
    /// The audio track to take; the file's default one if `None`.
    pub audio_track: Option<usize>,
    /// How many speakers there are.
    pub count: SpeakerCount,
}

/// What a running search tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeakersEvent {
    /// How far it is.
    Progress {
        /// 0 to 100, never falling; 0 while the length is unknown.
        percent: f32,
    },
}

/// A stretch in which somebody speaks. Turns of different speakers may overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// Number of the speaker, from 0 by first appearance.
    pub speaker: usize,
}

/// Part of the whole that hearing takes; joining is quick.
const HEARING: f64 = 98.0;

/// Finds the turns of a recording, in the order of their starts.
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
    let (embedding, description) = embedding(shared)?;
    let threshold = description.threshold;
    let mut pcm = match media::open_until(
        &request.input,
        request.audio_track,
        Take::Mix,
        &shared.config.limits,
        &stop,
    ) {
        _ if stop.is_set() => return Err(EngineError::Cancelled),
        opened => opened?,
    };
    let total = pcm.info().duration.filter(|seconds| *seconds > 0.0);
    let bank = FilterBank::new(description);
    let mut listener = Listener::new(&segmentation, &embedding, bank);
    let mut told = 0.0;
    loop {
        let block = pcm.next_block();
        if stop.is_set() {
            return Err(EngineError::Cancelled);
        }
        let Some(block) = block? else { break };
        listener
            .push(&block.samples)
            .map_err(EngineError::Recognition)?;
        let share = total.map_or(0.0, |total| block.start_seconds / total);
        let percent = (share * HEARING).clamp(told, HEARING);
        if percent >= told + 1.0 {
            told = percent;
            events(SpeakersEvent::Progress {
                percent: percent as f32,
            });
        }
    }
    let (pieces, seconds) = listener.finish().map_err(EngineError::Recognition)?;
    let turns = who(&pieces, seconds, request.count, threshold);
    events(SpeakersEvent::Progress { percent: 100.0 });
    Ok(turns)
}

/// Pieces into turns.
fn who(pieces: &[Piece], seconds: f64, count: SpeakerCount, threshold: f32) -> Vec<Turn> {
    let mut clustering = Clustering::default();
    let mut pushed = 0;
    for piece in pieces {
        if let Some(vector) = piece.vector.as_ref().filter(|_| piece.is_telling()) {
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
    let speakers = clustering.speakers(count, threshold);
    turns::of(pieces, &speakers, seconds)
}

/// The embedding that the configuration names, or the engine's own.
fn embedding(shared: &Shared) -> Result<(Network, FrontEnd), EngineError> {
    let Some(path) = &shared.config.speaker_embedding else {
        let path = file(shared, models::SPEAKER_EMBEDDING)?;
        return Ok((load(path, None)?, FrontEnd::default()));
    };
    let described = path.with_extension("json");
    let description = std::fs::read(&described)
        .map_err(|error| error.to_string())
        .and_then(|json| FrontEnd::read(&json))
        .map_err(|reason| EngineError::ModelUnusable {
            path: described,
            reason,
        })?;
    let network = load(path.clone(), description.input.as_deref())?;
    Ok((network, description))
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
