//! Plans of a new server, the trial of a new account, and the plan chosen before sign-up.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_accounts::plan_mails::send_due;
use slovo_accounts::plans::first_plans::{follow_edition, make};
use slovo_accounts::plans::trials::end_expired;
use slovo_mail::CapturedMail;

use crate::testing::{
    Backend, PASSWORD, TestServer, TestUser, apply, each_database, signup_form, with_server,
    with_server_options,
};
use crate::tests::api::me::support::send_json;

const DAY: i64 = 24 * 60 * 60;

/// Startup tasks of the server.
async fn start(server: &TestServer) {
    make(&server.state.plans()).await.unwrap();
    follow_edition(&server.state.plans()).await.unwrap();
}

/// Advances the clock and runs the background tasks.
async fn advance_time(server: &TestServer, seconds: i64) {
    server.clock.advance_seconds(seconds);
    send_due(&server.state.outbox()).await.unwrap();
    end_expired(&server.state.plans()).await.unwrap();
}

/// Signs in again, because sessions are shorter than trials.
async fn log_in_again(server: &TestServer, email: &str) -> TestUser {
    TestUser::from(&server.login(email, PASSWORD).await.json())
}

async fn subscription(server: &TestServer, who: &TestUser) -> Value {
    server.get_as(who, "/api/v1/me/subscription").await.json()
}

async fn plans(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let plans = server.get_as(who, "/api/v1/plans").await.json();
    plans["plans"].as_array().unwrap().clone()
}

/// Mails about plans, by kind.
async fn mails_about_plans(server: &TestServer) -> Vec<CapturedMail> {
    let mut mails = server.mails().await;
    mails.retain(|mail| mail.kind != "code");
    mails
}

/// Signs up with a previously chosen plan.
async fn signup_with(server: &TestServer, email: &str, plan: &Value) -> TestUser {
    let mut form = signup_form(email);
    form["plan"] = plan.clone();
    let registration = server.post("/api/v1/auth/signup", &form).await.json();
    let code = server.last_mail(email).await.code();
    let answer = server.verify(&registration, &code).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    TestUser::from(&answer.json())
}

#[apply(each_database!)]
fn a_new_server_gets_the_three_default_plans_once(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let created = plans(&server, &admin).await;
        let actual = created.iter().map(|plan| {
            let limit = &plan["monthly_minutes_limit"];
            json!([plan["name"], plan["price"], plan["currency"], limit])
        });
        let expected = json!([
            ["Starter", 9.0, "USD", 120.0],
            ["Professional", 29.0, "USD", 1000.0],
            ["Enterprise", 99.0, "USD", null],
        ]);
        assert_eq!(json!(actual.collect::<Vec<_>>()), expected);
        let path = format!("/api/v1/admin/plans/{}", created[2]["id"].as_str().unwrap());
        let deleted = send_json(&server, &admin, Method::DELETE, &path, &json!({})).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        start(&server).await;
        assert_eq!(plans(&server, &admin).await.len(), 2, "it stays deleted");
    });
}

#[apply(each_database!)]
fn a_server_with_accounts_gets_no_default_plans(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        start(&server).await;
        assert!(plans(&server, &me).await.is_empty());
        let other = server.signup("b@example.com").await;
        let current = subscription(&server, &other).await;
        assert_eq!(
            (&current["plan"], &current["minutes"]["limit"]),
            (&Value::Null, &Value::Null)
        );
    });
}

#[apply(each_database!)]
fn a_trial_is_shown_sends_one_reminder_and_ends_in_demo_mode(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let email = "a@example.com";
        let me = server.signup(email).await;
        let locale = json!({"locale": "en"});
        send_json(&server, &me, Method::PUT, "/api/v1/me/preferences", &locale).await;
        let current = subscription(&server, &me).await;
        assert_eq!(current["plan"]["name"], "Professional");
        assert_eq!(current["minutes"]["limit"], 1000.0);
        assert_eq!(current["trial_ends_at"], "2026-03-15T12:00:00Z");

        advance_time(&server, 12 * DAY - 1).await;
        assert!(mails_about_plans(&server).await.is_empty(), "too early");
        advance_time(&server, 1).await;
        advance_time(&server, 60).await;
        let mails = mails_about_plans(&server).await;
        assert_eq!(mails.len(), 1, "{mails:?}");
        let mail = &mails[0];
        assert_eq!(
            (mail.to.as_str(), mail.kind, mail.locale.as_str()),
            (email, "trial_ending", "en")
        );
        assert!(mail.text.contains("Professional") && mail.text.contains("15\u{a0}March"));
        assert!(mail.link().ends_with("/subscription"), "{}", mail.text);

        advance_time(&server, 2 * DAY - 61).await;
        let me = log_in_again(&server, email).await;
        let current = subscription(&server, &me).await;
        assert_eq!(current["plan"]["name"], "Professional", "a second is left");
        advance_time(&server, 1).await;
        let current = subscription(&server, &me).await;
        assert_eq!(
            json!([
                current["plan"],
                current["trial_ends_at"],
                current["features"]
            ]),
            json!([null, null, []])
        );
        assert_eq!(current["minutes"]["limit"], 30.0);
        assert_eq!(mails_about_plans(&server).await.len(), 1);
    });
}

