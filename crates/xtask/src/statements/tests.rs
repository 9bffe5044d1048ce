//! The check on statements that have a name and statements that have none.

use super::unnamed;

/// The lines at which a statement without a name is found in a function with this body.
fn lines(body: &str) -> Vec<usize> {
    let text = format!(
        "statements! {{ const NAMED: BOTH = \"SELECT 1\"; }}\nconst PLAIN: &str = \"SELECT 1\";\n\
         async fn run(given: &'static str) {{\n{body}\n}}"
    );
    let found = unnamed(&text).unwrap();
    found.into_iter().map(|(line, _)| line).collect()
}

#[test]
fn named_statements_and_function_results_are_accepted() {
    for body in [
        "sqlx::query(NAMED);",
        "sqlx::query(given);",
        "sqlx::query(other::NAMED).bind(\"text\");",
        "sqlx::raw_sql(sqlx::AssertSqlSafe(statement(1)));",
        "let built = self.statement(&mut bind); sqlx::query(AssertSqlSafe(built));",
        "let next = match backend { A => NAMED, B => { OTHER } }; sqlx::query(next);",
        "for (table, statement) in [(\"jobs\", NAMED), (\"texts\", OTHER)] { sqlx::query(statement); }",
    ] {
        assert_eq!(lines(body), [0; 0], "{body}");
    }
}

#[test]
fn inline_statements_are_reported() {
    for body in [
        "sqlx::query(\"SELECT 1\");",
        "sqlx::query_scalar::<_, i64>(\"SELECT 1\");",
        "sqlx::query(concat!(\"SELECT \", 1));",
        "sqlx::query(columns!(\"a\"));",
        "sqlx::raw_sql(sqlx::AssertSqlSafe(format!(\"SELECT {x}\")));",
        "sqlx::query(PLAIN);",
        "sqlx::query(&(given.to_owned() + \" LIMIT 1\"));",
    ] {
        assert_eq!(lines(body), [4], "{body}");
    }
    for body in [
        "let text = \"SELECT 1\";\nsqlx::query(text);",
        "let text = format!(\"SELECT {x}\");\nsqlx::query(sqlx::AssertSqlSafe(text.clone()));",
        "let mut text = String::from(\"SELECT 1\");\nsqlx::query(sqlx::AssertSqlSafe(text));",
        "let text = if x { NAMED } else { \"SELECT 1\" };\nsqlx::query(text);",
        "for (table, text) in [(\"jobs\", NAMED), (\"texts\", \"SELECT 1\")] {\nsqlx::query(text); }",
    ] {
        assert_eq!(lines(body), [5], "{body}");
    }
}

#[test]
fn inline_statements_are_allowed_in_tests() {
    let text = "#[cfg(test)]\nmod tests { fn run() { sqlx::query(\"SELECT 1\"); } }\n\
                #[cfg(feature = \"testing\")]\nfn run() { sqlx::query(\"SELECT 1\"); }";
    assert!(unnamed(text).unwrap().is_empty());
}
