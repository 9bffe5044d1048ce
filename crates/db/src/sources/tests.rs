//! Tests of `sources` with both databases.

use slovo_rules::source::{SourceForm, SourceKind, SourceRecordingState, validate};
use uuid::Uuid;

use super::found::{self, NewRecording, SETTLED_AFTER_MS};
use super::recordings::{self, Waiting};
use super::{Problem, SealedPassword, claim, find, finish, hold, insert, release, renew, update};
use crate::Connection;
use crate::testing::{Backend, account, apply, each_database, with_database};

fn form(location: &str) -> SourceForm {
    SourceForm {
        name: "Записи".to_owned(),
        kind: SourceKind::Webdav,
        location: location.to_owned(),
        region: String::new(),
        user: "olena".to_owned(),
        password: None,
        preset_id: None,
        is_active: true,
        take_existing: false,
    }
}

const PLACE: &str = "https://cloud.example.com/dav/";

async fn added(connection: &mut Connection) -> Uuid {
    account(connection, "u").await;
    let id = Uuid::new_v4();
    let password = SealedPassword {
        place: "https://cloud.example.com".to_owned(),
        sealed: "x".to_owned(),
    };
    let form = validate(&form(PLACE)).unwrap();
    insert(connection, "u", id, &form, Some(&password), 10)
        .await
        .unwrap();
    id
}

fn new(key: &str, version: &str) -> NewRecording {
    NewRecording {
        id: Uuid::new_v4(),
        key: key.to_owned(),
        name: key.to_owned(),
        url: None,
        size: Some(3),
        version: version.to_owned(),
        is_settled: false,
        state: SourceRecordingState::Waiting,
    }
}

#[apply(each_database!)]
fn one_process_looks_at_a_time(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let id = added(&mut transaction).await;
        assert!(claim(&mut transaction, "a", 9, 40).await.unwrap().is_none());
        let claimed = claim(&mut transaction, "a", 10, 40).await.unwrap().unwrap();
        assert_eq!((claimed.id, claimed.lease_id.as_deref()), (id, Some("a")));
        assert!(
            claim(&mut transaction, "b", 39, 70)
                .await
                .unwrap()
                .is_none()
        );
        assert!(renew(&mut transaction, id, "a", 60).await.unwrap());
        // The first process has died.
        let second = claim(&mut transaction, "b", 60, 90).await.unwrap();
        assert_eq!(second.unwrap().lease_id.as_deref(), Some("b"));
        assert!(!renew(&mut transaction, id, "a", 99).await.unwrap());
        let lost = finish(&mut transaction, (id, "a"), Ok(()), (61, 100)).await;
        assert!(!lost.unwrap());
        release(&mut transaction, id, "b", 62).await.unwrap();
        claim(&mut transaction, "c", 62, 90).await.unwrap().unwrap();
        let problem = Problem {
            code: "source_not_found".to_owned(),
            params: std::collections::BTreeMap::new(),
            detail: None,
        };
        let failed = finish(&mut transaction, (id, "c"), Err(&problem), (63, 200)).await;
        assert!(failed.unwrap());
        let after = find(&mut transaction, id).await.unwrap().unwrap();
        assert_eq!((after.failures, after.problem), (1, Some(problem)));
        assert_eq!((after.checked_at, after.next_check_at), (Some(63), 200));
        assert!(!after.has_looked);
        claim(&mut transaction, "d", 200, 230)
            .await
            .unwrap()
            .unwrap();
        finish(&mut transaction, (id, "d"), Ok(()), (201, 300))
            .await
            .unwrap();
        let after = find(&mut transaction, id).await.unwrap().unwrap();
        assert_eq!(
            (after.failures, after.problem, after.has_looked),
            (0, None, true)
        );
        // Elsewhere, everything is new to it.
        let moved = validate(&form("https://cloud.example.com/other/")).unwrap();
        look(&mut transaction, id, new("a", "1"), 202).await;
        update(&mut transaction, id, &moved, None, (true, 250))
            .await
            .unwrap();
        assert_eq!(recordings::counts(&mut transaction, id).await.unwrap(), []);
        let after = find(&mut transaction, id).await.unwrap().unwrap();
        assert_eq!((after.has_looked, after.next_check_at), (false, 250));
        assert_eq!(after.password, None);
    });
}

#[apply(each_database!)]
fn an_account_has_one_look_at_a_time(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        let first = added(connection).await;
        let form = validate(&form(PLACE)).unwrap();
        let second = Uuid::new_v4();
        insert(connection, "u", second, &form, None, 11)
            .await
            .unwrap();
        account(connection, "v").await;
        let other = Uuid::new_v4();
        insert(connection, "v", other, &form, None, 12)
            .await
            .unwrap();
        let mut claimed = async |lease: &str, now| {
            let claimed = claim(connection, lease, now, now + 30).await.unwrap();
            claimed.map(|source| source.id)
        };
        assert_eq!(claimed("a", 20).await, Some(first));
        assert_eq!(claimed("b", 20).await, Some(other));
        assert_eq!(claimed("c", 20).await, None);
        // The process with the first one has died.
        assert_eq!(claimed("d", 50).await, Some(second));
    });
}

/// Stores a look that found one recording.
async fn look(connection: &mut Connection, source: Uuid, seen: NewRecording, now: i64) {
    let known = found::known(connection, source).await.unwrap();
    for change in found::changes(known, vec![seen], now) {
        found::apply(connection, source, &change, now)
            .await
            .unwrap();
    }
}

