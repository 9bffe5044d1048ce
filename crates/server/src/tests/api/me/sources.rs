//! Sources: administration, what becomes a job and what does not, and what they must not reach.

mod support;
mod waits;

use axum::http::{Method, StatusCode};
use serde_json::json;
use slovo_rules::source::MAX_SOURCES;

use super::api_keys::program;
use super::support::send_json;
use crate::testing::{Backend, apply, each_database};
use support::{
    SOURCES, add, check, file_source, jobs, look, podcast, recordings, source, try_add,
    with_remote, with_users, write_tone,
};

#[apply(each_database!)]
fn a_source_is_added_changed_paused_and_deleted(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let form = json!({"name": " Подкаст ", "kind": "podcast", "location": remote.url("/feed.xml"),
            "is_active": true});
        let added = try_add(server, ada, &form).await;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
        let added = added.json();
        let id = added["id"].as_str().unwrap();
        assert_eq!(added["name"], "Подкаст");
        assert_eq!(added["has_password"], false);
        assert_eq!(
            added["counts"],
            json!({"skipped": 0, "waiting": 0, "started": 0, "failed": 0})
        );
        let listed = server.get_as(ada, SOURCES).await.json();
        assert_eq!(listed["sources"][0]["id"], id);
        assert_eq!(listed["kinds"], json!(["podcast", "webdav", "s3"]));
        assert_eq!(listed["watched_folders"], json!([]));

        let path = format!("{SOURCES}/{id}");
        let mut changed = form.clone();
        changed["is_active"] = json!(false);
        changed["name"] = json!("Інший");
        let answer = send_json(server, ada, Method::PUT, &path, &changed).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert_eq!(answer.json()["name"], "Інший");
        let anything = "01981d3e-0000-7000-8000-00000000f001";
        for action in ["check", &format!("recordings/{anything}/start")] {
            let path = format!("{path}/{action}");
            let answer = server.post_as(ada, &path, &json!({})).await;
            answer.is_problem(StatusCode::CONFLICT, "source_paused");
        }
        // It is paused: nobody looks.
        assert!(!look(server).await);
        changed["kind"] = json!("webdav");
        let answer = send_json(server, ada, Method::PUT, &path, &changed).await;
        answer.is_problem(StatusCode::CONFLICT, "source_kind_fixed");

        let removed = send_json(server, ada, Method::DELETE, &path, &json!(null)).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        let gone = server.get_as(ada, &path).await;
        gone.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn new_episodes_become_jobs_once(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let id = podcast(server, ada, remote, false).await;
        assert!(look(server).await);
        assert!(!look(server).await);
        // What was there before is not transcribed by itself.
        let found = recordings(server, ada, &id).await;
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().all(|found| found["state"] == "skipped"),
            "{found:?}"
        );
        assert_eq!(jobs(server, ada).await.len(), 0);

        let one = found[0]["id"].as_str().unwrap();
        let start = format!("{SOURCES}/{id}/recordings/{one}/start");
        let started = server.post_as(ada, &start, &json!({})).await;
        assert_eq!(started.json()["state"], "waiting", "{}", started.text());
        // Starting it makes a look due.
        assert!(look(server).await);
        let made = jobs(server, ada).await;
        assert_eq!(made.len(), 1);
        assert_eq!(made[0]["transcription_type"], "full");
        let job = made[0]["my_job_id"].as_str().unwrap();
        let job = server
            .get_as(ada, &format!("/api/v1/jobs/{job}"))
            .await
            .json();
        assert_eq!(job["settings"]["language_code"], "auto");
        let titles = ["Випуск 1", "Випуск 2"];
        assert!(
            titles.contains(&made[0]["title"].as_str().unwrap()),
            "{made:?}"
        );
        let again = server.post_as(ada, &start, &json!({})).await;
        assert_eq!(again.json()["state"], "started");
        assert_eq!(again.json()["job_id"], made[0]["my_job_id"]);

        // A new episode, and the old ones once more.
        remote.publish(3);
        check(server, ada, &id).await;
        let made = jobs(server, ada).await;
        assert_eq!(made.len(), 2);
        check(server, ada, &id).await;
        assert_eq!(jobs(server, ada).await.len(), 2);
        let shown = source(server, ada, &id).await;
        assert_eq!(
            shown["counts"],
            json!({"skipped": 1, "waiting": 0, "started": 2, "failed": 0})
        );
        assert_eq!(shown["problem"], json!(null));
        assert_ne!(shown["checked_at"], json!(null));
    });
}

