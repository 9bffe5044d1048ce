//! Tests of `targets` with both databases.

use slovo_rules::target::{TargetFileState, TargetForm, TargetFormat, TargetKind, validate};
use uuid::Uuid;

use super::files::{self, TargetFile};
use super::{Target, any_due, claim, find, finish, hold, insert, update};
use crate::jobs::NewJob;
use crate::sources::Problem;
use crate::testing::{Backend, account, apply, each_database, execute, with_database};
use crate::texts::search;
use crate::{Connection, lifecycle};

fn form() -> TargetForm {
    TargetForm {
        name: "Нотатки".to_owned(),
        kind: TargetKind::Webdav,
        location: "https://cloud.example.com/dav/".to_owned(),
        user: "olena".to_owned(),
        password: None,
        format: TargetFormat::Md,
        group_id: None,
        is_active: true,
        take_existing: false,
    }
}

async fn job(connection: &mut Connection, number: u128) -> Uuid {
    let id = Uuid::from_u128(number);
    let job = NewJob {
        id,
        user_id: "u".to_owned(),
        media_id: Uuid::from_u128(number + 1_000),
        original_filename: format!("{number}.mp3"),
        content_type: "audio/mpeg".to_owned(),
        file_size: 1,
        has_video: false,
        duration: Some(3.0),
        plan: slovo_rules::Valid::default(),
        audio_track: None,
        priority: 0,
        now: i64::try_from(number).unwrap(),
    };
    lifecycle::create_job(connection, &job).await.unwrap();
    id
}

/// A target of the account `u` that was added at 10.
async fn added(connection: &mut Connection, form: TargetForm) -> Uuid {
    let id = Uuid::new_v4();
    let form = validate(&form).unwrap();
    insert(connection, "u", id, &form, None, 10).await.unwrap();
    id
}

async fn claimed(connection: &mut Connection, lease: &str, now: i64) -> Option<Target> {
    claim(connection, lease, now, now + 30).await.unwrap()
}

/// The only file that is due.
async fn due(connection: &mut Connection, target: &Target) -> TargetFile {
    let mut due = files::due(connection, target.id, 9, 50).await.unwrap();
    assert_eq!(due.len(), 1, "{due:?}");
    due.remove(0)
}

fn problem() -> Problem {
    Problem {
        code: "target_file_changed".to_owned(),
        params: std::collections::BTreeMap::new(),
        detail: None,
    }
}

#[apply(each_database!)]
fn a_change_makes_a_run_due_and_a_written_file_ends_it(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        account(connection, "u").await;
        let id = added(connection, form()).await;
        assert!(!any_due(connection, 20).await.unwrap());
        assert_eq!(claimed(connection, "a", 20).await, None);
        let job = job(connection, 1).await;
        assert!(any_due(connection, 20).await.unwrap());
        let target = claimed(connection, "a", 20).await.unwrap();
        assert_eq!(target.id, id);
        assert_eq!(claimed(connection, "b", 21).await, None);
        let file = due(connection, &target).await;
        assert_eq!((&*file.title, file.path.as_deref()), ("1.mp3", None));
        let reserved = files::reserve(connection, &target, job, "1.md", "new");
        assert!(reserved.await.unwrap());
        // It is changed while it is written.
        search::mark_stale(connection, job).await.unwrap();
        files::written(connection, &target, &file, "new", 30)
            .await
            .unwrap();
        let file = due(connection, &target).await;
        assert_eq!(file.path.as_deref(), Some("1.md"));
        assert_eq!(
            (file.digest.as_deref(), file.next_digest),
            (Some("new"), None)
        );
        assert_eq!(file.written_at, Some(30));
        let file = due(connection, &target).await;
        files::written(connection, &target, &file, "newer", 31)
            .await
            .unwrap();
        let none = files::due(connection, id, 9, 50).await.unwrap();
        assert_eq!(none, []);
        finish(connection, &target, Ok(()), (32, 40)).await.unwrap();
        assert!(!any_due(connection, 50).await.unwrap());
        let after = find(connection, id).await.unwrap().unwrap();
        assert_eq!((after.ran_at, after.lease_id), (Some(32), None));
        let counts = files::counts(connection, id).await.unwrap();
        assert_eq!(counts, [(TargetFileState::Written, 1)]);
    });
}

