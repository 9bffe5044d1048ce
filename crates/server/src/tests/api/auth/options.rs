use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{Backend, apply, each_database, with_server, with_server_options};

#[apply(each_database!)]
fn an_unconfigured_server_lists_its_options(backend: Backend) {
    with_server(backend, async |server| {
        let options = server.get("/api/v1/auth/options").await.json();
        assert_eq!(
            options,
            json!({"google": false, "provider": null, "provider_is_google": false,
                "provider_mark": null, "sign_up": true, "mail": true, "chosen_plan": null})
        );
    });
}

#[apply(each_database!)]
fn a_chosen_plan_is_named_only_if_it_is_on_the_price_list(backend: Backend) {
    for (edition, starter, hidden) in [
        ("service", json!("Starter"), Value::Null),
        ("organisation", Value::Null, Value::Null),
    ] {
        with_server_options(backend, &["--edition", edition], async |server| {
            slovo_accounts::plans::first_plans::make(&server.state.plans())
                .await
                .unwrap();
            let admin = server.signup("admin@example.com").await;
            let form = json!({"name": "Secret", "is_active": false});
            let created = server.post_as(&admin, "/api/v1/admin/plans", &form).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
            let plans = server.get_as(&admin, "/api/v1/admin/plans").await.json();
            let plans = plans["plans"].as_array().unwrap().clone();
            for (name, expected) in [("Starter", &starter), ("Secret", &hidden)] {
                let plan = plans.iter().find(|plan| plan["name"] == name).unwrap();
                let id = plan["id"].as_str().unwrap();
                let path = format!("/api/v1/auth/options?plan={id}");
                let options = server.get(&path).await.json();
                assert_eq!(&options["chosen_plan"], expected, "{edition} {name}");
            }
            let unknown = "/api/v1/auth/options?plan=0197f3a0-0000-7000-8000-000000000000";
            let options = server.get(unknown).await.json();
            assert_eq!(options["chosen_plan"], Value::Null);
            let malformed = server.get("/api/v1/auth/options?plan=%3Cb%3E").await;
            malformed.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        });
    }
}
