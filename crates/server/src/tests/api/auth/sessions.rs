use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};

use crate::testing::{Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server};

const PATH: &str = "/api/v1/auth/sessions";

async fn login_with(server: &TestServer, agent: &str) -> TestUser {
    let form = json!({"email": "a@example.com", "password": PASSWORD, "remember": true});
    let request = Request::post("/api/v1/auth/login")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, agent)
        .body(Body::from(form.to_string()))
        .unwrap();
    let answer = server.send(request).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    TestUser::from(&answer.json())
}

async fn sessions(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let list = server.get_as(who, PATH).await.json();
    list["sessions"].as_array().unwrap().clone()
}

async fn revoke(server: &TestServer, who: &TestUser, id: &str) -> StatusCode {
    let request = server.request(Method::DELETE, &format!("{PATH}/{id}"), who);
    let answer = server.send(request.body(Body::empty()).unwrap()).await;
    answer.status
}

#[apply(each_database!)]
fn sessions_are_listed_and_ended_one_by_one(backend: Backend) {
    with_server(backend, async |server| {
        let first = server.signup("a@example.com").await;
        server.clock.advance_seconds(60);
        let phone = login_with(&server, "Phone/1.0").await;
        let all = sessions(&server, &phone).await;
        assert_eq!(all.len(), 2);
        assert_eq!(all[0]["user_agent"], "Phone/1.0");
        assert_eq!(all[0]["address"], "192.0.2.1");
        assert_eq!(
            (&all[0]["current"], &all[1]["current"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(all[0]["last_used_at"], "2026-03-01T12:01:00Z");

        let id = all[1]["id"].as_str().unwrap();
        assert_eq!(revoke(&server, &phone, id).await, StatusCode::NO_CONTENT);
        let refused = server.me(&first).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(revoke(&server, &phone, id).await, StatusCode::NOT_FOUND);
        assert_eq!(sessions(&server, &phone).await.len(), 1);
    });
}

#[apply(each_database!)]
fn a_refresh_updates_the_time_of_last_use(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        server.clock.advance_seconds(600);
        let form = json!({"refresh_token": signed.refresh_token});
        let next = server.post("/api/v1/auth/refresh", &form).await.json();
        let all = sessions(&server, &TestUser::from(&next)).await;
        assert_eq!(all[0]["created_at"], "2026-03-01T12:00:00Z");
        assert_eq!(all[0]["last_used_at"], "2026-03-01T12:10:00Z");
    });
}

#[apply(each_database!)]
fn all_other_sessions_can_be_ended_together(backend: Backend) {
    with_server(backend, async |server| {
        let current = server.signup("a@example.com").await;
        let other = login_with(&server, "x").await;
        login_with(&server, "y").await;
        let stranger = server.signup("b@example.com").await;
        let answer = server
            .post_as(&current, &format!("{PATH}/revoke-others"), &json!({}))
            .await;
        assert_eq!(answer.json(), json!({"ended": 2}));
        assert_eq!(server.me(&current).await.status, StatusCode::OK);
        assert_eq!(server.me(&stranger).await.status, StatusCode::OK);
        let refused = server.me(&other).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn sessions_of_other_users_cannot_be_ended(backend: Backend) {
    with_server(backend, async |server| {
        let owner = server.signup("a@example.com").await;
        let stranger = server.signup("b@example.com").await;
        let id = sessions(&server, &owner).await[0]["id"].clone();
        let status = revoke(&server, &stranger, id.as_str().unwrap()).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(revoke(&server, &stranger, "x").await, StatusCode::NOT_FOUND);
        assert_eq!(server.me(&owner).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn long_user_agents_are_shortened(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        let signed = login_with(&server, &"<b>x</b>".repeat(1000)).await;
        let all = sessions(&server, &signed).await;
        // The other session, from the sign-up, has no user agent.
        let agent = all
            .iter()
            .find_map(|session| session["user_agent"].as_str());
        let agent = agent.unwrap();
        assert_eq!(agent.chars().count(), 400);
    });
}