#[apply(each_database!)]
fn an_approved_plan_ends_the_trial_without_a_reminder(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let id = plans(&server, &admin).await[1]["id"].clone();
        // A plan on trial can be requested, and is kept from then on.
        let form = json!({"plan_id": id});
        let requested = server.post_as(&me, "/api/v1/me/plan-request", &form).await;
        assert_eq!(
            requested.status,
            StatusCode::CREATED,
            "{}",
            requested.text()
        );
        let request = requested.json()["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/admin/plan-requests/{request}/decision");
        let decision = json!({"approve": true, "answer": "Вітаємо!\n<b>Рахунок</b> надішлемо."});
        let decided = server.post_as(&admin, &path, &decision).await;
        assert_eq!(decided.status, StatusCode::OK, "{}", decided.text());
        let current = subscription(&server, &me).await;
        assert_eq!(
            json!([current["plan"]["name"], current["trial_ends_at"]]),
            json!(["Professional", null])
        );
        advance_time(&server, 0).await;
        advance_time(&server, 15 * DAY).await;
        let mails = mails_about_plans(&server).await;
        let kinds: Vec<_> = mails
            .iter()
            .map(|mail| (mail.to.as_str(), mail.kind))
            .collect();
        let expected = [("a@example.com", "plan_approved")];
        assert_eq!(kinds, expected);
        assert!(mails[0].text.contains("Рахунок") && !mails[0].html.contains("<b>Рахунок"));
        let me = log_in_again(&server, "a@example.com").await;
        let current = subscription(&server, &me).await;
        assert_eq!(current["plan"]["name"], "Professional", "it is no trial");
        let again = server.post_as(&me, "/api/v1/me/plan-request", &form).await;
        again.is_problem(StatusCode::CONFLICT, "plan_held_already");
    });
}

#[apply(each_database!)]
fn a_plan_chosen_before_signup_becomes_a_plan_request(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let starter = plans(&server, &admin).await[0]["id"].clone();
        let me = signup_with(&server, "a@example.com", &starter).await;
        let current = subscription(&server, &me).await;
        assert_eq!(
            json!([
                current["request"]["status"],
                current["request"]["plan_name"]
            ]),
            json!(["open", "Starter"])
        );
        let path = "/api/v1/admin/plan-requests";
        let requests = server.get_as(&admin, path).await.json();
        assert_eq!(requests["requests"][0]["email"], "a@example.com");
        let id = requests["requests"][0]["id"].as_str().unwrap();
        let decision = json!({"approve": false});
        let path = format!("{path}/{id}/decision");
        server.post_as(&admin, &path, &decision).await;
        advance_time(&server, 0).await;
        let mails = mails_about_plans(&server).await;
        assert_eq!((mails.len(), mails[0].kind), (1, "plan_declined"));
        assert_eq!(mails[0].locale.as_str(), "uk");

        // An unknown plan is ignored; an invalid id is rejected.
        let unknown = json!("0197f3a0-0000-7000-8000-000000000000");
        let other = signup_with(&server, "b@example.com", &unknown).await;
        assert_eq!(subscription(&server, &other).await["request"], Value::Null);
        let mut form = signup_form("c@example.com");
        form["plan"] = json!("'; DROP TABLE accounts");
        let refused = server.post("/api/v1/auth/signup", &form).await;
        assert!(refused.status.is_client_error(), "{}", refused.text());
    });
}

#[apply(each_database!)]
fn administrators_are_mailed_whether_a_plan_is_to_be_kept_or_changed(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let listed = plans(&server, &admin).await;
        let path = "/api/v1/me/plan-request";
        let next_mail = async || {
            slovo_accounts::admin_notices::send_due(&server.state.outbox())
                .await
                .unwrap();
            server.last_mail("admin@example.com").await
        };
        for (number, keeps, kind) in [(1, true, "plan_kept"), (0, false, "plan_request")] {
            server.clock.advance_seconds(1);
            let form = json!({"plan_id": listed[number]["id"]});
            let requested = server.post_as(&me, path, &form).await;
            assert_eq!(
                requested.status,
                StatusCode::CREATED,
                "{}",
                requested.text()
            );
            let open = server.get_as(&admin, "/api/v1/admin/plan-requests").await;
            assert_eq!(open.json()["requests"][0]["keeps"], keeps);
            assert_eq!(next_mail().await.kind, kind);
            send_json(&server, &me, Method::DELETE, path, &json!({})).await;
        }
        // A plan chosen before sign-up is a normal request.
        signup_with(&server, "b@example.com", &listed[0]["id"]).await;
        let mail = next_mail().await;
        assert_eq!(mail.kind, "plan_request");
        assert!(mail.text.contains("b@example.com"), "{}", mail.text);
    });
}

