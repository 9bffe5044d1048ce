//! Assigns pieces to speakers and joins them into turns.

use std::collections::HashMap;

use super::Turn;
use super::clustering::dot;
use super::pieces::VoiceStretch;

/// Weight of the other pieces of the same voice in the window, relative to the piece itself.
const NEIGHBOURS: f32 = 0.3;
/// Seconds over which that weight falls to a third.
const REACH: f64 = 2.0;
/// A pause of one speaker shorter than this, in seconds, does not end the turn.
const PAUSE: f64 = 0.8;
/// Seconds by which turns are extended at both ends, unless another speaker speaks there: the
/// segmentation model cuts off soft beginnings and ends.
const PADDING: f64 = 0.1;

/// The turns, in order of start; speakers are numbered by first appearance.
pub(super) fn from_pieces(
    pieces: &[VoiceStretch],
    speakers: &[Vec<f32>],
    seconds: f64,
) -> Vec<Turn> {
    join(pieces, &owners(pieces, speakers), seconds)
}

/// The turns if no voice can be told from another: every piece is of one speaker.
pub(super) fn of_one_speaker(pieces: &[VoiceStretch], seconds: f64) -> Vec<Turn> {
    join(pieces, &vec![Some(0); pieces.len()], seconds)
}

/// Joins the pieces of each speaker; pieces without a speaker are dropped.
fn join(pieces: &[VoiceStretch], owners: &[Option<usize>], seconds: f64) -> Vec<Turn> {
    let speakers = owners.iter().flatten().max().map_or(0, |last| last + 1);
    let mut stretches: Vec<Vec<(f64, f64)>> = vec![Vec::new(); speakers];
    for (piece, speaker) in pieces.iter().zip(owners) {
        if let Some(speaker) = speaker {
            stretches[*speaker].push((piece.start, piece.end));
        }
    }
    let mut turns = Vec::new();
    for (speaker, mut stretches) in stretches.into_iter().enumerate() {
        stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = turns.len();
        for (start, end) in stretches {
            match turns[first..].last_mut() {
                Some(Turn { end: last, .. }) if start - *last <= PAUSE => *last = last.max(end),
                _ => turns.push(Turn {
                    start,
                    end,
                    speaker,
                }),
            }
        }
    }
    turns.sort_by(|a, b| a.start.total_cmp(&b.start));
    pad(&mut turns, seconds);
    number(&mut turns);
    turns
}

/// The most similar speaker of each piece, also considering its neighbours of the same voice.
fn owners(pieces: &[VoiceStretch], speakers: &[Vec<f32>]) -> Vec<Option<usize>> {
    let mut voices: HashMap<(u32, usize), Vec<usize>> = HashMap::new();
    for (place, piece) in pieces.iter().enumerate() {
        if piece.vector.is_some() {
            let key = (piece.window, piece.voice);
            voices.entry(key).or_default().push(place);
        }
    }
    let similarities: Vec<Vec<f32>> = pieces
        .iter()
        .map(|piece| {
            piece.vector.as_ref().map_or_else(Vec::new, |vector| {
                let similarity = speakers.iter().map(|speaker| dot(speaker, vector));
                similarity
                    .map(|similarity| similarity * piece.seconds.min(2.0))
                    .collect()
            })
        })
        .collect();
    let middle = |place: usize| f64::midpoint(pieces[place].start, pieces[place].end);
    (0..pieces.len())
        .map(|place| {
            let mut scores = vec![0.0_f32; speakers.len()];
            let mut has_vector = false;
            let key = (pieces[place].window, pieces[place].voice);
            for &other in voices.get(&key).into_iter().flatten() {
                let share = if other == place {
                    1.0
                } else {
                    let distance = (middle(other) - middle(place)).abs();
                    NEIGHBOURS * (-distance / REACH).exp() as f32
                };
                for (score, similarity) in scores.iter_mut().zip(&similarities[other]) {
                    *score += share * similarity;
                }
                has_vector = true;
            }
            let scores = scores.iter().enumerate().filter(|_| has_vector);
            scores
                .max_by(|a, b| a.1.total_cmp(b.1))
                .map(|(speaker, _)| speaker)
        })
        .collect()
}

