//! Plans, balances and plan requests, for users and administrators.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::support::{make_job, upload};
use crate::tests::api::me::support::{complete_next, send_json};

const PLANS: &str = "/api/v1/admin/plans";
const UNKNOWN: &str = "0197f3a0-0000-7000-8000-000000000000";

fn form(name: &str, minutes: &Value) -> Value {
    json!({"name": name, "price": 29, "currency": "usd", "monthly_minutes_limit": minutes,
        "max_file_duration_minutes": 60, "features": ["diarization"], "queue_speed": "fast"})
}

async fn create_plan(server: &TestServer, admin: &TestUser, name: &str, minutes: Value) -> Value {
    let answer = server.post_as(admin, PLANS, &form(name, &minutes)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

async fn set_plan(server: &TestServer, actor: &TestUser, user: &TestUser, plan: &Value) -> Answer {
    let path = format!("/api/v1/admin/users/{}/plan", user.user_id);
    send_json(server, actor, Method::PUT, &path, &json!({"plan_id": plan})).await
}

async fn minutes(server: &TestServer, who: &TestUser) -> Value {
    server.get_as(who, "/api/v1/me/minutes").await.json()
}

/// The actions in the audit log.
async fn audited_actions(server: &TestServer) -> Vec<String> {
    let mut connection = server.state.db.read().await.unwrap();
    let filter = slovo_db::accounts::audit::Filter::default();
    let entries = slovo_db::accounts::audit::list(&mut connection, &filter, None, 99).await;
    let entries = entries.unwrap().into_iter();
    let mut actions: Vec<_> = entries.map(|entry| entry.action).collect();
    actions.sort();
    actions
}

fn welcome() -> Vec<u8> {
    std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap()
}

#[apply(each_database!)]
fn plans_are_created_changed_and_deleted(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let plan = create_plan(&server, &admin, " Pro ", json!(1000)).await;
        assert_eq!(
            (&plan["name"], &plan["currency"], &plan["subscription_id"]),
            (&json!("Pro"), &json!("USD"), &json!(1))
        );
        let path = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
        let other = create_plan(&server, &admin, "Enterprise", Value::Null).await;
        assert_eq!(other["monthly_minutes_limit"], Value::Null);

        let invalid = server.post_as(&admin, PLANS, &form(" ", &json!(-1))).await;
        invalid.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let codes: Vec<_> = invalid.json()["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| error["code"].clone())
            .collect();
        assert_eq!(codes, ["plan_name_required", "number_too_small"]);
        let mut changed = form("Pro 2", &json!(500.25));
        changed["is_active"] = json!(false);
        let answer = send_json(&server, &admin, Method::PUT, &path, &changed).await;
        assert_eq!(answer.json()["monthly_minutes_limit"], 500.25);
        let unknown = format!("{PLANS}/{UNKNOWN}");
        let answer = send_json(&server, &admin, Method::PUT, &unknown, &changed).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");

        // Users see active plans only.
        let visible = server.get_as(&me, "/api/v1/plans").await.json();
        assert_eq!(visible["plans"].as_array().unwrap().len(), 1);
        assert_eq!(visible["plans"][0]["name"], "Enterprise");
        assert!(visible["plans"][0].get("users").is_none());

        assert_eq!(
            set_plan(&server, &admin, &me, &plan["id"]).await.json()["subscription_id"],
            1
        );
        let delete = async || send_json(&server, &admin, Method::DELETE, &path, &json!({})).await;
        delete()
            .await
            .is_problem(StatusCode::CONFLICT, "plan_in_use");
        let all = server.get_as(&admin, PLANS).await.json();
        assert_eq!(
            (&all["plans"][1]["name"], &all["plans"][1]["users"]),
            (&json!("Pro 2"), &json!(1))
        );
        set_plan(&server, &admin, &me, &Value::Null).await;
        assert_eq!(delete().await.status, StatusCode::NO_CONTENT);
        delete()
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        let missing = set_plan(&server, &admin, &me, &json!(UNKNOWN)).await;
        missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        let expected = [
            "plan.create",
            "plan.create",
            "plan.delete",
            "plan.update",
            "user.set_plan",
            "user.set_plan",
        ];
        assert_eq!(audited_actions(&server).await, expected);
    });
}

#[apply(each_database!)]
fn a_plan_limits_minutes_and_features_and_adjustments_add_minutes(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        // The recording takes a few seconds, so a hundredth of a minute is not enough.
        let plan = create_plan(&server, &admin, "Tiny", json!(0.01)).await;
        set_plan(&server, &admin, &me, &plan["id"]).await;
        let id = upload(&server, &me, "a.wav", &welcome()).await;
        let create = async |settings: Value| {
            let body = json!({"upload_id": id, "settings": settings});
            server.post_as(&me, "/api/v1/jobs", &body).await
        };
        let refused = create(json!({"translate": "to_eng", "summarize": 0})).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let error = &refused.json()["errors"][0];
        let expected = json!({"field": "settings.translate", "code": "feature_not_in_plan",
            "params": {"feature": "translation"}});
        assert_eq!(error, &expected);
        let refused = create(json!({})).await;
        assert_eq!(refused.json()["errors"][0]["code"], "minutes_exceeded");

        let balance = format!("/api/v1/admin/users/{}/balance", me.user_id);
        let adjust = async |form: Value| server.post_as(&admin, &balance, &form).await;
        let blank = adjust(json!({"operation": "add", "minutes": 1, "reason": " "})).await;
        assert_eq!(blank.json()["errors"][0]["code"], "reason_required");
        let added = adjust(json!({"operation": "add", "minutes": 1.5, "reason": "Дарунок"})).await;
        assert_eq!(
            (&added.json()["limit"], &added.json()["bonus"]),
            (&json!(1.51), &json!(1.5))
        );
        let job = create(json!({})).await;
        assert_eq!(job.status, StatusCode::CREATED, "{}", job.text());
        let reserved = minutes(&server, &me).await;
        assert!(reserved["reserved"].as_f64().unwrap() > 0.0, "{reserved}");
        assert_eq!(reserved["used"], reserved["reserved"]);

        let path = format!("/api/v1/jobs/{}", job.json()["my_job_id"].as_str().unwrap());
        let cancelled = server
            .post_as(&me, &format!("{path}/cancel"), &json!({}))
            .await;
        assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.text());
        assert_eq!(minutes(&server, &me).await["used"], 0.0);
        let subtracted =
            adjust(json!({"operation": "subtract", "minutes": 1.5, "reason": "Досить"})).await;
        assert_eq!(subtracted.json()["limit"], 0.01);
        let retried = server
            .post_as(&me, &format!("{path}/retry"), &json!({}))
            .await;
        retried.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let unchanged = server.get_as(&me, &path).await.json();
        assert_eq!(unchanged["status"], "cancelled");

        let history = server
            .get_as(&me, "/api/v1/me/usage-history?limit=2")
            .await
            .json();
        let kinds = |page: &Value| {
            let items = page["items"].as_array().unwrap().clone();
            items
                .into_iter()
                .map(|item| item["change_type"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&history), ["adjust", "refund"]);
        assert_eq!(history["items"][0]["description"], "Досить");
        assert_eq!(
            history["items"][1]["change_amount_minutes"], 0.0,
            "reserved and given back"
        );
        let next = format!(
            "/api/v1/admin/users/{}/usage-history?before={}",
            me.user_id, history["next_before"]
        );
        assert_eq!(
            kinds(&server.get_as(&admin, &next).await.json()),
            ["adjust", "plan"]
        );
        let days = server
            .get_as(&me, "/api/v1/me/usage?days=2&offset=120")
            .await
            .json();
        assert_eq!(
            days["days"][1],
            json!({"date": "2026-03-01", "minutes": 0.0, "jobs": 1})
        );
    });
}