#[apply(each_database!)]
fn the_organisation_edition_has_no_limits_and_ends_trials(backend: Backend) {
    with_server_options(backend, &["--edition", "organisation"], async |server| {
        start(&server).await;
        let me = server.signup("a@example.com").await;
        let current = subscription(&server, &me).await;
        assert_eq!(
            json!([
                current["plan"],
                current["trial_ends_at"],
                current["minutes"]["limit"]
            ]),
            json!([null, null, null])
        );
        assert_eq!(plans(&server, &me).await.len(), 3);
        // A trial from before the administrator chose the organisation edition.
        let ends_at = server.state.clock.now_ms() + DAY * 1000;
        let mut transaction = server.state.db.write().await.unwrap();
        let list = slovo_db::plans::list(&mut transaction).await.unwrap();
        slovo_db::plans::ledger::begin_trial(&mut transaction, &me.user_id, &list[0], ends_at, 5)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        advance_time(&server, 0).await;
        assert_eq!(subscription(&server, &me).await["plan"], Value::Null);
        let page = server.get("/pricing?lang=en").await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        assert!(!page.text().contains("$29"));
    });
}

#[apply(each_database!)]
fn the_pricing_page_lists_the_plans_of_this_server(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let listed = plans(&server, &admin).await;
        let id = |number: usize| listed[number]["id"].as_str().unwrap().to_owned();
        let page = server.get("/pricing?lang=en").await.text();
        assert!(page.contains("$29") && page.contains(&format!("/signup?plan={}", id(1))));
        assert!(page.contains("API access"));
        for unsupported in ["SSO", "Zoom"] {
            assert!(!page.contains(unsupported), "{unsupported}");
        }
        assert!(page.contains("14\u{a0}days"));

        let mut changed = listed[1].clone();
        (changed["price"], changed["is_active"]) = (json!(35.5), json!(true));
        let path = format!("/api/v1/admin/plans/{}", id(1));
        send_json(&server, &admin, Method::PUT, &path, &changed).await;
        server.clock.advance_seconds(5);
        let page = server.get("/pricing?lang=en").await.text();
        assert!(page.contains("$35.50") && !page.contains("$29"));
        assert!(
            page.contains("\"price\":35.5"),
            "machines are told the same"
        );

        // A deactivated plan is neither sold nor offered on trial.
        changed["is_active"] = json!(false);
        send_json(&server, &admin, Method::PUT, &path, &changed).await;
        server.clock.advance_seconds(5);
        let page = server.get("/pricing?lang=en").await.text();
        assert!(!page.contains("$35.50") && !page.contains("14\u{a0}days"));
        assert!(page.contains("30\u{a0}days"), "money is still given back");
        let me = server.signup("a@example.com").await;
        assert_eq!(subscription(&server, &me).await["plan"], Value::Null);
    });
}

#[apply(each_database!)]
fn administrators_set_the_trial_terms_and_the_pages_show_them(backend: Backend) {
    with_server(backend, async |server| {
        start(&server).await;
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let starter = plans(&server, &admin).await[0]["id"].clone();
        let path = "/api/v1/admin/plan-terms";
        let terms = server.get_as(&admin, path).await.json();
        assert_eq!(
            json!([terms["trial_days"], terms["refund_days"], terms["in_force"]]),
            json!([14, 30, true])
        );
        let new_terms = json!({"trial_plan": starter, "trial_days": 7, "refund_days": 0});
        let forbidden = send_json(&server, &me, Method::PUT, path, &new_terms).await;
        forbidden.is_problem(StatusCode::FORBIDDEN, "forbidden");
        for (field, value) in [
            ("trial_days", json!(367)),
            ("refund_days", json!(4_000_000_000_u32)),
            ("trial_plan", json!("0197f3a0-0000-7000-8000-000000000000")),
        ] {
            let mut wrong = new_terms.clone();
            wrong[field] = value;
            let answer = send_json(&server, &admin, Method::PUT, path, &wrong).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        for missing in ["trial_days", "refund_days", "trial_plan"] {
            let mut incomplete = new_terms.clone();
            incomplete.as_object_mut().unwrap().remove(missing);
            let answer = send_json(&server, &admin, Method::PUT, path, &incomplete).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
        let unchanged = server.get_as(&admin, path).await.json();
        assert_eq!(unchanged, terms, "what is refused changes nothing");
        let set = send_json(&server, &admin, Method::PUT, path, &new_terms).await;
        assert_eq!(set.json()["trial_days"], 7, "{}", set.text());
        let other = server.signup("b@example.com").await;
        let current = subscription(&server, &other).await;
        assert_eq!(
            json!([current["plan"]["name"], current["trial_ends_at"]]),
            json!(["Starter", "2026-03-08T12:00:00Z"])
        );
        server.clock.advance_seconds(5);
        let about = server.get("/about?lang=en").await.text();
        assert!(about.contains("7\u{a0}days of the Starter"));
        assert!(!about.contains("30\u{a0}days"), "no money is given back");
    });
}
