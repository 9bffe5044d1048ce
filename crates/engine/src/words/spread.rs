//! Times of tokens that were not aligned: the text is spread over the voiced sound, and
//! ends of sentences and clauses are moved to the pauses they most likely stand for.

use crate::recognition::Token;
use crate::vad::SAMPLE_RATE;
use crate::windows::Window;

/// An end of a sentence is looked for this far from where it would stand, in seconds.
const REACH: f64 = 2.0;

/// A pause this much longer outweighs one second of distance, in seconds.
const PAUSE_WEIGHT: f64 = 0.6;

/// What a punctuation mark counts for in letters: the breath after it.
const MARK_WEIGHT: f64 = 1.0;

/// For each token the seconds from the window's beginning at which it ends.
pub(super) fn token_ends(tokens: &[Token], window: &Window) -> Vec<f64> {
    let voice = Voice::new(window);
    let weights: Vec<f64> = tokens.iter().map(|token| weight(&token.bytes)).collect();
    let total: f64 = weights.iter().sum();
    if total <= 0.0 || voice.length <= 0.0 {
        return vec![0.0; tokens.len()];
    }
    let mut ends = Vec::with_capacity(tokens.len());
    // Both in seconds of voice: what is placed, and where the rest begins.
    let (mut placed_weight, mut placed) = (0.0, 0.0);
    let mut open: Vec<f64> = Vec::new();
    for (token, &own) in tokens.iter().zip(&weights) {
        open.push(own);
        if !ends_clause(&token.bytes) {
            continue;
        }
        let sum: f64 = open.iter().sum();
        let rest = total - placed_weight;
        let expected = placed + (voice.length - placed) * sum / rest;
        let Some(pause) = voice.pause_near(expected, placed) else {
            continue;
        };
        fill(&mut ends, &open, placed, pause, &voice);
        placed_weight += sum;
        placed = pause;
        open.clear();
    }
    fill(&mut ends, &open, placed, voice.length, &voice);
    ends
}

/// Spreads tokens evenly between two places of the voice.
fn fill(ends: &mut Vec<f64>, weights: &[f64], from: f64, to: f64, voice: &Voice) {
    let sum: f64 = weights.iter().sum::<f64>().max(1e-9);
    let mut done = 0.0;
    for weight in weights {
        done += weight;
        ends.push(voice.time(from + (to - from) * done / sum));
    }
}

fn weight(bytes: &[u8]) -> f64 {
    match std::str::from_utf8(bytes) {
        Ok(text) => text
            .chars()
            .map(|c| if c.is_alphanumeric() { 1.0 } else if c == ' ' { 0.3 } else { MARK_WEIGHT })
            .sum(),
        // Half a character.
        Err(_) => 0.5,
    }
}

fn ends_clause(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| text.ends_with(['.', '?', '!', '…', ',', ';', ':', '。', '？', '！', '、', '，']))
}

/// The voiced sound of a window as one line without pauses.
struct Voice {
    /// (place on the line, seconds from the window's beginning, length) per region.
    regions: Vec<(f64, f64, f64)>,
    length: f64,
}

impl Voice {
    fn new(window: &Window) -> Self {
        let seconds = |sample: u64| sample.saturating_sub(window.start) as f64 / SAMPLE_RATE as f64;
        let mut length = 0.0;
        let mut regions = Vec::with_capacity(window.voiced.len());
        for &(start, end) in &window.voiced {
            let (start, end) = (seconds(start), seconds(end));
            regions.push((length, start, end - start));
            length += end - start;
        }
        Self { regions, length }
    }

    /// The time of a place on the line; the end of a region where two meet.
    fn time(&self, place: f64) -> f64 {
        let after = self.regions.partition_point(|(from, _, _)| *from < place);
        let (from, start, length) = self.regions[after.saturating_sub(1)];
        start + (place - from).clamp(0.0, length)
    }

    /// The place of the pause that an end expected at `expected` most likely is.
    fn pause_near(&self, expected: f64, after: f64) -> Option<f64> {
        let cost = |place: f64, pause: f64| (place - expected).abs() - pause.min(1.5) / PAUSE_WEIGHT;
        self.regions
            .windows(2)
            .map(|pair| (pair[1].0, pair[1].1 - (pair[0].1 + pair[0].2)))
            .filter(|(place, _)| *place > after + 0.1 && (place - expected).abs() <= REACH)
            .min_by(|a, b| cost(a.0, a.1).total_cmp(&cost(b.0, b.1)))
            .map(|(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(voiced: &[(f64, f64)]) -> Window {
        let sample = |seconds: f64| (seconds * SAMPLE_RATE as f64) as u64;
        Window {
            index: 0,
            start: sample(10.0),
            end: sample(40.0),
            voiced: voiced.iter().map(|&(from, to)| (sample(10.0 + from), sample(10.0 + to))).collect(),
            forced_start: None,
            forced_end: false,
        }
    }

    fn ends(text: &[&str], voiced: &[(f64, f64)]) -> Vec<f64> {
        let tokens: Vec<Token> = text
            .iter()
            .map(|text| Token { bytes: text.as_bytes().to_vec(), end: None, probability: 1.0 })
            .collect();
        token_ends(&tokens, &window(voiced))
    }

    #[test]
    fn a_sentence_ends_at_the_pause_near_it() {
        let made = ends(&[" One", " two", " three", ".", " Four", " five", " six", "."], &[(0.2, 2.2), (3.2, 4.4)]);
        assert!((made[3] - 2.2).abs() < 1e-6, "{made:?}");
        assert!(made[4] > 3.2 && made[7] <= 4.4 + 1e-6);
    }

    #[test]
    fn times_rise_and_stay_in_the_voice() {
        let made = ends(&[" a", " bc", ",", " d", " e", "."], &[(0.5, 1.0), (1.2, 3.0)]);
        assert!(made.windows(2).all(|pair| pair[0] <= pair[1]), "{made:?}");
        assert!(made[0] > 0.5 && made[5] <= 3.0 + 1e-6);
    }

    #[test]
    fn no_voice_or_no_text_is_no_failure() {
        assert_eq!(ends(&[" a"], &[]), [0.0]);
        assert_eq!(ends(&[], &[(0.0, 1.0)]), [0.0; 0]);
    }
}