#[apply(each_database!)]
fn jobs_of_paid_plans_run_first_and_finished_jobs_are_settled(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let plan = create_plan(&server, &admin, "Pro", json!(100)).await;
        make_job(&server, &admin, "first.wav", &welcome()).await;
        let waiting = make_job(&server, &me, "second.wav", &welcome()).await;
        set_plan(&server, &admin, &me, &plan["id"]).await;
        complete_next(&server, "Слово.").await;
        let path = format!("/api/v1/jobs/{}", waiting["my_job_id"].as_str().unwrap());
        assert_eq!(
            server.get_as(&me, &path).await.json()["status"],
            "completed"
        );
        // Completing the job does not settle its minutes; the periodic task does.
        let mut transaction = server.state.db.write().await.unwrap();
        let now = server.state.clock.now_ms();
        assert_eq!(
            slovo_db::plans::ledger::close_ended(&mut transaction, now)
                .await
                .unwrap(),
            1
        );
        transaction.commit().await.unwrap();
        // Two seconds, rounded up to hundredths of a minute.
        let settled = minutes(&server, &me).await;
        assert_eq!(
            (&settled["used"], &settled["reserved"]),
            (&json!(0.04), &json!(0.0))
        );
    });
}

#[apply(each_database!)]
fn plan_requests_are_approved_declined_or_withdrawn(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let plan = create_plan(&server, &admin, "Pro", json!(1000)).await;
        let request = json!({"plan_id": plan["id"], "message": " Будь ласка "});
        let send_request = async || {
            server.clock.advance_seconds(1);
            server
                .post_as(&me, "/api/v1/me/plan-request", &request)
                .await
        };
        let first = send_request().await;
        assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
        send_request()
            .await
            .is_problem(StatusCode::CONFLICT, "plan_request_open");
        let withdraw = async || {
            send_json(
                &server,
                &me,
                Method::DELETE,
                "/api/v1/me/plan-request",
                &json!({}),
            )
            .await
        };
        assert_eq!(withdraw().await.status, StatusCode::NO_CONTENT);
        withdraw()
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        let second = send_request().await.json();

        let listed = server
            .get_as(&admin, "/api/v1/admin/plan-requests")
            .await
            .json();
        let listed = &listed["requests"];
        assert_eq!(listed.as_array().unwrap().len(), 1);
        assert_eq!(
            (&listed[0]["email"], &listed[0]["message"]),
            (&json!("a@example.com"), &json!("Будь ласка"))
        );
        let decision = |id: &Value| {
            format!(
                "/api/v1/admin/plan-requests/{}/decision",
                id.as_str().unwrap()
            )
        };
        let decide = async |id: &Value, approve: bool| {
            let form = json!({"approve": approve, "answer": "Добре"});
            server.post_as(&admin, &decision(id), &form).await
        };
        let withdrawn = decide(&first.json()["id"], true).await;
        withdrawn.is_problem(StatusCode::CONFLICT, "plan_request_ended");
        assert_eq!(
            decide(&second["id"], false).await.json()["status"],
            "declined"
        );
        let third = send_request().await.json();
        assert_eq!(
            decide(&third["id"], true).await.json()["status"],
            "approved"
        );
        let mine = server.get_as(&me, "/api/v1/me/subscription").await.json();
        assert_eq!(
            (&mine["plan"]["name"], &mine["request"]["status"]),
            (&json!("Pro"), &json!("approved"))
        );
        assert_eq!(
            (&mine["features"], &mine["minutes"]["limit"]),
            (&json!(["diarization"]), &json!(1000.0))
        );
        send_request()
            .await
            .is_problem(StatusCode::CONFLICT, "plan_held_already");
        let expected = [
            "plan.create",
            "plan_request.approve",
            "plan_request.decline",
        ];
        assert_eq!(audited_actions(&server).await, expected);
    });
}

