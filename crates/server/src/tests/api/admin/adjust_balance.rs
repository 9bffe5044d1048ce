//! Adjustments of minutes, and when they are refused.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

#[apply(each_database!)]
fn balance_adjustments_are_audited_and_limited_to_the_minutes_left(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let user = format!("/api/v1/admin/users/{}", me.user_id);
        let adjust = async |operation: &str, minutes: Value| {
            let form = json!({"operation": operation, "minutes": minutes, "reason": "Збій"});
            server
                .post_as(&admin, &format!("{user}/balance"), &form)
                .await
        };
        let refused = async |operation: &str, minutes: Value, code: &str, params: Value| {
            let answer = adjust(operation, minutes).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let expected = json!([{"field": "minutes", "code": code, "params": params}]);
            assert_eq!(answer.json()["errors"], expected);
        };
        refused("add", json!(5), "balance_unlimited", json!({})).await;
        let plan = json!({"name": "Tiny", "currency": "UAH", "price": 0,
            "monthly_minutes_limit": 60.1, "max_file_duration_minutes": null,
            "description": "", "is_active": true, "features": [], "queue_speed": "standard"});
        let plan = server.post_as(&admin, "/api/v1/admin/plans", &plan).await;
        assert_eq!(plan.status, StatusCode::CREATED, "{}", plan.text());
        let plan = json!({"plan_id": plan.json()["id"]});
        let assigned =
            send_json(&server, &admin, Method::PUT, &format!("{user}/plan"), &plan).await;
        assert_eq!(assigned.status, StatusCode::OK, "{}", assigned.text());

        let smallest = json!({"min": 0.01});
        for nothing in [json!(0), json!(0.0), json!(0.004)] {
            refused("add", nothing, "number_too_small", smallest.clone()).await;
        }
        refused(
            "subtract",
            json!(60.11),
            "balance_too_low",
            json!({"left": 60.1}),
        )
        .await;
        // 60.1 + 0.2 is 60.300000000000004 in floating point.
        let added = adjust("add", json!(0.2)).await;
        assert_eq!(added.status, StatusCode::OK, "{}", added.text());
        for figure in [
            "\"plan_limit\":60.1,",
            "\"limit\":60.3,",
            "\"left\":60.3,",
            "\"bonus\":0.2,",
        ] {
            assert!(
                added.text().contains(figure),
                "{figure} in {}",
                added.text()
            );
        }
        // Entries of the same millisecond have no order.
        server.clock.advance_seconds(1);
        let all = adjust("subtract", json!(60.3)).await.json();
        assert_eq!((&all["limit"], &all["left"]), (&json!(0.0), &json!(0.0)));
        refused(
            "subtract",
            json!(0.01),
            "balance_too_low",
            json!({"left": 0.0}),
        )
        .await;
        let log = server.get_as(&admin, "/api/v1/admin/audit").await.json();
        let after = json!({"bonus": -60.1, "limit": 0.0, "reason": "Збій"});
        assert_eq!(log["items"][0]["after"], after);
        // The adjustment ends with the month.
        server.clock.advance_seconds(40 * 24 * 3600);
        let admin = server
            .login("admin@example.com", crate::testing::PASSWORD)
            .await;
        let admin = crate::testing::TestUser::from(&admin.json());
        let next = server
            .get_as(&admin, &format!("{user}/minutes"))
            .await
            .json();
        assert_eq!(
            (&next["limit"], &next["bonus"]),
            (&json!(60.1), &json!(0.0))
        );
    });
}