#[apply(each_database!)]
fn two_texts_never_have_one_file(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        account(connection, "u").await;
        added(connection, form()).await;
        let (first, second) = (job(connection, 1).await, job(connection, 2).await);
        let target = claimed(connection, "a", 20).await.unwrap();
        for (job, path, is_free) in [
            (first, "a.md", true),
            (first, "a.md", true),
            (second, "a.md", false),
            (second, "a 2.md", true),
            (first, "a 2.md", false),
        ] {
            let reserved = files::reserve(connection, &target, job, path, "x");
            assert_eq!(reserved.await.unwrap(), is_free, "{path}");
        }
    });
}

#[apply(each_database!)]
fn what_was_changed_there_is_left_alone_until_it_is_asked_for(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        account(connection, "u").await;
        let id = added(connection, form()).await;
        let job = job(connection, 1).await;
        let target = claimed(connection, "a", 20).await.unwrap();
        let file = due(connection, &target).await;
        files::reserve(connection, &target, job, "1.md", "new")
            .await
            .unwrap();
        files::written(connection, &target, &file, "new", 30)
            .await
            .unwrap();
        assert!(!files::write_again(connection, id, job).await.unwrap());
        let foreign = TargetFileState::Foreign;
        files::end(connection, &target, job, foreign, &problem())
            .await
            .unwrap();
        search::mark_stale(connection, job).await.unwrap();
        let after = files::find(connection, id, job).await.unwrap().unwrap();
        assert_eq!((after.state, after.problem), (foreign, Some(problem())));
        assert!(files::write_again(connection, id, job).await.unwrap());
        let file = due(connection, &target).await;
        assert_eq!((file.path, file.digest, file.problem), (None, None, None));
    });
}

#[apply(each_database!)]
fn what_cannot_be_written_waits_and_what_is_not_wanted_is_forgotten(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        account(connection, "u").await;
        let id = added(connection, form()).await;
        let job = job(connection, 1).await;
        let target = claimed(connection, "a", 20).await.unwrap();
        files::retry(connection, &target, job, &problem(), 60)
            .await
            .unwrap();
        let early = files::due(connection, id, 9, 59).await.unwrap();
        assert_eq!(early, []);
        let late = files::due(connection, id, 9, 60).await.unwrap();
        assert_eq!((late[0].attempts, &late[0].problem), (1, &Some(problem())));
        files::retry_all(connection, id).await.unwrap();
        let file = due(connection, &target).await;
        files::leave(connection, &target, &file).await.unwrap();
        let gone = files::find(connection, id, job).await.unwrap();
        assert_eq!(gone, None);
        // A file that was written once stays known.
        search::mark_stale(connection, job).await.unwrap();
        let file = due(connection, &target).await;
        files::written(connection, &target, &file, "x", 30)
            .await
            .unwrap();
        search::mark_stale(connection, job).await.unwrap();
        let file = due(connection, &target).await;
        files::leave(connection, &target, &file).await.unwrap();
        let kept = files::find(connection, id, job).await.unwrap().unwrap();
        assert_eq!(kept.state, TargetFileState::Written);
    });
}

#[apply(each_database!)]
fn a_new_target_may_begin_with_all_finished_texts(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        let connection = &mut *transaction;
        account(connection, "u").await;
        let done = job(connection, 1).await;
        job(connection, 2).await;
        let complete =
            format!("UPDATE synced_jobs SET status = 'completed' WHERE my_job_id = '{done}'");
        execute(connection, &complete).await;
        let all = TargetForm {
            take_existing: true,
            ..form()
        };
        let id = added(connection, all).await;
        let target = claimed(connection, "a", 20).await.unwrap();
        let file = due(connection, &target).await;
        assert_eq!(file.job_id, done);
        files::written(connection, &target, &file, "x", 30)
            .await
            .unwrap();
        assert!(hold(connection, &target, 60).await.unwrap());
        // Elsewhere, everything is written anew.
        let moved = TargetForm {
            location: "https://cloud.example.com/other/".to_owned(),
            ..form()
        };
        let moved = validate(&moved).unwrap();
        update(connection, id, &moved, None, (true, 40))
            .await
            .unwrap();
        assert!(!hold(connection, &target, 60).await.unwrap());
        let file = due(connection, &target).await;
        assert_eq!((file.path, file.digest), (None, None));
    });
}