/// Extends turns, at most halfway to the next speech.
fn pad(turns: &mut [Turn], seconds: f64) {
    let original = turns.to_vec();
    let mut speech_until = 0.0_f64;
    for (place, turn) in turns.iter_mut().enumerate() {
        let now = original[place];
        let before = (now.start - speech_until).max(0.0);
        let room = if place == 0 { before } else { before / 2.0 };
        turn.start = now.start - room.min(PADDING);
        speech_until = speech_until.max(now.end);
        let next = original[place + 1..]
            .first()
            .map_or(f64::INFINITY, |next| next.start);
        let room = ((next - now.end) / 2.0).max(0.0);
        turn.end = (now.end + room.min(PADDING))
            .min(seconds)
            .max(now.end.min(seconds));
    }
    turns.sort_by(|a, b| a.start.total_cmp(&b.start));
}

/// Numbers the speakers by first appearance.
fn number(turns: &mut [Turn]) {
    let mut order: Vec<usize> = Vec::new();
    for turn in turns {
        let known = order.iter().position(|known| *known == turn.speaker);
        turn.speaker = known.unwrap_or_else(|| {
            order.push(turn.speaker);
            order.len() - 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(start: f64, end: f64, voice: usize, vector: Option<[f32; 2]>) -> VoiceStretch {
        VoiceStretch {
            start,
            end,
            window: (start / 8.0) as u32,
            voice,
            seconds: (end - start) as f32,
            vector: vector.map(|vector| vector.to_vec()),
        }
    }

    fn speakers() -> Vec<Vec<f32>> {
        vec![vec![1.0, 0.0], vec![0.0, 1.0]]
    }

    #[test]
    fn pieces_become_turns_numbered_by_first_appearance() {
        let pieces = [
            piece(1.0, 2.0, 0, Some([0.1, 0.9])),
            piece(2.0, 3.0, 0, Some([0.1, 0.9])),
            piece(5.0, 6.0, 1, Some([0.9, 0.1])),
        ];
        let turns = from_pieces(&pieces, &speakers(), 6.0);
        assert_eq!(turns.len(), 2);
        assert_eq!((turns[0].speaker, turns[1].speaker), (0, 1));
        assert!((turns[0].start - 0.9).abs() < 1e-9 && (turns[0].end - 3.1).abs() < 1e-9);
        assert!((turns[1].end - 6.0).abs() < 1e-9, "not beyond the end");
    }

    #[test]
    fn a_piece_without_a_vector_joins_its_voice_or_is_dropped() {
        let pieces = [
            piece(1.0, 2.0, 0, Some([0.0, 1.0])),
            piece(2.5, 2.7, 0, None),
            piece(4.0, 4.2, 1, None),
        ];
        let turns = from_pieces(&pieces, &speakers(), 9.0);
        assert_eq!(turns.len(), 1);
        assert!((turns[0].end - 2.8).abs() < 1e-9);
    }

    #[test]
    fn overlapping_turns_stay_and_are_not_padded_into_each_other() {
        let pieces = [
            piece(1.0, 3.0, 0, Some([1.0, 0.0])),
            piece(2.0, 4.0, 1, Some([0.0, 1.0])),
            piece(4.1, 5.0, 0, Some([1.0, 0.0])),
        ];
        let turns = from_pieces(&pieces, &speakers(), 9.0);
        assert_eq!(turns.len(), 3);
        assert!((turns[0].end - 3.0).abs() < 1e-9);
        assert!((turns[1].start - 2.0).abs() < 1e-9);
        assert!(turns[1].end <= turns[2].start);
    }

    #[test]
    fn without_speakers_there_are_no_turns() {
        assert!(from_pieces(&[], &[], 3.0).is_empty());
        assert!(from_pieces(&[piece(0.0, 1.0, 0, None)], &[], 3.0).is_empty());
    }

    #[test]
    fn voices_that_cannot_be_told_apart_are_one_speaker() {
        let pieces = [piece(1.0, 1.3, 0, None), piece(5.0, 5.3, 1, None)];
        let turns = of_one_speaker(&pieces, 9.0);
        assert_eq!(turns.len(), 2);
        assert!(turns.iter().all(|turn| turn.speaker == 0));
        assert!(of_one_speaker(&[], 9.0).is_empty());
    }
}
