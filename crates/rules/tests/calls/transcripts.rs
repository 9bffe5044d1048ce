//! Editing, searching, subtitles.

use serde_json::{Value, json};
use slovo_rules::edit::{self, EditedSegment, Speaker};
use slovo_rules::subtitles::cues::{SpeechContext, claimed_interval};
use slovo_rules::{search, share, subtitles};

use super::{json as written, number, read, text, verdict};

pub fn calls(name: &str, args: &[Value]) -> Option<Value> {
    let segment = || read::<EditedSegment>(&args[0]);
    Some(match name {
        "retime" => written(edit::retime(&segment(), text(&args[1]))),
        "cleanText" => written(edit::clean(text(&args[0]))),
        "splitSegment" => {
            let (at, part) = (read(&args[1]), read(&args[3]));
            edit::split(&segment(), at, text(&args[2]), part).map_or(
                Value::Null,
                |(first, second)| json!({ "first": first, "second": second }),
            )
        }
        "mergeSegments" => written(edit::merge(&segment(), &read(&args[1]))),
        "confirmWords" => written(edit::confirm(&segment(), &read::<Vec<u32>>(&args[1]))),
        "partBetween" => written(edit::part_between(read(&args[0]), read(&args[1]))),
        "validateEdits" => verdict(edit::validate(&read::<Vec<edit::Edit>>(&args[0]))),
        "validateVisitorName" => verdict(share::validate_visitor_name(text(&args[0]))),
        "foldText" => written(search::fold(text(&args[0])).text),
        "findText" => written(found(text(&args[0]), text(&args[1])).concat()),
        "findInTexts" => in_texts(&read::<Vec<String>>(&args[0]), text(&args[1])),
        "segmentCues" => cues(args),
        "cueGroupStarts" => {
            let spans: Vec<f64> = read(&args[0]);
            let mut pairs: Vec<(f64, f64)> = spans
                .chunks_exact(2)
                .map(|pair| (pair[0], pair[1]))
                .collect();
            let by_hand: Vec<f64> = args.get(1).map(read).unwrap_or_default();
            for (position, triple) in by_hand.chunks_exact(3).enumerate() {
                // The cases list the first segments in order.
                assert_eq!(triple[0], f64::from(u32::try_from(position).expect("few")));
                pairs[position] = claimed_interval(pairs[position], (triple[1], triple[2]));
            }
            written(subtitles::group_starts(&pairs))
        }
        "cueRoom" => written(subtitles::ROOM_SECONDS),
        "overLimits" => written(subtitles::over_limits(
            &read::<Vec<subtitles::ShownCue>>(&args[0]),
            &read(&args[1]),
        )),
        "correctCues" => {
            let seconds = |at: usize| args.get(at).and_then(Value::as_f64);
            let ends = seconds(6);
            let around = SpeechContext {
                first: ends.is_none(),
                speaker: args.get(4).and_then(Value::as_str).map(str::to_owned),
                next: seconds(5).unwrap_or(f64::INFINITY),
                duration: seconds(3).unwrap_or(0.0),
            };
            written(subtitles::correct_cues_after(
                &read::<Vec<EditedSegment>>(&args[0]),
                &read::<Vec<Speaker>>(&args[1]),
                &read(&args[2]),
                &around,
                ends,
            ))
        }
        "moveCues" => written(edit::moved_cues(&segment(), text(&args[1]))),
        "moveSegment" => written(edit::with_times(
            &segment(),
            number(&args[1]),
            number(&args[2]),
        )),
        "partBefore" => written(edit::part_before(read(&args[0]))),
        "textColumns" => written(subtitles::columns(text(&args[0]))),
        "charactersPerSecond" => written(subtitles::characters_per_second(
            text(&args[0]),
            number(&args[1]),
        )),
        "subtitleLimits" => written(subtitles::LIMITS),
        _ => return None,
    })
}

fn found(text: &str, query: &str) -> Vec<[u32; 2]> {
    let ranges = search::in_utf16(text, &search::find(text, query));
    ranges
        .into_iter()
        .map(|range| [range.start, range.end])
        .collect()
}

fn in_texts(texts: &[String], query: &str) -> Value {
    let texts = (0_u32..).zip(texts);
    let found = texts.flat_map(|(number, text)| {
        found(text, query)
            .into_iter()
            .flat_map(move |[from, to]| [number, from, to])
    });
    found.collect()
}

fn cues(args: &[Value]) -> Value {
    let segments: Vec<EditedSegment> = read(&args[0]);
    let speakers: Vec<Speaker> = read(&args[1]);
    let seconds = |at: usize| args.get(at).and_then(Value::as_f64);
    let around = SpeechContext {
        first: args[2].as_bool().unwrap_or(false),
        speaker: args.get(3).and_then(Value::as_str).map(str::to_owned),
        next: seconds(4).unwrap_or(f64::INFINITY),
        duration: seconds(5).unwrap_or(0.0),
    };
    let cues = subtitles::of_segments(&segments, &speakers, &around);
    let cues = cues.iter().map(|cue| {
        let text = &segments[cue.segment].text;
        let units = &search::in_utf16(text, std::slice::from_ref(&cue.range))[0];
        json!({
            "segment": cue.segment, "start": cue.start, "end": cue.end, "head": cue.head,
            "lines": cue.lines, "from": units.start, "to": units.end,
        })
    });
    cues.collect()
}
