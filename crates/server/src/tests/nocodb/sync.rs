//! The direction of each change, and that an interrupted run continues.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::Method;
use serde_json::json;
use slovo_db::nocodb::{self as stored, Cause, Kind};
use slovo_nocodb::testing::Run as Synchronisation;

use super::fake::FakeFault;
use super::world::{
    assert_settled, finished_job, last, long_text, plan, preset, remote_text, sync, sync_well,
    with_world,
};
use crate::testing::{Backend, apply, each_database};

#[apply(each_database!)]
fn all_local_rows_are_sent_once(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        let plan = plan(&server, "Стартовий").await;
        let preset = preset(&server, &olha, "Подкаст").await;
        let text = vec!["Добрий день.".to_owned(), "Починаємо.".to_owned()];
        let job = finished_job(&server, &olha.user_id, &text).await;
        let stats = sync_well(&server).await;
        assert_eq!(
            (&stats["jobs"], &stats["outputs"]),
            (&json!(1), &json!(1)),
            "{stats}"
        );

        let (id, row) = fake.row_with("synced_subscriptions", "name", "Стартовий");
        assert_eq!(row["slovo_id"], json!(plan));
        assert_eq!(
            (&row["price"], &row["monthly_minutes_limit"]),
            (&json!(9.5), &json!(120.0))
        );
        assert_eq!(row["max_file_duration_minutes"], json!(null));
        let mut connection = server.state.db.read().await.unwrap();
        let stored_plan = slovo_db::plans::get(&mut connection, plan)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(stored_plan.nocodb_id, Some(id.to_string()));
        let (id, row) = fake.row_with("synced_users", "email", "olha@example.com");
        assert_eq!(
            (&row["status"], &row["auth_user_id"]),
            (&json!("active"), &json!(olha.user_id))
        );
        let external = stored::user_external_id(&mut connection, &olha.user_id)
            .await
            .unwrap();
        assert_eq!(external, Some(id.to_string()));
        drop(connection);
        let (_, row) = fake.row_with("synced_presets", "slovo_id", &preset);
        assert_eq!(
            (&row["name"], &row["user_id"]),
            (&json!("Подкаст"), &json!(olha.user_id))
        );
        let (_, row) = fake.row_with("synced_jobs", "my_job_id", &job.to_string());
        assert_eq!(
            (&row["status"], &row["original_filename"]),
            (&json!("completed"), &json!("talk.wav"))
        );
        let (_, row) = fake.row_with("synced_output", "my_job_id", &job.to_string());
        assert_eq!(row["full_text"], "Добрий день. Починаємо.");
        assert!(
            row["srt_content"]
                .as_str()
                .unwrap()
                .contains("00:00:03,000"),
            "{row:?}"
        );
        // No credentials are transferred.
        let everything = format!("{:?}", fake.requests());
        for secret in ["argon2", "password", "token_hash"] {
            assert!(!everything.contains(secret), "{secret}");
        }
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn a_long_text_is_sent_complete_and_deleted_with_its_pieces(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        let texts = long_text(350_000);
        let job = finished_job(&server, &olha.user_id, &texts).await;
        sync_well(&server).await;
        assert_eq!(remote_text(&fake, job, "full_text"), texts.join(" "));
        assert!(remote_text(&fake, job, "srt_content").chars().count() > 350_000);
        // As the server reads it: nothing looks edited.
        assert_settled(&server, &fake).await;
        let pieces = fake.rows("synced_output_parts").len();
        assert!(pieces >= 6, "{pieces}");
        // Deletions here are carried there, with all continuation rows.
        let mut transaction = server.state.db.write().await.unwrap();
        assert!(
            slovo_db::jobs::delete(&mut transaction, &olha.user_id, job)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        sync_well(&server).await;
        for table in ["synced_jobs", "synced_output", "synced_output_parts"] {
            assert!(fake.rows(table).is_empty(), "{table}");
        }
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn rows_created_or_changed_in_nocodb_arrive_here(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        let job = finished_job(&server, &olha.user_id, &["Так.".to_owned()]).await;
        fake.insert(
            "synced_subscriptions",
            json!({"name": "Команда", "price": "29", "is_active": 1,
            "subscription_id": 7, "currency": "uah", "features": "api, diarization"}),
        );
        fake.insert(
            "synced_users",
            json!({"email": "New@Example.com", "first_name": "Нова",
            "status": "active", "subscription_id": 7}),
        );
        fake.insert(
            "synced_presets",
            json!({"name": "Нарада", "category": "meeting",
            "transcription_type": "full", "language_code": "uk", "settings": "{}", "is_public": 1}),
        );
        let stats = sync_well(&server).await;
        assert_eq!(stats["created_here"], 3, "{stats}");
        let mut connection = server.state.db.read().await.unwrap();
        let plans = slovo_db::plans::list(&mut connection).await.unwrap();
        assert_eq!(
            (plans[0].number, plans[0].form.name.as_str()),
            (7, "Команда")
        );
        assert_eq!(plans[0].form.currency, "UAH");
        drop(connection);
        // Their row has our ids now.
        let (plan, row) = fake.row_with("synced_subscriptions", "name", "Команда");
        assert_eq!(row["slovo_id"], json!(plans[0].id));
        assert_settled(&server, &fake).await;

        // Signing up with the address assigns the plan.
        let new = server.signup("new@example.com").await;
        let mut connection = server.state.db.read().await.unwrap();
        let assigned_plan = slovo_db::plans::of_user(&mut connection, &new.user_id)
            .await
            .unwrap();
        assert_eq!(assigned_plan.unwrap().number, 7);
        drop(connection);

        server.clock.advance_seconds(60);
        fake.set_now(server.state.clock.now_ms());
        fake.change(
            "synced_subscriptions",
            plan,
            json!({"price": 31.5, "is_active": 0}),
        );
        let (user, _) = fake.row_with("synced_users", "email", "olha@example.com");
        fake.change(
            "synced_users",
            user,
            json!({"status": "blocked", "last_name": "Ко\u{202e}валь"}),
        );
        let (row, _) = fake.row_with("synced_jobs", "my_job_id", &job.to_string());
        fake.change(
            "synced_jobs",
            row,
            json!({"original_filename": "Розмова.wav"}),
        );
        let stats = sync_well(&server).await;
        assert_eq!(stats["changed_here"], 3, "{stats}");
        assert_eq!(
            server.me(&olha).await.status,
            401,
            "blocked, its sessions have ended"
        );
        let mut connection = server.state.db.read().await.unwrap();
        let plans = slovo_db::plans::list(&mut connection).await.unwrap();
        assert!((plans[0].form.price - 31.5).abs() < 1e-9 && !plans[0].form.is_active);
        let job = slovo_db::jobs::find_any(&mut connection, job)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(job.original_filename, "Розмова.wav");
        drop(connection);
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn the_last_administrator_cannot_be_blocked_from_nocodb(backend: Backend) {
    with_world(backend, async |server, fake| {
        let admin = server.signup("admin@example.com").await;
        sync_well(&server).await;
        server.clock.advance_seconds(60);
        fake.set_now(server.state.clock.now_ms());
        let (row, _) = fake.row_with("synced_users", "email", "admin@example.com");
        fake.change("synced_users", row, json!({"status": "blocked"}));
        let run = sync(&server).await;
        assert_eq!(run.status.as_str(), "partial");
        assert_eq!(run.problems[0]["code"], "last_admin", "{run:?}");
        assert_eq!(server.me(&admin).await.status, 200);
        let (_, row) = fake.row_with("synced_users", "email", "admin@example.com");
        assert_eq!(row["status"], "active");
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn rows_removed_in_nocodb_are_not_removed_here(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        let plan = plan(&server, "Стартовий").await;
        preset(&server, &olha, "Подкаст").await;
        let job = finished_job(&server, &olha.user_id, &["Так.".to_owned()]).await;
        sync_well(&server).await;
        for table in [
            "synced_subscriptions",
            "synced_users",
            "synced_presets",
            "synced_jobs",
            "synced_output",
        ] {
            for (id, _) in fake.rows(table) {
                fake.remove(table, id);
            }
        }
        sync_well(&server).await;
        let mut connection = server.state.db.read().await.unwrap();
        let stored_plan = slovo_db::plans::get(&mut connection, plan)
            .await
            .unwrap()
            .unwrap();
        assert!(
            !stored_plan.form.is_active,
            "a plan that is gone there is off the list"
        );
        assert!(
            slovo_db::jobs::find_any(&mut connection, job)
                .await
                .unwrap()
                .is_some()
        );
        drop(connection);
        assert_eq!(server.me(&olha).await.status, 200);
        let presets = server.get_as(&olha, "/api/v1/presets").await.text();
        assert!(presets.contains("Подкаст"));
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn two_thousand_rows_are_synced_both_ways_in_pages(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("olha@example.com").await;
        for number in 0..2000 {
            fake.insert(
                "synced_users",
                json!({"email": format!("user{number}@example.com"),
                "status": "active"}),
            );
        }
        let stats = sync_well(&server).await;
        assert_eq!(stats["created_here"], 2000, "{stats}");
        let mut connection = server.state.db.read().await.unwrap();
        let local = stored::page(&mut connection, Kind::Users, "", 10_000)
            .await
            .unwrap();
        assert_eq!(local.len(), 2001);
        drop(connection);
        let rows = fake.rows("synced_users");
        assert_eq!(rows.len(), 2001);
        assert!(rows.iter().all(|(_, row)| row["slovo_id"].is_string()));
        assert_settled(&server, &fake).await;
    });
}

/// Wherever a run is interrupted, by a kill or by a missing response, the next runs bring both
/// sides to the same state without duplicates.
#[apply(each_database!)]
fn a_run_interrupted_anywhere_is_resumed(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        for number in 0..25 {
            plan(&server, &format!("План {number}")).await;
            fake.insert(
                "synced_users",
                json!({"email": format!("user{number}@example.com")}),
            );
        }
        let text = long_text(200_000);
        let job = finished_job(&server, &olha.user_id, &text).await;
        let step = if fake.writes().is_empty() { 4 } else { 1 };
        for at in (0..60).step_by(step) {
            let requests = Arc::new(AtomicUsize::new(0));
            let (reached, waiting) = tokio::sync::oneshot::channel::<()>();
            let mut reached = Some(reached);
            let count = Arc::clone(&requests);
            fake.inject_faults(move |_| {
                if count.fetch_add(1, Ordering::SeqCst) < at {
                    return None;
                }
                if let Some(reached) = reached.take() {
                    let _ = reached.send(());
                }
                // Executed there, but the response is lost.
                Some(FakeFault::CutAfter)
            });
            let config = {
                let mut connection = server.state.db.read().await.unwrap();
                stored::config(&mut connection).await.unwrap().unwrap()
            };
            let run = Synchronisation::begin(&server.state.nocodb(), Cause::Admin)
                .await
                .unwrap()
                .unwrap();
            let working = tokio::spawn(run.execute(config));
            // Like a kill: nothing is finished or recorded.
            tokio::select! {
                _ = waiting => {
                    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
                    working.abort();
                    let _ = working.await;
                }
                () = async {
                    while last(&server).await.ended_at.is_none() {
                        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
                    }
                } => {}
            }
            fake.clear_faults();
            // Its lease expires.
            server.clock.advance_seconds(60);
            fake.set_now(server.state.clock.now_ms());
        }
        let stats = sync_well(&server).await;
        assert_eq!(stats["problems"], 0, "{stats}");
        assert_eq!(fake.rows("synced_subscriptions").len(), 25);
        assert_eq!(fake.rows("synced_users").len(), 26);
        assert_eq!(fake.rows("synced_jobs").len(), 1);
        assert_eq!(fake.rows("synced_output").len(), 1);
        assert_eq!(remote_text(&fake, job, "full_text"), text.join(" "));
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn only_one_run_is_active_and_a_dead_one_is_replaced(backend: Backend) {
    with_world(backend, async |server, _fake| {
        let begin = async || {
            Synchronisation::begin(&server.state.nocodb(), Cause::Admin)
                .await
                .unwrap()
        };
        let first = begin().await;
        assert!(first.is_some());
        assert!(begin().await.is_none());
        server.clock.advance_seconds(46);
        assert!(begin().await.is_some());
        let mut connection = server.state.db.read().await.unwrap();
        let latest = stored::latest(&mut connection).await.unwrap().unwrap();
        assert_ne!(latest.id, first.unwrap().id());
    });
}

#[apply(each_database!)]
fn invalid_rows_are_reported_and_the_others_are_synced(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("olha@example.com").await;
        for bad in [
            json!({"email": "nobody"}),
            json!({"email": "a@example.com", "status": "owner"}),
            json!({"email": "b@example.com", "subscription_id": "many"}),
            json!({"email": format!("{}@example.com", "x".repeat(1000))}),
        ] {
            fake.insert("synced_users", bad);
        }
        fake.insert("synced_users", json!({"email": "fine@example.com"}));
        fake.insert("synced_subscriptions", json!({"name": "", "price": -4}));
        fake.insert(
            "synced_presets",
            json!({"name": "A", "settings": "{\"steal\": 1}"}),
        );
        fake.insert(
            "synced_presets",
            json!({"name": "B", "settings": "{}", "user_id": "somebody",
            "transcription_type": "full"}),
        );
        fake.insert(
            "synced_jobs",
            json!({"my_job_id": "x", "original_filename": "a.wav"}),
        );
        fake.insert(
            "synced_output",
            json!({"my_job_id": "x", "full_text": "forged"}),
        );
        let run = sync(&server).await;
        assert_eq!(run.status.as_str(), "partial");
        let problems = run.problems.as_array().unwrap();
        let codes: Vec<_> = problems
            .iter()
            .map(|problem| {
                format!(
                    "{}.{}",
                    problem["kind"].as_str().unwrap(),
                    problem["code"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(
            codes,
            [
                "plans.invalid",
                "users.invalid",
                "users.invalid",
                "users.invalid",
                "users.invalid",
                "presets.invalid",
                "presets.owner",
                "jobs.unknown_row",
                "outputs.unknown_row"
            ]
        );
        assert_eq!(run.stats["created_here"], 1);
        // The report contains no personal data.
        assert!(!run.problems.to_string().contains("example.com"));
        fake.inject_faults(|request| {
            let is_bad = request.method == Method::POST && request.body.contains("olha2");
            is_bad.then(|| FakeFault::Status(422, Vec::new()))
        });
        server.signup("olha2@example.com").await;
        server.signup("olha3@example.com").await;
        let run = sync(&server).await;
        assert!(run.problems.to_string().contains("\"rejected\""), "{run:?}");
        assert!(
            !run.problems.to_string().contains(super::fake::TOKEN),
            "{run:?}"
        );
        fake.row_with("synced_users", "email", "olha3@example.com");
    });
}
