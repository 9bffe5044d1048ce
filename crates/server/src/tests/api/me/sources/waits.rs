//! What recordings of a source wait for, and what does not have to wait with them.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::super::support::send_json;
use super::support::{
    SOURCES, add, check, jobs, look, mixed, podcast, recordings, sign_in, source, with_remote,
    with_remote_and_admin,
};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database};

/// Name, state and code of the problem of each recording, by name.
async fn states(server: &TestServer, who: &TestUser, id: &str) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let found = recordings(server, who, id).await;
    let states = found.iter().map(|it| {
        let code = &it["problem"]["code"];
        (text(&it["name"]), text(&it["state"]), text(code))
    });
    let mut states: Vec<_> = states.collect();
    states.sort();
    states
}

fn is(states: &[(String, String, String)], expected: [(&str, &str, &str); 2]) {
    let states = states
        .iter()
        .map(|(name, state, code)| (&**name, &**state, &**code));
    assert_eq!(states.collect::<Vec<_>>(), expected);
}

/// Gives the user a plan.
async fn give_plan(server: &TestServer, admin: &TestUser, who: &TestUser, plan: Value) {
    let mut form = json!({"price": 0, "currency": "uah", "max_file_duration_minutes": null,
        "queue_speed": "standard"});
    let fields = plan.as_object().unwrap().clone();
    form.as_object_mut().unwrap().extend(fields);
    let plan = server.post_as(admin, "/api/v1/admin/plans", &form).await;
    assert_eq!(plan.status, StatusCode::CREATED, "{}", plan.text());
    let path = format!("/api/v1/admin/users/{}/plan", who.user_id);
    let body = json!({"plan_id": plan.json()["id"]});
    let set = send_json(server, admin, Method::PUT, &path, &body).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text());
}

#[apply(each_database!)]
fn one_that_cannot_be_read_is_tried_again_and_stops_no_other(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let id = mixed(server, ada, remote, None).await;
        assert!(look(server).await);
        server.clock.advance_seconds(60);
        assert!(look(server).await);
        let broken = ("a.wav", "waiting", "source_refused");
        is(
            &states(server, ada, &id).await,
            [broken, ("b.wav", "started", "")],
        );
        let tries = || remote.paths("/mixed/a.wav").len();
        assert_eq!(tries(), 1);
        check(server, ada, &id).await;
        assert_eq!(tries(), 1, "it was tried again at once");
        // Twice the interval, then twice that.
        server.clock.advance_seconds(10 * 60);
        assert!(look(server).await);
        assert_eq!(tries(), 2);
        server.clock.advance_seconds(19 * 60);
        while look(server).await {}
        assert_eq!(tries(), 2);
        for _ in 0..20 {
            server.clock.advance_seconds(6 * 60 * 60);
            while look(server).await {}
        }
        assert_eq!(tries(), 12);
        let ada = &sign_in(server).await;
        let given_up = ("a.wav", "failed", "source_refused");
        is(
            &states(server, ada, &id).await,
            [given_up, ("b.wav", "started", "")],
        );
        assert_eq!(remote.paths("/mixed/b.wav").len(), 1);
    });
}

#[apply(each_database!)]
fn an_address_that_is_not_permitted_fails_alone(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let form = json!({"name": "Подкаст", "kind": "podcast", "location": remote.url("/odd.xml"),
            "is_active": true, "take_existing": true});
        let id = add(server, ada, &form).await;
        assert!(look(server).await);
        let found = recordings(server, ada, &id).await;
        let failed = (&found[0]["state"], &found[0]["problem"]["code"]);
        assert_eq!(failed, (&json!("failed"), &json!("url_invalid")));
    });
}

