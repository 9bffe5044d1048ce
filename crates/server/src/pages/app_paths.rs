//! The URLs of the web app, read from its own route list.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static PATTERNS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let file = include_str!("../../../../web/src/app/paths.json");
    let paths: BTreeMap<String, String> = serde_json::from_str(file).unwrap_or_else(|error| {
        tracing::error!(%error, "the routes of the web app cannot be read");
        BTreeMap::new()
    });
    paths.into_values().collect()
});

/// Whether the app has a page at this path. A segment that begins with `:` matches any.
pub(crate) fn is_app_path(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    PATTERNS.iter().any(|pattern| {
        let mut parts = path.split('/');
        let fits = pattern.split('/').all(|expected| {
            let part = parts.next();
            part.is_some_and(|part| {
                part == expected || (expected.starts_with(':') && !part.is_empty())
            })
        });
        fits && parts.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::is_app_path;

    #[test]
    fn only_paths_of_the_application_are_recognised() {
        for app_path in [
            "/login",
            "/dashboard",
            "/dashboard/",
            "/transcription/0198c1f2-0000-7000-8000-000000000000",
            "/shared/abc",
            "/admin",
            "/admin/users",
        ] {
            assert!(is_app_path(app_path), "{app_path}");
        }
        for other in [
            "/",
            "",
            "/nothing",
            "/dashboard/more",
            "/transcription/",
            "/transcription",
            "/transcription/a/b",
            "/admin/nothing",
            "//login",
        ] {
            assert!(!is_app_path(other), "{other}");
        }
    }
}