#[apply(each_database!)]
fn invalid_plan_requests_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let plan = create_plan(&server, &admin, "Pro", json!(1000)).await;
        let long = json!({"plan_id": plan["id"], "message": "я".repeat(1001)});
        let long = server.post_as(&me, "/api/v1/me/plan-request", &long).await;
        long.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let unknown = json!({"plan_id": UNKNOWN});
        let unknown = server
            .post_as(&me, "/api/v1/me/plan-request", &unknown)
            .await;
        unknown.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn with_an_external_database_only_users_known_to_it_get_plans(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let plan = create_plan(&server, &admin, "Team", json!(100)).await;
        let execute = async |statement: &str| {
            let mut transaction = server.state.db.write().await.unwrap();
            slovo_db::testing::execute(&mut transaction, statement).await;
            transaction.commit().await.unwrap();
        };
        execute(
            "INSERT INTO nocodb_config (id, api_url, project_id, updated_at) \
             VALUES (1, 'https://base.example.com', 'p1', 1)",
        )
        .await;
        for external_id in ["NULL", "'abc'"] {
            execute(&format!(
                "UPDATE synced_users SET nocodb_user_id = {external_id}"
            ))
            .await;
            let refused = set_plan(&server, &admin, &me, &plan["id"]).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let first = &refused.json()["errors"][0];
            assert_eq!(first["code"], "user_external_id_invalid");
        }
        // Removing the plan does not require it.
        assert_eq!(
            set_plan(&server, &admin, &me, &json!(null)).await.status,
            200
        );
        execute("UPDATE synced_users SET nocodb_user_id = '17'").await;
        let answer = set_plan(&server, &admin, &me, &plan["id"]).await;
        assert_eq!(answer.json()["subscription_id"], plan["subscription_id"]);
    });
}

