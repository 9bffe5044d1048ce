//! The markup allowed in texts: `code`, [a link](/terms) and **bold**.

use leptos::prelude::*;

use crate::page::Name;
use crate::scene::{Scene, scene};

/// Code with at most this many characters is kept on one line; a phone's line is longer.
const SHORT_CODE: usize = 24;

/// A text with its markup as elements. Incomplete markup stays as it is.
pub(crate) fn prose(text: &str) -> Vec<AnyView> {
    let scene = scene();
    let mut views = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '*']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((view, after)) = mark(&scene, rest) {
            if !plain.is_empty() {
                views.push(std::mem::take(&mut plain).into_any());
            }
            views.push(view);
            rest = after;
        } else {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            plain.push_str(&rest[..first]);
            rest = &rest[first..];
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        views.push(plain.into_any());
    }
    views
}

/// The markup at the beginning of a text, and the rest.
fn mark<'a>(scene: &Scene, text: &'a str) -> Option<(AnyView, &'a str)> {
    if let Some(inner) = text.strip_prefix('`') {
        let (code, after) = inner.split_once('`')?;
        let class = (code.chars().count() <= SHORT_CODE).then_some("short");
        let view = view! { <code class=class>{code.to_owned()}</code> };
        return Some((view.into_any(), after));
    }
    if let Some(inner) = text.strip_prefix("**") {
        let (strong, after) = inner.split_once("**")?;
        let view = view! { <strong>{strong.to_owned()}</strong> };
        return Some((view.into_any(), after));
    }
    let (words, after) = text.strip_prefix('[')?.split_once("](")?;
    let (target, after) = after.split_once(')')?;
    let plain = !words.contains(['[', ']']) && !target.contains(char::is_whitespace);
    if !plain {
        return None;
    }
    let view = view! { <a href=address(scene, target)>{words.to_owned()}</a> };
    Some((view.into_any(), after))
}

/// Links to public pages keep the language of this page; other links are unchanged.
fn address(scene: &Scene, target: &str) -> String {
    let path = target.split('#').next().unwrap_or_default();
    if Name::LISTED.iter().any(|name| name.path() == path) {
        scene.href(target)
    } else {
        target.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use slovo_rules::locale::Locale;

    use super::*;
    use crate::{Assets, Site};

    fn written(text: &str) -> String {
        let site = Arc::new(Site::new("https://slovo.example", Assets::default()));
        Owner::new().with(|| {
            provide_context(Scene::new(site, Locale::En, Name::Terms));
            let text = prose(text).into_iter().map(RenderHtml::to_html);
            text.collect::<String>().replace("<!>", "")
        })
    }

    #[test]
    fn markup_becomes_elements_and_other_text_is_escaped() {
        assert_eq!(
            written("**You.** See `a < b` on the [page](/privacy#yours), [settings](/settings)."),
            "<strong>You.</strong> See <code class=\"short\">a &lt; b</code> on the <a \
             href=\"/privacy?lang=en#yours\">page</a>, <a href=\"/settings\">settings</a>."
        );
        for text in ["a * b [c] `d", "**e", "[f](g", "[h](i j)", ""] {
            assert_eq!(written(text).trim(), text);
        }
        assert_eq!(written("<script>"), "&lt;script&gt;");
    }
}