/// The recordings that may be tried.
async fn startable(
    connection: &mut Connection,
    source: Uuid,
    now: i64,
) -> Vec<recordings::SourceRecording> {
    recordings::startable(connection, source, 9, now)
        .await
        .unwrap()
}

#[apply(each_database!)]
fn a_source_that_was_changed_is_not_held(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let id = added(&mut transaction).await;
        let claimed = claim(&mut transaction, "a", 10, 40).await.unwrap().unwrap();
        assert!(hold(&mut transaction, &claimed, 50).await.unwrap());
        let same = validate(&form(PLACE)).unwrap();
        update(&mut transaction, id, &same, None, (false, 20))
            .await
            .unwrap();
        assert!(!hold(&mut transaction, &claimed, 60).await.unwrap());
        let claimed = claim(&mut transaction, "b", 50, 80).await.unwrap().unwrap();
        assert!(hold(&mut transaction, &claimed, 90).await.unwrap());
        claim(&mut transaction, "c", 90, 99).await.unwrap().unwrap();
        assert!(!hold(&mut transaction, &claimed, 99).await.unwrap());
    });
}

#[apply(each_database!)]
fn a_recording_settles_and_is_started_once(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let source = added(&mut transaction).await;
        let first = new("розмова 1.mp3", "1");
        let connection = &mut *transaction;
        look(connection, source, first.clone(), 20).await;
        let waits = recordings::waiting(connection, source).await.unwrap();
        let growing = Waiting {
            is_growing: true,
            next_try: None,
        };
        assert_eq!(waits, growing);
        // It grows, and then it does not.
        let grown = new(&first.key, "2");
        look(connection, source, grown.clone(), 21).await;
        look(connection, source, grown.clone(), 20 + SETTLED_AFTER_MS).await;
        assert!(startable(connection, source, i64::MAX).await.is_empty());
        look(connection, source, grown, 21 + SETTLED_AFTER_MS).await;
        let waits = recordings::waiting(connection, source).await.unwrap();
        let complete = Waiting {
            is_growing: false,
            next_try: Some(0),
        };
        assert_eq!(waits, complete);
        let may_start = startable(connection, source, 30).await;
        assert_eq!(may_start.len(), 1);
        assert_eq!((may_start[0].id, may_start[0].found_at), (first.id, 20));
        let job = Uuid::new_v4();
        assert!(
            recordings::mark_started(connection, first.id, job)
                .await
                .unwrap()
        );
        let again = recordings::mark_started(connection, first.id, Uuid::new_v4());
        assert!(!again.await.unwrap());
        // A later look does not start it again, whatever its content.
        look(connection, source, new(&first.key, "3"), 23).await;
        assert!(!recordings::start_again(connection, first.id).await.unwrap());
        // The job is not in the library any more.
        let counts = recordings::counts(connection, source).await.unwrap();
        assert_eq!(counts, []);
        let found = recordings::find(connection, source, first.id)
            .await
            .unwrap();
        assert_eq!(found.unwrap().job_id, None);
        let other = recordings::find(connection, Uuid::new_v4(), first.id).await;
        assert_eq!(other.unwrap(), None);
    });
}

#[apply(each_database!)]
fn failed_recordings_can_be_started_again(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let source = added(&mut transaction).await;
        let connection = &mut *transaction;
        let long_key = "ї".repeat(500);
        let mut episode = new(&long_key, "");
        episode.url = Some("https://example.com/1.mp3".to_owned());
        episode.is_settled = true;
        look(connection, source, episode.clone(), 20).await;
        let problem = Problem {
            code: "minutes_exceeded".to_owned(),
            params: [("left".to_owned(), 3.into())].into(),
            detail: Some("x".to_owned()),
        };
        recordings::mark_waiting(connection, episode.id, &problem)
            .await
            .unwrap();
        let waiting = startable(connection, source, 20).await;
        assert_eq!(waiting[0].problem, Some(problem.clone()));
        recordings::mark_for_retry(connection, episode.id, &problem, 90)
            .await
            .unwrap();
        assert!(startable(connection, source, 89).await.is_empty());
        assert_eq!(startable(connection, source, 90).await[0].attempts, 1);
        recordings::mark_failed(connection, episode.id, &problem)
            .await
            .unwrap();
        assert!(startable(connection, source, 90).await.is_empty());
        // Addresses of episodes may expire.
        episode.url = Some("https://example.com/1.mp3?token=2".to_owned());
        look(connection, source, episode.clone(), 30).await;
        assert!(
            recordings::start_again(connection, episode.id)
                .await
                .unwrap()
        );
        let waiting = startable(connection, source, 30).await;
        assert_eq!(
            (&waiting[0].url, &waiting[0].problem),
            (&episode.url, &None)
        );
        assert_eq!(waiting[0].attempts, 0);
        let state = Some(SourceRecordingState::Failed);
        assert!(
            recordings::list(connection, source, state, None, 5)
                .await
                .unwrap()
                .is_empty()
        );
        let all = recordings::list(connection, source, None, None, 5)
            .await
            .unwrap();
        assert_eq!(all.len(), 1);
        let after = Some((all[0].found_at, all[0].id));
        assert!(
            recordings::list(connection, source, None, after, 5)
                .await
                .unwrap()
                .is_empty()
        );
    });
}
