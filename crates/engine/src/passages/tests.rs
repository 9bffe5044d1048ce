use super::*;

const UK: usize = 0;
const RU: usize = 1;
const EN: usize = 2;

fn sample(time: f64) -> u64 {
    (time * SAMPLE_RATE as f64).round() as u64
}

fn window(voiced: &[(f64, f64)]) -> Window {
    let voiced: Vec<(u64, u64)> = voiced
        .iter()
        .map(|&(from, to)| (sample(from), sample(to)))
        .collect();
    Window {
        index: 3,
        start: voiced.first().map_or(0, |region| region.0 - PADDING),
        end: voiced.last().map_or(0, |region| region.1 + PADDING),
        voiced,
        forced_start: None,
        forced_end: false,
    }
}

/// Probabilities of Ukrainian, Russian and English.
fn shares(all: &[[f32; 3]]) -> Vec<Vec<f32>> {
    all.iter().map(|shares| shares.to_vec()).collect()
}

fn languages(pieces: &[WindowPart]) -> Vec<usize> {
    pieces.iter().map(|piece| piece.languages[0].0).collect()
}

#[test]
fn passages_end_at_pauses_and_have_enough_speech() {
    let found = passages(&window(&[(1.0, 3.0), (3.2, 5.0), (5.5, 8.0)]));
    assert_eq!(found, [0..2, 2..3], "0.2 s is no pause");
    let found = passages(&window(&[(1.0, 1.5), (2.0, 4.0), (5.0, 8.0)]));
    assert_eq!(found, [0..2, 2..3], "half a second is too short");
    let found = passages(&window(&[(1.0, 4.0), (5.0, 5.4)]));
    assert_eq!(found.len(), 1, "nor is it a passage at the end");
    let found = passages(&window(&[(1.0, 1.2)]));
    assert_eq!(found.len(), 1);
}

#[test]
fn parts_of_a_window_share_the_pauses_and_do_not_overlap() {
    let window = Window {
        forced_start: Some(sample(1.0)),
        forced_end: true,
        ..window(&[(1.0, 3.0), (3.2, 5.0), (9.0, 10.0)])
    };
    let parts: Vec<Window> = [0..1, 1..2, 2..3]
        .map(|regions| part(&window, &regions))
        .to_vec();
    let ends: Vec<(u64, u64)> = parts.iter().map(|part| (part.start, part.end)).collect();
    assert_eq!(
        ends,
        [
            (window.start, sample(3.1)),
            (sample(3.1), sample(5.2)),
            (sample(8.8), window.end)
        ]
    );
    assert_eq!(parts[0].forced_start, window.forced_start);
    assert!(!parts[0].forced_end && parts[1].forced_start.is_none() && parts[2].forced_end);
    assert!(
        parts
            .iter()
            .all(|part| part.index == 3 && part.voiced.len() == 1)
    );
}

#[test]
fn the_whole_window_is_a_part_of_itself() {
    let window = window(&[(1.0, 3.0), (3.5, 5.0)]);
    assert_eq!(part(&window, &(0..2)), window);
}

#[test]
fn a_window_is_divided_where_the_language_changes() {
    let window = window(&[(0.5, 6.0), (6.5, 12.0), (13.0, 19.0), (20.0, 26.0)]);
    let passages = passages(&window);
    let probabilities = shares(&[
        [0.97, 0.02, 0.01],
        [0.95, 0.04, 0.01],
        [0.0, 0.001, 0.999],
        [0.02, 0.98, 0.0],
    ]);
    let found = pieces(&window, &passages, &probabilities, None);
    assert_eq!(languages(&found), [UK, EN, RU]);
    assert_eq!(found[0].window.voiced.len(), 2);
    assert_eq!(found[2].window.end, window.end);
}

#[test]
fn a_doubtful_passage_takes_the_language_around_it() {
    let window = window(&[(0.5, 6.0), (6.5, 9.0), (10.0, 16.0)]);
    let passages = passages(&window);
    let probabilities = shares(&[[0.97, 0.02, 0.01], [0.1, 0.9, 0.0], [0.98, 0.02, 0.0]]);
    let found = pieces(&window, &passages, &probabilities, None);
    assert_eq!(languages(&found), [UK]);
}

#[test]
fn a_clear_passage_keeps_its_language() {
    let window = window(&[(0.5, 6.0), (6.5, 9.0), (10.0, 16.0)]);
    let passages = passages(&window);
    let probabilities = shares(&[
        [0.97, 0.02, 0.01],
        [0.0004, 0.0004, 0.999],
        [0.98, 0.02, 0.0],
    ]);
    let found = pieces(&window, &passages, &probabilities, None);
    assert_eq!(languages(&found), [UK, EN, UK]);
}

#[test]
fn another_language_than_the_expected_one_needs_more_evidence() {
    let window = window(&[(0.5, 3.5)]);
    let passages = passages(&window);
    let expected = Some(LanguagePrior {
        language: UK,
        probability: 0.9,
    });
    let doubtful = shares(&[[0.03, 0.97, 0.0]]);
    assert_eq!(
        languages(&pieces(&window, &passages, &doubtful, None)),
        [RU]
    );
    let found = pieces(&window, &passages, &doubtful, expected);
    let candidates: Vec<usize> = found[0].languages.iter().map(|(place, _)| *place).collect();
    assert_eq!(candidates.len(), 2, "both texts are compared: {found:?}");
    assert!(candidates.contains(&UK) && candidates.contains(&RU));
    let clear = shares(&[[0.0, 0.0, 1.0]]);
    assert_eq!(
        languages(&pieces(&window, &passages, &clear, expected)),
        [EN]
    );
}

#[test]
fn short_audio_is_less_certain_than_long_audio() {
    let probabilities = shares(&[[0.03, 0.97, 0.0]]);
    assert_eq!(ranked(&probabilities, 10.0, None).len(), 1);
    let short = ranked(&probabilities, 3.0, None);
    assert_eq!((short[0].0, short[1].0), (RU, UK));
    assert!(short[0].1 > short[1].1);
    let clear = shares(&[[0.0, 0.001, 0.999]]);
    assert_eq!(ranked(&clear, 3.0, None).len(), 1);
}

#[test]
fn nothing_in_gives_nothing_out() {
    assert!(passages(&window(&[])).is_empty());
    assert_eq!(ranked(&[], 3.0, None), []);
    assert_eq!(pieces(&window(&[]), &[], &[], None), []);
}