#[apply(each_database!)]
fn existing_episodes_are_transcribed_on_request_with_the_preset(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let preset = json!({"name": "Лекції", "category": "media", "is_public": false,
            "is_default": false, "settings": {"transcription_type": "lite", "language_code": "en"}});
        let preset = server.post_as(ada, "/api/v1/presets", &preset).await;
        assert_eq!(preset.status, StatusCode::CREATED, "{}", preset.text());
        let preset = preset.json()["id"].clone();
        let form = json!({"name": "Усе", "kind": "podcast", "location": remote.url("/feed.xml"),
            "is_active": true, "take_existing": true, "preset_id": preset});
        let id = add(server, ada, &form).await;
        assert!(look(server).await);
        let made = jobs(server, ada).await;
        assert_eq!(made.len(), 2);
        assert!(
            made.iter().all(|job| job["transcription_type"] == "lite"),
            "{made:?}"
        );
        assert_eq!(source(server, ada, &id).await["preset_name"], "Лекції");

        // Without its preset, new recordings wait and say why.
        let path = format!("/api/v1/presets/{}", preset.as_str().unwrap());
        send_json(server, ada, Method::DELETE, &path, &json!(null)).await;
        remote.publish(3);
        server.clock.advance_seconds(1);
        check(server, ada, &id).await;
        assert_eq!(jobs(server, ada).await.len(), 2);
        let waiting = &recordings(server, ada, &id).await[0];
        assert_eq!(waiting["state"], "waiting");
        assert_eq!(waiting["problem"]["code"], "source_preset_missing");
    });
}

#[apply(each_database!)]
fn a_source_that_is_changed_during_a_look_is_looked_at_anew(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let id = podcast(server, ada, remote, false).await;
        let path = format!("{SOURCES}/{id}");
        let moved = json!({"name": "Подкаст", "kind": "podcast",
            "location": remote.url("/moved.xml"), "is_active": true});
        remote.hold();
        let moving = async {
            remote.asked("/feed.xml").await;
            server.clock.advance_seconds(1);
            let answer = send_json(server, ada, Method::PUT, &path, &moved).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            remote.release();
        };
        tokio::join!(look(server), moving);
        // The new place was not seen yet, so what is there is skipped.
        assert!(look(server).await);
        let found = recordings(server, ada, &id).await;
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().all(|found| found["state"] == "skipped"),
            "{found:?}"
        );
        assert_eq!(jobs(server, ada).await.len(), 0);
    });
}

#[apply(each_database!)]
fn problems_are_shown_and_looks_become_rarer(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let cases = [
            ("/missing", "source_not_found"),
            ("/forbidden", "source_unauthorized"),
            ("/page", "source_not_a_feed"),
            ("/broken", "source_refused"),
        ];
        for (path, code) in cases {
            let form = json!({"name": code, "kind": "podcast", "location": remote.url(path),
                "is_active": true});
            let id = add(server, ada, &form).await;
            assert!(look(server).await);
            let shown = source(server, ada, &id).await;
            assert_eq!(shown["problem"]["code"], code);
            assert_eq!(shown["is_checking"], false);
        }
        // Twice the interval after a failure.
        server.clock.advance_seconds(30 * 60);
        assert!(!look(server).await);
        server.clock.advance_seconds(30 * 60);
        for _ in cases {
            assert!(look(server).await);
        }
        server.clock.advance_seconds(119 * 60);
        assert!(!look(server).await);
    });
}

#[apply(each_database!)]
fn a_webdav_folder_is_read_with_its_password(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let form = json!({"name": "Хмара", "kind": "webdav", "location": remote.url("/dav/"),
            "user": "olena", "password": "hunter2", "is_active": true, "take_existing": true});
        let added = try_add(server, ada, &form).await;
        assert!(!added.text().contains("hunter2"));
        let id = added.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(added.json()["has_password"], true);
        // A file that was seen only once may still be growing.
        assert!(look(server).await);
        assert_eq!(jobs(server, ada).await.len(), 0);
        let found = recordings(server, ada, &id).await;
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&found[0]["name"], &found[0]["state"]),
            (&json!("Нарада 1.wav"), &json!("waiting"))
        );
        server.clock.advance_seconds(60);
        assert!(look(server).await);
        let made = jobs(server, ada).await;
        assert_eq!(made.len(), 1, "{:?}", recordings(server, ada, &id).await);
        assert_eq!(made[0]["original_filename"], "Нарада 1.wav");
        check(server, ada, &id).await;
        assert_eq!(jobs(server, ada).await.len(), 1);

        // The password is kept for its server, and not sent to another one.
        let path = format!("{SOURCES}/{id}");
        let mut moved = form.clone();
        moved["password"] = json!(null);
        let kept = send_json(server, ada, Method::PUT, &path, &moved).await;
        assert_eq!(kept.json()["has_password"], true);
        moved["location"] = json!("https://elsewhere.example.com/dav/");
        let lost = send_json(server, ada, Method::PUT, &path, &moved).await;
        assert_eq!(lost.json()["has_password"], false, "{}", lost.text());
        moved["location"] = json!(remote.url("/dav/"));
        moved["password"] = json!("wrong");
        send_json(server, ada, Method::PUT, &path, &moved).await;
        assert!(look(server).await);
        let shown = source(server, ada, &id).await;
        assert_eq!(shown["problem"]["code"], "source_unauthorized");
        let authorised = remote.passwords();
        assert!(authorised.iter().all(|(path, _)| path.starts_with("/dav/")));
    });
}

