//! Tests of what a look changes.

use slovo_rules::source::SourceRecordingState::{Failed, Skipped, Started, Waiting};

use super::*;

fn known(key: &str, state: SourceRecordingState, is_settled: bool) -> Known {
    Known {
        id: Uuid::new_v4(),
        key_hash: hash(key),
        url: None,
        version: "1".to_owned(),
        is_settled,
        state,
        found_at: 10,
        changed_at: 10,
    }
}

fn found(key: &str, version: &str) -> NewRecording {
    NewRecording {
        id: Uuid::new_v4(),
        key: key.to_owned(),
        name: key.to_owned(),
        url: None,
        size: Some(3),
        version: version.to_owned(),
        is_settled: false,
        state: Waiting,
    }
}

const LATER: i64 = 10 + SETTLED_AFTER_MS;

#[test]
fn what_is_new_is_added_once() {
    let (a, again) = (found("a", "1"), found("a", "2"));
    let changed = changes(Vec::new(), vec![a.clone(), again], 10);
    assert_eq!(changed, [Change::Add(a)]);
}

#[test]
fn a_recording_is_complete_once_it_was_the_same_for_long_enough() {
    let growing = known("a", Waiting, false);
    let (id, size) = (growing.id, Some(3));
    let again = |version: &str, now| changes(vec![growing.clone()], vec![found("a", version)], now);
    assert_eq!(again("1", LATER - 1), []);
    let renewed = |version: &str, is_settled| Change::Renew {
        id,
        version: version.to_owned(),
        size,
        is_settled,
    };
    assert_eq!(again("1", LATER), [renewed("1", true)]);
    assert_eq!(again("2", LATER), [renewed("2", false)]);
}

#[test]
fn what_was_decided_stays_unless_the_content_of_a_failed_one_changes() {
    for state in [Skipped, Started] {
        let changed = changes(vec![known("a", state, true)], vec![found("a", "2")], LATER);
        assert_eq!(changed, [], "{state:?}");
    }
    let failed = known("a", Failed, true);
    let changed = changes(vec![failed.clone()], vec![found("a", "1")], LATER);
    assert_eq!(changed, []);
    let changed = changes(vec![failed.clone()], vec![found("a", "2")], LATER);
    let tried_again = Change::Renew {
        id: failed.id,
        version: "2".to_owned(),
        size: Some(3),
        is_settled: false,
    };
    assert_eq!(changed, [tried_again]);
}

#[test]
fn addresses_of_episodes_follow_the_feed_until_they_are_started() {
    let at = |token: u32| Some(format!("https://example.com/1.mp3?token={token}"));
    for (state, moves) in [(Skipped, true), (Failed, true), (Started, false)] {
        let mut old = known("a", state, true);
        old.url = at(1);
        let mut new = found("a", "");
        new.url = at(1);
        assert_eq!(changes(vec![old.clone()], vec![new.clone()], LATER), []);
        new.url = at(2);
        let changed = changes(vec![old], vec![new], LATER);
        assert_eq!(!changed.is_empty(), moves, "{state:?}");
    }
}

#[test]
fn what_disappears_while_it_grows_and_what_is_too_much_is_forgotten() {
    let growing = known("a", Waiting, false);
    let (complete, done) = (known("b", Waiting, true), known("c", Started, true));
    let gone = Change::Forget(growing.id);
    let changed = changes(vec![growing, complete, done], Vec::new(), LATER);
    assert_eq!(changed, [gone]);

    let old = |n: usize| Known {
        found_at: i64::try_from(n).unwrap(),
        ..known(&format!("old {n}"), Skipped, true)
    };
    let old: Vec<_> = (0..MAX_KNOWN).map(old).collect();
    let oldest = [Change::Forget(old[1].id), Change::Forget(old[2].id)];
    // The oldest one is still there.
    let new = vec![found("old 0", "1"), found("x", "1"), found("y", "1")];
    let changed = changes(old, new.clone(), LATER);
    assert_eq!(changed[..2], oldest);
    assert_eq!(changed[2..], [1, 2].map(|n| Change::Add(new[n].clone())));
}
