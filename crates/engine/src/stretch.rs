//! Recognition of a part of a recording. The pipeline treats what it listens to as a recording of
//! its own; its times are moved here.

use slovo_rules::removed::Removed;
use slovo_rules::transcript::{Segment, Transcript};

use crate::cancel::CancelToken;
use crate::error::EngineError;
use crate::event::Event;
use crate::media::SAMPLE_RATE;
use crate::pipeline;
use crate::request::Request;
use crate::shared::Shared;
use crate::stretch_audio::StretchAudio;

/// Runs a request for a recording or a part of one; events are reported on the calling thread.
pub(crate) fn run(
    shared: &Shared,
    request: &Request,
    cancel: &CancelToken,
    events: &mut dyn FnMut(Event),
) -> Result<Transcript, EngineError> {
    let Some(stretch) = &request.stretch else {
        return pipeline::run(shared, request, cancel, events);
    };
    let stretch_audio = StretchAudio::of(stretch);
    let moved = stretch_audio.from as f64 / f64::from(SAMPLE_RATE);
    let mut transcript = pipeline::run(shared, request, cancel, &mut |event| {
        events(event_moved(event, moved));
    })?;
    transcript.duration = transcript.duration.min(stretch.end - stretch.start);
    move_segments(&mut transcript.segments, moved);
    move_removed(&mut transcript.removed, moved);
    Ok(transcript)
}

fn event_moved(mut event: Event, by: f64) -> Event {
    match &mut event {
        Event::Segments(segments) => move_segments(segments, by),
        Event::Removed(removed) => move_removed(removed, by),
        // A chunk's samples and words stay as the pipeline needs them to resume.
        Event::Chunk(_)
        | Event::Opened { .. }
        | Event::Language { .. }
        | Event::Progress { .. }
        | Event::Peaks { .. }
        | Event::Warning(_) => {}
    }
    event
}

fn move_segments(segments: &mut [Segment], by: f64) {
    for segment in segments {
        segment.start += by;
        segment.end += by;
        for word in &mut segment.words {
            word.start += by;
            word.end += by;
        }
    }
}

fn move_removed(removed: &mut [Removed], by: f64) {
    for passage in removed {
        passage.start += by;
        passage.end += by;
    }
}