#[apply(each_database!)]
fn limits_without_a_plan_can_be_set_and_apply_at_once(backend: Backend) {
    const DEMO: &str = "/api/v1/admin/demo-plan";
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let put = async |who: &TestUser, body: &Value| {
            send_json(&server, who, Method::PUT, DEMO, body).await
        };
        let free = server.get_as(&admin, DEMO).await.json();
        assert_eq!(free["monthly_minutes_limit"], Value::Null);
        let narrow = json!({"monthly_minutes_limit": 0.01, "max_file_duration_minutes": 30,
            "features": ["diarization", "diarization"]});
        let refused = put(&me, &narrow).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        for (field, value, code) in [
            ("monthly_minutes_limit", json!(-1), "number_too_small"),
            ("max_file_duration_minutes", json!(1e12), "number_too_large"),
        ] {
            let mut invalid = narrow.clone();
            invalid[field] = value;
            let refused = put(&admin, &invalid).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(refused.json()["errors"][0]["code"], code);
        }
        // serde also accepts a struct as an array of its fields.
        let listed = put(&admin, &json!([null, null])).await;
        listed.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        let mut unknown = narrow.clone();
        unknown["features"] = json!(["everything"]);
        assert!(put(&admin, &unknown).await.status.is_client_error());
        assert_eq!(server.get_as(&admin, DEMO).await.json(), free);

        let saved = put(&admin, &narrow).await;
        assert_eq!(saved.json()["features"], json!(["diarization"]));
        // Setting the same values again changes nothing and is not logged.
        assert_eq!(put(&admin, &saved.json()).await.json(), saved.json());
        assert_eq!(audited_actions(&server).await, ["plan.demo"]);
        assert_eq!(minutes(&server, &me).await["limit"], 0.01);
        let upload = upload(&server, &me, "a.wav", &welcome()).await;
        let job = json!({"upload_id": upload});
        let refused = server.post_as(&me, "/api/v1/jobs", &job).await;
        assert_eq!(refused.json()["errors"][0]["code"], "minutes_exceeded");
        // Accounts with a plan are not affected.
        let plan = create_plan(&server, &admin, "Pro", Value::Null).await;
        set_plan(&server, &admin, &me, &plan["id"]).await;
        let created = server.post_as(&me, "/api/v1/jobs", &job).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
    });
}
