//! Targets: administration, what is written where, and what is left alone.

mod dav;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_api::targets::run_once;
use slovo_rules::target::MAX_TARGETS;
use uuid::Uuid;

use super::api_keys::program;
use super::support::{complete_next, job, send_json};
use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server_options,
};
use dav::{Dav, with_dav};

const TARGETS: &str = "/api/v1/me/targets";

fn form(kind: &str, location: &str) -> Value {
    json!({"name": "Нотатки", "kind": kind, "location": location, "format": "md", "is_active": true})
}

fn with(form: &Value, change: &Value) -> Value {
    let mut form = form.clone();
    let fields = change.as_object().unwrap().clone();
    form.as_object_mut().unwrap().extend(fields);
    form
}

/// Adds a target; returns its id.
async fn add(server: &TestServer, who: &TestUser, form: &Value) -> String {
    let added = server.post_as(who, TARGETS, form).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    added.json()["id"].as_str().unwrap().to_owned()
}

async fn change(server: &TestServer, who: &TestUser, id: &str, form: &Value) -> Answer {
    server.clock.advance_seconds(1);
    send_json(server, who, Method::PUT, &format!("{TARGETS}/{id}"), form).await
}

async fn shown(server: &TestServer, who: &TestUser, id: &str) -> Value {
    server.get_as(who, &format!("{TARGETS}/{id}")).await.json()
}

