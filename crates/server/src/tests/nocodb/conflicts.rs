//! Rows changed on both sides: the newer change wins.

use serde_json::{Value, json};
use slovo_db::nocodb as stored;

use super::world::{assert_settled, finished_job, last, plan, remote_text, sync_well, with_world};
use crate::testing::{Backend, TestServer, apply, each_database};

async fn rename(server: &TestServer, id: uuid::Uuid, name: &str) {
    let mut transaction = server.state.db.write().await.unwrap();
    let plan = slovo_db::plans::get(&mut transaction, id)
        .await
        .unwrap()
        .unwrap();
    let mut form = plan.form;
    form.name = name.to_owned();
    let form = slovo_rules::plan::validate(&form).unwrap();
    let now = server.state.clock.now_ms();
    assert!(
        slovo_db::plans::update(&mut transaction, id, &form, now)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
}

async fn name_of(server: &TestServer, id: uuid::Uuid) -> String {
    let mut connection = server.state.db.read().await.unwrap();
    let plan = slovo_db::plans::get(&mut connection, id)
        .await
        .unwrap()
        .unwrap();
    plan.form.name
}

async fn conflicts(server: &TestServer) -> Vec<stored::Conflict> {
    let run = last(server).await;
    let mut connection = server.state.db.read().await.unwrap();
    stored::conflicts(&mut connection, run.id, 10)
        .await
        .unwrap()
}

#[apply(each_database!)]
fn the_newer_change_wins_on_both_sides_and_the_other_is_reported(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("admin@example.com").await;
        let id = plan(&server, "Перший").await;
        sync_well(&server).await;
        let (row, _) = fake.row_with("synced_subscriptions", "slovo_id", &id.to_string());

        // Ours first, then theirs.
        server.clock.advance_seconds(60);
        rename(&server, id, "Наш старіший").await;
        server.clock.advance_seconds(60);
        fake.set_now(server.state.clock.now_ms());
        fake.change(
            "synced_subscriptions",
            row,
            json!({"name": "Їхній новіший"}),
        );
        server.clock.advance_seconds(60);
        let stats = sync_well(&server).await;
        assert_eq!(stats["conflicts"], 1, "{stats}");
        assert_eq!(name_of(&server, id).await, "Їхній новіший");
        let reported = conflicts(&server).await;
        assert!(!reported[0].ours_stands);
        assert_eq!(reported[0].fields, ["name"]);
        assert_eq!(reported[0].lost.as_ref().unwrap()["name"], "Наш старіший");
        assert_settled(&server, &fake).await;

        // Theirs first, then ours.
        fake.set_now(server.state.clock.now_ms());
        fake.change(
            "synced_subscriptions",
            row,
            json!({"name": "Їхній старіший"}),
        );
        server.clock.advance_seconds(60);
        rename(&server, id, "Наш новіший").await;
        let stats = sync_well(&server).await;
        assert_eq!(stats["conflicts"], 1, "{stats}");
        assert_eq!(name_of(&server, id).await, "Наш новіший");
        let (_, remote) = fake.row_with("synced_subscriptions", "slovo_id", &id.to_string());
        assert_eq!(remote["name"], "Наш новіший");
        let reported = conflicts(&server).await;
        assert!(reported[0].ours_stands);
        assert_eq!(reported[0].lost.as_ref().unwrap()["name"], "Їхній старіший");
        assert_settled(&server, &fake).await;

        // Identical changes on both sides are no conflict.
        fake.set_now(server.state.clock.now_ms());
        fake.change("synced_subscriptions", row, json!({"name": "Однаковий"}));
        rename(&server, id, "Однаковий").await;
        let stats = sync_well(&server).await;
        assert_eq!(stats["conflicts"], 0, "{stats}");
    });
}

#[apply(each_database!)]
fn conflicts_in_user_rows_report_only_field_names(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        sync_well(&server).await;
        let (row, _) = fake.row_with("synced_users", "email", "olha@example.com");
        server.clock.advance_seconds(60);
        let mut transaction = server.state.db.write().await.unwrap();
        let now = server.state.clock.now_ms();
        slovo_db::accounts::blocking::block(&mut transaction, &olha.user_id, now)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        fake.set_now(server.state.clock.now_ms() + 1000);
        fake.change("synced_users", row, json!({"first_name": "Ольга"}));
        let stats = sync_well(&server).await;
        assert_eq!(stats["conflicts"], 1, "{stats}");
        let reported = conflicts(&server).await;
        assert_eq!(reported[0].lost, None);
        assert_eq!(reported[0].fields, ["first_name", "status"]);
    });
}

#[apply(each_database!)]
fn a_text_edited_in_nocodb_is_reverted_and_reported(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        let job = finished_job(&server, &olha.user_id, &["Так.".to_owned()]).await;
        sync_well(&server).await;
        // Immediately, before the next run has read the rows back.
        let (row, _) = fake.row_with("synced_output", "my_job_id", &job.to_string());
        fake.set_now(server.state.clock.now_ms());
        fake.change("synced_output", row, json!({"full_text": "Ні."}));
        let stats = sync_well(&server).await;
        assert_eq!(
            (&stats["put_back"], &stats["conflicts"]),
            (&json!(1), &json!(0)),
            "{stats}"
        );
        let reported = conflicts(&server).await;
        assert!(reported[0].ours_stands && reported[0].is_put_back);
        assert_eq!(reported[0].fields, ["full_text"]);
        // The report must not contain text that users typed.
        assert_eq!(reported[0].lost, None::<Value>);
        assert_eq!(remote_text(&fake, job, "full_text"), "Так.");
        assert_settled(&server, &fake).await;
    });
}