#[apply(each_database!)]
fn a_bucket_is_read_with_signed_addresses(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let form = json!({"name": "Сховище", "kind": "s3", "location": remote.url("/talks/2026/"),
            "user": "AKIA", "password": "s3cret", "is_active": true, "take_existing": true});
        let id = add(server, ada, &form).await;
        assert!(look(server).await);
        let made = jobs(server, ada).await;
        assert_eq!(made.len(), 1, "{:?}", recordings(server, ada, &id).await);
        assert_eq!(made[0]["original_filename"], "a talk.wav");
        let asked = remote.paths("/talks");
        assert!(
            asked.iter().all(|path| path.contains("X-Amz-Signature=")),
            "{asked:?}"
        );
        assert!(asked.iter().all(|path| !path.contains("s3cret")));
    });
}

#[apply(each_database!)]
fn only_administrators_watch_permitted_folders(backend: Backend) {
    with_users(backend, async |server, admin, ada, folder| {
        let inside = folder.join("in");
        std::fs::create_dir(&inside).unwrap();
        let form = file_source(&inside);
        let refused = try_add(server, ada, &form).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let listed = server.get_as(admin, SOURCES).await.json();
        assert_eq!(
            listed["kinds"],
            json!(["podcast", "webdav", "s3", "folder"])
        );
        assert_eq!(
            listed["watched_folders"],
            json!([folder.display().to_string()])
        );

        let outside = add(server, admin, &file_source(std::path::Path::new("/etc"))).await;
        assert!(look(server).await);
        let shown = source(server, admin, &outside).await;
        assert_eq!(shown["problem"]["code"], "source_folder_not_allowed");
        send_json(
            server,
            admin,
            Method::DELETE,
            &format!("{SOURCES}/{outside}"),
            &json!(null),
        )
        .await;

        let id = add(server, admin, &form).await;
        assert!(look(server).await);
        write_tone(&inside.join("запис.wav"));
        std::os::unix::fs::symlink("/etc/passwd", inside.join("passwd.wav")).unwrap();
        std::fs::write(inside.join("empty.mp3"), "").unwrap();
        std::fs::write(inside.join("notes.txt"), "x").unwrap();
        for _ in 0..2 {
            server.clock.advance_seconds(30);
            assert!(look(server).await);
        }
        let found = recordings(server, admin, &id).await;
        let state = |name: &str| {
            let found = found.iter().find(|found| found["name"] == name);
            found.map(|found| found["state"].as_str().unwrap().to_owned())
        };
        assert_eq!(state("запис.wav").as_deref(), Some("started"), "{found:?}");
        assert_eq!(state("empty.mp3").as_deref(), Some("failed"));
        assert_eq!(found.len(), 2);
        assert_eq!(jobs(server, admin).await.len(), 1);
        // The original stays where it is.
        assert!(inside.join("запис.wav").is_file());
        std::fs::remove_dir_all(&inside).unwrap();
        server.clock.advance_seconds(30);
        assert!(look(server).await);
        let shown = source(server, admin, &id).await;
        assert_eq!(shown["problem"]["code"], "source_folder_missing");
    });
}

#[apply(each_database!)]
fn sources_are_limited_checked_and_private(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let form = json!({"name": "Подкаст", "kind": "podcast", "location": remote.url("/feed.xml"),
            "is_active": false});
        let with = |change: serde_json::Value| {
            let mut form = form.clone();
            form.as_object_mut()
                .unwrap()
                .extend(change.as_object().unwrap().clone());
            form
        };
        for (change, field, code) in [
            (json!({"name": " "}), "name", "webhook_name_url_required"),
            (json!({"location": "x"}), "location", "url_invalid"),
            (
                json!({"location": "http://a:b@example.com/"}),
                "location",
                "url_credentials",
            ),
            (
                json!({"kind": "s3", "location": "https://example.com/"}),
                "location",
                "url_invalid",
            ),
            (
                json!({"kind": "webdav", "user": "u".repeat(201)}),
                "user",
                "too_long",
            ),
        ] {
            let refused = try_add(server, ada, &with(change)).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        for location in [
            "http://127.0.0.1:9/feed",
            "http://[::1]/",
            "http://169.254.169.254/x",
        ] {
            let refused = try_add(server, ada, &with(json!({"location": location}))).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
        }
        let strange = with(json!({"preset_id": "01981d3e-0000-7000-8000-00000000f001"}));
        let refused = try_add(server, ada, &strange).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let refused = try_add(
            server,
            ada,
            &with(json!({"kind": "folder", "location": "/etc"})),
        )
        .await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");

        // A source would outlive the key, and its address may be a secret.
        let (key, _) = program(server, ada, &["read", "write", "transcribe"]).await;
        let refused = try_add(server, &key, &form).await;
        refused.is_problem(StatusCode::FORBIDDEN, "scope_missing");
        let refused = server.get_as(&key, SOURCES).await;
        refused.is_problem(StatusCode::FORBIDDEN, "scope_missing");

        for _ in 0..MAX_SOURCES {
            add(server, ada, &form).await;
        }
        let refused = try_add(server, ada, &form).await;
        refused.is_problem(StatusCode::CONFLICT, "too_many_sources");
    });
}
