use axum::body::Body;
use axum::http::{Request, StatusCode};

use crate::testing::{Backend, apply, assert_answer, each_database, with_server};

const PATH: &str = "/api/v1/auth/me";

#[apply(each_database!)]
fn the_signed_in_account_is_returned(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        let now = server.state.clock.now_ms();
        let mut transaction = server.state.db.write().await.unwrap();
        let name = "Леся Українка";
        slovo_db::accounts::profiles::set_fullname(&mut transaction, &signed.user_id, name, now)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_answer!("me", server.me(&signed).await);
    });
}

#[apply(each_database!)]
fn requests_without_a_valid_token_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        assert_answer!("me_nobody", server.get(PATH).await);
        let token = server.signup("a@example.com").await.access_token;
        for (header, passes) in [
            (format!("Bearer {token}"), true),
            (format!("bearer {token}"), true),
            (token.clone(), false),
            (format!("Basic {token}"), false),
            (format!("Bearer{token}"), false),
            ("Bearer ".to_owned(), false),
            (format!("Bearer {token}x"), false),
            (format!("Bearer {}", token.replace('.', "")), false),
        ] {
            let request = Request::get(PATH).header("authorization", &header);
            let answer = server.send(request.body(Body::empty()).unwrap()).await;
            let expected = if passes {
                StatusCode::OK
            } else {
                StatusCode::UNAUTHORIZED
            };
            assert_eq!(answer.status, expected, "{header}");
        }
        let twice = Request::get(PATH)
            .header("authorization", format!("Bearer {token}"))
            .header("authorization", "Bearer other");
        let answer = server.send(twice.body(Body::empty()).unwrap()).await;
        answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let in_query = server.get(&format!("{PATH}?access_token={token}")).await;
        in_query.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}