/// Name, state and code of the problem of each file, by name.
async fn files(server: &TestServer, who: &TestUser, id: &str) -> Vec<(String, String, String)> {
    let answer = server.get_as(who, &format!("{TARGETS}/{id}/files")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let items = answer.json()["items"].as_array().unwrap().clone();
    let files = items.iter().map(|it| {
        let code = &it["problem"]["code"];
        (text(&it["path"]), text(&it["state"]), text(code))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

/// Writes what has changed; time passes before, as between two edits.
async fn run(server: &TestServer) -> bool {
    server.clock.advance_seconds(10);
    run_once(&server.state).await.unwrap()
}

/// A finished text with this title.
async fn text(server: &TestServer, who: &TestUser, title: &str, sentence: &str) -> Uuid {
    // Files are written in the order of their recordings.
    server.clock.advance_seconds(1);
    let id = job(server, who, &format!("{title}.wav"), b"").await;
    complete_next(server, sentence).await;
    id
}

async fn rename(server: &TestServer, who: &TestUser, job: Uuid, title: &str) {
    let path = format!("/api/v1/jobs/{job}/title");
    let answer = send_json(server, who, Method::PUT, &path, &json!({"title": title})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
}

/// Runs `test` with a server that may write to a folder, an administrator and a user.
fn with_folder<F: AsyncFnOnce(&TestServer, &TestUser, &TestUser, &Path)>(
    backend: Backend,
    test: F,
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let options = ["--target-folder", path.to_str().unwrap()];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        test(&server, &admin, &ada, &path).await;
    });
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[apply(each_database!)]
fn finished_texts_are_written_with_their_facts_and_follow_edits(backend: Backend) {
    with_folder(backend, async |server, admin, _ada, folder| {
        let id = add(server, admin, &form("folder", folder.to_str().unwrap())).await;
        assert!(!run(server).await, "there is nothing to write");
        let first = text(server, admin, "Нарада: план/2026", "Добрий день усім.").await;
        text(server, admin, "Нарада: план?2026", "Друга розмова.").await;
        assert!(run(server).await);
        let written = |name: &str| (name.to_owned(), "written".to_owned(), String::new());
        let (one, two) = ("Нарада_ план_2026.md", "Нарада_ план_2026 2.md");
        assert_eq!(
            files(server, admin, &id).await,
            [written(two), written(one)]
        );
        let mode = std::fs::metadata(folder.join(one))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o644, "others cannot read it");
        let content = read(folder, one);
        let head = "---\ntitle: \"Нарада: план/2026\"\ndate: ";
        assert!(content.starts_with(head), "{content}");
        assert!(content.contains("\nlanguage: \"uk\"\n"), "{content}");
        let source = format!("/transcription/{first}\"\n---\n\n# Нарада: план/2026\n");
        assert!(content.contains(&source), "{content}");
        assert!(content.contains("Добрий день усім."), "{content}");
        assert!(!run(server).await, "nothing has changed");

        rename(server, admin, first, "Інша \"назва\"\n---").await;
        assert!(run(server).await);
        let content = read(folder, one);
        assert!(
            content.starts_with("---\ntitle: \"Інша \\\"назва\\\" ---\"\n"),
            "{content}"
        );
        let counts = json!({"waiting": 0, "written": 2, "foreign": 0, "failed": 0});
        let target = shown(server, admin, &id).await;
        assert_eq!(target["counts"], counts);
        assert_ne!(target["ran_at"], Value::Null);
        let names = std::fs::read_dir(folder).unwrap();
        assert_eq!(names.count(), 2, "something is left over");

        // Another format is another file.
        let txt = with(
            &form("folder", folder.to_str().unwrap()),
            &json!({"format": "txt"}),
        );
        let changed = change(server, admin, &id, &txt).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        assert!(run(server).await);
        assert!(read(folder, "Інша _назва_ ---.txt").contains("Добрий день усім."));
        let path = format!("{TARGETS}/{id}");
        let removed = send_json(server, admin, Method::DELETE, &path, &json!(null)).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        assert!(folder.join(one).is_file(), "the files stay");
    });
}

#[apply(each_database!)]
fn what_somebody_changed_or_removed_there_is_left_alone(backend: Backend) {
    with_folder(backend, async |server, admin, _ada, folder| {
        // It was there before.
        std::fs::write(folder.join("a.md"), "mine").unwrap();
        let id = add(server, admin, &form("folder", folder.to_str().unwrap())).await;
        let (a, b) = (
            text(server, admin, "a", "Перша.").await,
            text(server, admin, "b", "Друга.").await,
        );
        assert!(run(server).await);
        assert_eq!(read(folder, "a.md"), "mine");
        assert!(read(folder, "a 2.md").contains("Перша."));

        std::fs::write(folder.join("a 2.md"), "my notes").unwrap();
        std::fs::remove_file(folder.join("b.md")).unwrap();
        rename(server, admin, a, "a!").await;
        rename(server, admin, b, "b!").await;
        assert!(run(server).await);
        assert_eq!(read(folder, "a 2.md"), "my notes");
        assert!(!folder.join("b.md").exists());
        let foreign =
            |name: &str, code: &str| (name.to_owned(), "foreign".to_owned(), code.to_owned());
        let expected = [
            foreign("a 2.md", "target_file_changed"),
            foreign("b.md", "target_file_gone"),
        ];
        assert_eq!(files(server, admin, &id).await, expected);
        rename(server, admin, a, "a!!").await;
        run(server).await;
        assert_eq!(read(folder, "a 2.md"), "my notes");

        let path = format!("{TARGETS}/{id}/files/{a}/write");
        let again = server.post_as(admin, &path, &json!({})).await;
        assert_eq!(again.json()["state"], "waiting", "{}", again.text());
        assert!(run(server).await);
        assert_eq!(read(folder, "a 2.md"), "my notes");
        assert!(read(folder, "a!!.md").contains("Перша."));
    });
}

#[apply(each_database!)]
fn only_the_texts_of_the_chosen_folder_are_written(backend: Backend) {
    with_folder(backend, async |server, admin, ada, folder| {
        let group = json!({"name": "Проєкт", "color": 1});
        let group = server
            .post_as(admin, "/api/v1/folders", &group)
            .await
            .json()["id"]
            .clone();
        let before = text(server, admin, "before", "Раніше.").await;
        let place = form("folder", folder.to_str().unwrap());
        let chosen = with(&place, &json!({"group_id": group, "take_existing": true}));
        let id = add(server, admin, &chosen).await;
        run(server).await;
        assert_eq!(files(server, admin, &id).await, []);
        let moved = json!({"jobs": [before], "folder": group});
        let answer = server
            .post_as(admin, "/api/v1/jobs/bulk/folder", &moved)
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert!(run(server).await);
        assert!(read(folder, "before.md").contains("Раніше."));

        let other = json!({"name": "x", "color": 1});
        let other = server.post_as(ada, "/api/v1/folders", &other).await.json();
        let strange = with(&place, &json!({"group_id": other["id"]}));
        let refused = server.post_as(admin, TARGETS, &strange).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn a_paused_target_catches_up(backend: Backend) {
    with_folder(backend, async |server, admin, _ada, folder| {
        let place = form("folder", folder.to_str().unwrap());
        let paused = with(&place, &json!({"is_active": false}));
        let id = add(server, admin, &paused).await;
        let job = text(server, admin, "a", "Перша.").await;
        assert!(!run(server).await);
        for action in ["run", &format!("files/{job}/write")] {
            let path = format!("{TARGETS}/{id}/{action}");
            let refused = server.post_as(admin, &path, &json!({})).await;
            refused.is_problem(StatusCode::CONFLICT, "source_paused");
        }
        change(server, admin, &id, &place).await;
        assert!(run(server).await);
        assert!(folder.join("a.md").is_file());
    });
}

#[apply(each_database!)]
fn only_administrators_write_to_permitted_folders(backend: Backend) {
    with_folder(backend, async |server, admin, ada, folder| {
        let refused = server
            .post_as(ada, TARGETS, &form("folder", folder.to_str().unwrap()))
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let listed = server.get_as(ada, TARGETS).await.json();
        assert_eq!(
            (&listed["kinds"], &listed["folders"]),
            (&json!(["webdav"]), &json!([]))
        );
        text(server, admin, "a", "Перша.").await;
        let link = folder.join("link");
        std::os::unix::fs::symlink("/etc", &link).unwrap();
        for (place, code) in [
            (Path::new("/etc"), "source_folder_not_allowed"),
            (&link, "source_folder_not_allowed"),
            (&folder.join("missing"), "source_folder_missing"),
        ] {
            let place = with(
                &form("folder", place.to_str().unwrap()),
                &json!({"take_existing": true}),
            );
            let id = add(server, admin, &place).await;
            assert!(run(server).await);
            let target = shown(server, admin, &id).await;
            assert_eq!(target["problem"]["code"], code);
            let removed = format!("{TARGETS}/{id}");
            send_json(server, admin, Method::DELETE, &removed, &json!(null)).await;
        }
        // A link with the name of the file is somebody else's.
        std::os::unix::fs::symlink("/etc/passwd", folder.join("a.md")).unwrap();
        let all = with(
            &form("folder", folder.to_str().unwrap()),
            &json!({"take_existing": true}),
        );
        add(server, admin, &all).await;
        assert!(run(server).await);
        assert!(read(folder, "a 2.md").contains("Перша."));
        assert!(folder.join("a.md").is_symlink());
    });
}

#[apply(each_database!)]
fn a_webdav_folder_is_written_with_its_password(backend: Backend) {
    with_dav(backend, async |server, ada, dav: &Dav| {
        let place = with(
            &form("webdav", &dav.url("/dav/")),
            &json!({"user": "olena", "password": "hunter2"}),
        );
        let added = server.post_as(ada, TARGETS, &place).await;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
        assert!(!added.text().contains("hunter2"));
        let id = added.json()["id"].as_str().unwrap().to_owned();
        dav.put("a.md", "mine");
        let a = text(server, ada, "a", "Перша.").await;
        assert!(run(server).await);
        assert_eq!(dav.content("a.md").as_deref(), Some("mine"));
        assert!(dav.content("a 2.md").unwrap().contains("Перша."));
        rename(server, ada, a, "Нова назва").await;
        assert!(run(server).await);
        assert!(dav.content("a 2.md").unwrap().contains("# Нова назва"));
        dav.put("a 2.md", "my notes");
        rename(server, ada, a, "Ще новіша").await;
        assert!(run(server).await);
        assert_eq!(dav.content("a 2.md").as_deref(), Some("my notes"));
        let counts = json!({"waiting": 0, "written": 0, "foreign": 1, "failed": 0});
        assert_eq!(shown(server, ada, &id).await["counts"], counts);

        // While the server does not answer as it should, the texts wait.
        dav.fail(StatusCode::SERVICE_UNAVAILABLE);
        text(server, ada, "b", "Друга.").await;
        assert!(run(server).await);
        let target = shown(server, ada, &id).await;
        assert_eq!(target["problem"]["code"], "source_refused");
        assert_eq!(target["counts"]["waiting"], 1);
        assert!(!run(server).await);
        dav.fail(StatusCode::OK);
        let now = server
            .post_as(ada, &format!("{TARGETS}/{id}/run"), &json!({}))
            .await;
        assert_eq!(now.status, StatusCode::ACCEPTED, "{}", now.text());
        assert!(run(server).await);
        assert!(dav.content("b.md").unwrap().contains("Друга."));
        assert_eq!(shown(server, ada, &id).await["problem"], Value::Null);
        let wrong = with(&place, &json!({"password": "wrong"}));
        change(server, ada, &id, &wrong).await;
        text(server, ada, "c", "Третя.").await;
        assert!(run(server).await);
        let target = shown(server, ada, &id).await;
        assert_eq!(target["problem"]["code"], "source_unauthorized");
    });
}

#[apply(each_database!)]
fn a_file_that_a_dying_server_has_written_is_its_own(backend: Backend) {
    with_dav(backend, async |server, ada, dav: &Dav| {
        let place = with(
            &form("webdav", &dav.url("/dav/")),
            &json!({"user": "olena", "password": "hunter2"}),
        );
        let id = add(server, ada, &place).await;
        let a = text(server, ada, "a", "Перша.").await;
        // The file is stored, but the answer does not arrive.
        dav.lose_answers(true);
        assert!(run(server).await);
        assert!(dav.content("a.md").unwrap().contains("Перша."));
        let waiting = ("a.md".to_owned(), "waiting".to_owned(), String::new());
        assert_eq!(files(server, ada, &id).await, [waiting]);
        dav.lose_answers(false);
        rename(server, ada, a, "Нова назва").await;
        server
            .post_as(ada, &format!("{TARGETS}/{id}/run"), &json!({}))
            .await;
        assert!(run(server).await);
        assert!(dav.content("a.md").unwrap().contains("# Нова назва"));
        assert_eq!(dav.names(), ["a.md"]);
    });
}

#[apply(each_database!)]
fn targets_are_limited_checked_and_private(backend: Backend) {
    with_dav(backend, async |server, ada, dav: &Dav| {
        let place = form("webdav", &dav.url("/dav/"));
        for (change, field, code) in [
            (json!({"name": " "}), "name", "webhook_name_url_required"),
            (json!({"location": "x"}), "location", "url_invalid"),
            (json!({"user": "u".repeat(201)}), "user", "too_long"),
        ] {
            let refused = server.post_as(ada, TARGETS, &with(&place, &change)).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        let inside = form("webdav", "http://169.254.169.254/dav/");
        let refused = server.post_as(ada, TARGETS, &inside).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
        let (key, _) = program(server, ada, &["read", "write", "transcribe"]).await;
        for refused in [
            server.post_as(&key, TARGETS, &place).await,
            server.get_as(&key, TARGETS).await,
        ] {
            refused.is_problem(StatusCode::FORBIDDEN, "scope_missing");
        }
        for _ in 0..MAX_TARGETS {
            add(server, ada, &place).await;
        }
        let refused = server.post_as(ada, TARGETS, &place).await;
        refused.is_problem(StatusCode::CONFLICT, "too_many_sources");
    });
}