#[apply(each_database!)]
fn nothing_is_fetched_without_minutes_or_features(backend: Backend) {
    with_remote_and_admin(backend, async |server, admin, ada, remote| {
        let preset = json!({"name": "Переклад", "category": "media", "is_public": false,
            "is_default": false,
            "settings": {"language_code": "uk", "translate": "to_eng"}});
        let preset = server.post_as(ada, "/api/v1/presets", &preset).await;
        assert_eq!(preset.status, StatusCode::CREATED, "{}", preset.text());
        let basic = json!({"name": "Basic", "monthly_minutes_limit": 0.01, "features": []});
        give_plan(server, admin, ada, basic).await;
        let id = mixed(server, ada, remote, Some(&preset.json()["id"])).await;
        let fetched = || remote.paths("/mixed/").len() - remote.paths("/mixed/?").len();
        assert!(look(server).await);
        server.clock.advance_seconds(60);
        assert!(look(server).await);
        // The first one says why, and all wait for it.
        let lacks = ("a.wav", "waiting", "feature_not_in_plan");
        is(
            &states(server, ada, &id).await,
            [lacks, ("b.wav", "waiting", "")],
        );
        let lists = 2;
        assert_eq!(fetched(), lists);

        let translates = json!({"name": "Translates", "monthly_minutes_limit": 0.01,
            "features": ["translation"]});
        give_plan(server, admin, ada, translates).await;
        let balance = format!("/api/v1/admin/users/{}/balance", ada.user_id);
        let nothing = json!({"operation": "subtract", "minutes": 0.01, "reason": "x"});
        let taken = server.post_as(admin, &balance, &nothing).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.text());
        check(server, ada, &id).await;
        let lacks = ("a.wav", "waiting", "minutes_exceeded");
        is(
            &states(server, ada, &id).await,
            [lacks, ("b.wav", "waiting", "")],
        );
        assert_eq!(fetched(), lists + 1);

        let more = json!({"operation": "add", "minutes": 5, "reason": "x"});
        server.post_as(admin, &balance, &more).await;
        check(server, ada, &id).await;
        let broken = ("a.wav", "waiting", "source_refused");
        is(
            &states(server, ada, &id).await,
            [broken, ("b.wav", "started", "")],
        );
    });
}

#[apply(each_database!)]
fn one_that_is_too_long_for_what_is_left_waits_for_the_next_month(backend: Backend) {
    with_remote_and_admin(backend, async |server, admin, ada, remote| {
        let tiny = json!({"name": "Tiny", "monthly_minutes_limit": 0.01, "features": []});
        give_plan(server, admin, ada, tiny).await;
        let id = mixed(server, ada, remote, None).await;
        assert!(look(server).await);
        server.clock.advance_seconds(60);
        assert!(look(server).await);
        let broken = ("a.wav", "waiting", "source_refused");
        let too_long = ("b.wav", "waiting", "minutes_exceeded");
        is(&states(server, ada, &id).await, [broken, too_long]);
        for _ in 0..20 {
            server.clock.advance_seconds(6 * 60 * 60);
            while look(server).await {}
        }
        // It is not given up, however often it was tried.
        let ada = &sign_in(server).await;
        let given_up = ("a.wav", "failed", "source_refused");
        is(&states(server, ada, &id).await, [given_up, too_long]);
    });
}

#[apply(each_database!)]
fn another_place_is_another_list_and_another_token_is_not(backend: Backend) {
    with_remote(backend, async |server, ada, remote| {
        let id = podcast(server, ada, remote, true).await;
        assert!(look(server).await);
        assert_eq!(jobs(server, ada).await.len(), 2);
        let move_to = async |path: &str| {
            server.clock.advance_seconds(1);
            let form = json!({"name": "Подкаст", "kind": "podcast", "location": remote.url(path),
                "is_active": true, "take_existing": true});
            let path = format!("{SOURCES}/{id}");
            let moved = send_json(server, ada, Method::PUT, &path, &form).await;
            assert_eq!(moved.status, StatusCode::OK, "{}", moved.text());
            moved.json()["counts"].clone()
        };
        let none = json!({"skipped": 0, "waiting": 0, "started": 0, "failed": 0});
        let both = json!({"skipped": 0, "waiting": 0, "started": 2, "failed": 0});
        assert_eq!(move_to("/feed.xml?token=2").await, both);
        assert!(look(server).await);
        assert_eq!(jobs(server, ada).await.len(), 2);
        assert_eq!(move_to("/moved.xml").await, none);
        assert!(look(server).await);
        assert_eq!(jobs(server, ada).await.len(), 4);

        // What is deleted in the library is not counted as being there.
        for job in jobs(server, ada).await {
            let path = format!("/api/v1/jobs/{}", job["my_job_id"].as_str().unwrap());
            send_json(server, ada, Method::DELETE, &path, &json!(null)).await;
        }
        assert_eq!(source(server, ada, &id).await["counts"], none);
        check(server, ada, &id).await;
        assert_eq!(jobs(server, ada).await.len(), 0);
    });
}
