//! Minutes used in a month.

use serde_json::{Value, json};
use slovo_db::jobs::{self, NewJob};
use slovo_db::lifecycle;
use slovo_db::plans::ledger;
use slovo_platform::clock::Clock;
use slovo_rules::Valid;
use slovo_work::minutes;
use uuid::Uuid;

use crate::testing::{Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::support::send;

const DAY: i64 = 24 * 60 * 60;

/// A job with a recording of this duration in seconds, created now.
async fn job(server: &TestServer, who: &TestUser, duration: Option<f64>) -> Uuid {
    let new = NewJob {
        id: Uuid::new_v4(),
        user_id: who.user_id.clone(),
        media_id: Uuid::new_v4(),
        original_filename: "a.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now: server.clock.now_ms(),
    };
    let mut transaction = server.state.db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &new).await.unwrap();
    let created = jobs::find_any(&mut transaction, new.id)
        .await
        .unwrap()
        .unwrap();
    let reserved = minutes::reserve(&mut transaction, &created, new.now).await;
    reserved.unwrap().unwrap();
    transaction.commit().await.unwrap();
    new.id
}

async fn reported_minutes(server: &TestServer, email: &str) -> Value {
    let who = TestUser::from(&server.login(email, PASSWORD).await.json());
    server.get_as(&who, "/api/v1/me/minutes").await.json()
}

/// Completes a job with a text, and settles its minutes.
async fn complete_and_settle(server: &TestServer, id: Uuid) {
    let mut transaction = server.state.db.write().await.unwrap();
    let statement = format!("UPDATE synced_jobs SET status = 'completed' WHERE my_job_id = '{id}'");
    slovo_db::testing::execute(&mut transaction, &statement).await;
    let closed = ledger::close(&mut transaction, id, server.clock.now_ms()).await;
    closed.unwrap();
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn jobs_of_this_month_count_except_cancelled_ones(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let nothing = json!({"plan": null, "plan_limit": null, "limit": null, "used": 0.0, "reserved": 0.0,
            "bonus": 0.0, "left": null, "max_file_duration": null,
            "reset_at": "2026-04-01T00:00:00Z"});
        assert_eq!(reported_minutes(&server, "a@example.com").await, nothing);
        // Each job is rounded up to hundredths of a minute separately.
        job(&server, &me, Some(0.1)).await;
        job(&server, &me, Some(0.1)).await;
        job(&server, &me, Some(90.0)).await;
        job(&server, &me, None).await;
        job(&server, &other, Some(600.0)).await;
        let cancelled = job(&server, &me, Some(6000.0)).await;
        let path = format!("/api/v1/jobs/{cancelled}/cancel");
        send(&server, &me, axum::http::Method::POST, &path).await;
        assert_eq!(
            reported_minutes(&server, "a@example.com").await["used"],
            1.52
        );
        assert_eq!(
            reported_minutes(&server, "b@example.com").await["used"],
            10.0
        );
    });
}

#[apply(each_database!)]
fn a_month_ends_at_midnight_in_utc(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // From noon of 1 March to the last second of 31 March.
        server.clock.advance_seconds(30 * DAY + DAY / 2 - 1);
        let job_id = job(&server, &me, Some(60.0)).await;
        let march = reported_minutes(&server, "a@example.com").await;
        assert_eq!(
            (&march["used"], &march["reset_at"]),
            (&json!(1.0), &json!("2026-04-01T00:00:00Z"))
        );
        complete_and_settle(&server, job_id).await;
        server.clock.advance_seconds(1);
        let job_id = job(&server, &me, Some(120.0)).await;
        let april = reported_minutes(&server, "a@example.com").await;
        assert_eq!(
            (&april["used"], &april["reset_at"]),
            (&json!(2.0), &json!("2026-05-01T00:00:00Z"))
        );
        complete_and_settle(&server, job_id).await;
        server.clock.advance_seconds(260 * DAY);
        let december = reported_minutes(&server, "a@example.com").await;
        assert_eq!(december["used"], 0.0);
        assert_eq!(december["reset_at"], "2027-01-01T00:00:00Z");
    });
}
