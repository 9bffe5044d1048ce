//! Constraints of the database itself.

use slovo_rules::edit::HandCue;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};
use uuid::Uuid;

use super::{Change, NewEntry, SegmentState, SpeakerState, Speakers, current, lock, write};
use crate::jobs::tests::{account, claim, enqueue};
use crate::testing::{Backend, apply, each_database, with_database};
use crate::texts::projection::{self, HistoryPoint};
use crate::texts::transcripts;
use crate::{Database, Error, lifecycle};

async fn text(db: &Database) -> Uuid {
    account(db, "a").await;
    let id = enqueue(db, "a", 1, 0, 0).await;
    let (lease, _) = claim(db, "w", 0).await.unwrap();
    let segment = |index| Segment {
        index,
        start: f64::from(index),
        end: f64::from(index) + 1.0,
        speaker: Some("SPEAKER_0".to_owned()),
        language: None,
        text: format!("речення {index}"),
        words: Vec::new(),
    };
    let transcript = Transcript {
        language: "uk".to_owned(),
        duration: 3.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: (0..3).map(segment).collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let mut transaction = db.write().await.unwrap();
    let done = lifecycle::complete_job(&mut transaction, &lease, 1, &transcript, false, 9).await;
    assert!(done.unwrap());
    transaction.commit().await.unwrap();
    id
}

#[apply(each_database!)]
fn a_revision_is_written_once(backend: Backend) {
    with_database(backend, async |db| {
        let job = text(&db).await;
        let mut transaction = db.write().await.unwrap();
        let mut found = current(&mut transaction, job, 1, &["1".to_owned(), "9".to_owned()])
            .await
            .unwrap();
        assert_eq!(found.len(), 1);
        let mut state = found.remove("1").unwrap();
        state.segment.revision = 1;
        state.segment.text = "інше".to_owned();
        write(&mut transaction, job, 1, &[&state]).await.unwrap();
        transaction.commit().await.unwrap();
        // A writer that did not read under the lock uses a number that exists.
        let mut transaction = db.write().await.unwrap();
        let again = write(&mut transaction, job, 1, &[&state]).await;
        assert!(matches!(again, Err(Error::Row { .. })), "{again:?}");
        drop(transaction);
        let mut connection = db.read().await.unwrap();
        let read = projection::read(&mut connection, job, HistoryPoint::default()).await;
        let read = read.unwrap().unwrap();
        assert_eq!(read.segments[1].text, "інше");
        assert_eq!(read.segments[1].revision, 1);
    });
}

#[apply(each_database!)]
fn the_language_of_a_segment_is_stored(backend: Backend) {
    with_database(backend, async |db| {
        let job = text(&db).await;
        // The columns are NULL in what older releases stored; recognition stores the others.
        let statement = "UPDATE synced_segments SET language = 'ru' WHERE segment_index = 1";
        let mut transaction = db.write().await.unwrap();
        crate::testing::execute(&mut transaction, statement).await;
        let ids = ["0", "1", "2"].map(str::to_owned);
        let mut states = current(&mut transaction, job, 1, &ids).await.unwrap();
        let stored = |id: &str| states[id].segment.language.as_deref();
        assert_eq!(
            [stored("0"), stored("1"), stored("2")],
            [None, Some("ru"), None]
        );
        let mut edited = states.remove("2").unwrap();
        edited.segment.revision = 1;
        edited.segment.language = Some("en".to_owned());
        write(&mut transaction, job, 1, &[&edited]).await.unwrap();
        // Again, as a later edit does.
        edited.segment.revision = 2;
        edited.segment.language = Some("de".to_owned());
        write(&mut transaction, job, 1, &[&edited]).await.unwrap();
        transaction.commit().await.unwrap();
        let mut connection = db.read().await.unwrap();
        let read = projection::read(&mut connection, job, HistoryPoint::default()).await;
        let read = read.unwrap().unwrap();
        let languages: Vec<_> = read
            .segments
            .iter()
            .map(|segment| segment.language.as_deref())
            .collect();
        assert_eq!(languages, [Some("uk"), Some("ru"), Some("de")]);
        let language = transcripts::language(&mut connection, job, 1).await;
        assert_eq!(language.unwrap().as_deref(), Some("uk"));
        let none = transcripts::language(&mut connection, job, 2).await;
        assert_eq!(none.unwrap(), None);
    });
}

#[apply(each_database!)]
fn a_second_editor_waits_for_the_first(backend: Backend) {
    with_database(backend, async |db| {
        let job = text(&db).await;
        let mut first = db.write().await.unwrap();
        assert_eq!(lock(&mut first, job, 1).await.unwrap(), Some(0));
        let second = tokio::spawn({
            let db = db.clone();
            async move {
                let mut transaction = db.write().await.unwrap();
                let seq = lock(&mut transaction, job, 1).await.unwrap();
                transaction.commit().await.unwrap();
                seq
            }
        });
        sqlx::query("UPDATE transcript_heads SET seq = 1")
            .execute(&mut *first)
            .await
            .unwrap();
        first.commit().await.unwrap();
        assert_eq!(second.await.unwrap(), Some(1));
        let mut transaction = db.write().await.unwrap();
        assert_eq!(lock(&mut transaction, job, 2).await.unwrap(), None);
    });
}

#[test]
fn circular_speaker_merges_are_detected() {
    let speaker = |id: &str, into: Option<&str>| SpeakerState {
        id: id.to_owned(),
        name: None,
        merged_into: into.map(str::to_owned),
    };
    let chain = Speakers(vec![
        speaker("a", Some("b")),
        speaker("b", Some("c")),
        speaker("c", None),
    ]);
    assert!(chain.is_acyclic());
    assert_eq!(chain.resolve("a"), "c");
    assert_eq!(chain.depending_on("b"), ["a", "b"]);
    assert_eq!(chain.unmerged().len(), 1);
    let circle = Speakers(vec![speaker("a", Some("b")), speaker("b", Some("a"))]);
    assert!(!circle.is_acyclic());
    assert!(!circle.resolve("a").is_empty());
}

#[test]
fn an_edit_of_subtitles_alone_does_not_change_the_search() {
    let before = SegmentState::recognised(Segment {
        index: 0,
        start: 0.0,
        end: 1.0,
        speaker: None,
        language: None,
        text: "слово".to_owned(),
        words: Vec::new(),
    });
    let changes_search = |change: &dyn Fn(&mut SegmentState)| {
        let mut after = before.clone();
        after.segment.revision += 1;
        change(&mut after);
        let before = before.clone();
        let entry = NewEntry {
            seq: 1,
            edit_id: Uuid::nil(),
            client: Uuid::nil(),
            author_id: "a",
            visitor: None,
            at: 1,
            kind: "text",
            target: None,
            segments: &[Change { before, after }],
            speakers: &[],
        };
        entry.affects_search()
    };
    let cue = HandCue {
        at: 0,
        start: 0.0,
        end: 1.0,
        breaks: Vec::new(),
    };
    assert!(!changes_search(
        &|after| after.segment.cues = vec![cue.clone()]
    ));
    assert!(changes_search(
        &|after| after.segment.text = "інше".to_owned()
    ));
    assert!(changes_search(&|after| after.segment.end = 2.0));
    assert!(changes_search(&|after| after.removed = true));
}
