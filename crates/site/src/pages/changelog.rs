//! `/changelog` and its feed: changes by version, newest first.

use std::fmt::Write;

use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::prose::prose;
use crate::scene::{in_language, scene};
use crate::texts::{Release, Texts};

/// Path of the feed.
const FEED: &str = "/changelog.xml";

/// See the module.
#[component]
pub(crate) fn Changelog() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.changelog;
    let releases = words.releases.iter().map(release);
    view! {
        <article class="wide page-top reading">
            <header class="reading-head">
                <p class="kicker">{words.kicker.as_str()}</p>
                <h1 class="headline">{words.title.as_str()}</h1>
                <p class="lead">{prose(&words.lead)}</p>
                <p class="reading-more">
                    <a href=scene.href(FEED) type="application/atom+xml">{words.feed.as_str()}</a>
                </p>
            </header>
            <div class="reading-text">{releases.collect_view()}</div>
        </article>
    }
}

fn release(release: &'static Release) -> AnyView {
    let day = scene().texts.day(&release.date);
    let points = release
        .points
        .iter()
        .map(|point| view! { <li>{prose(point)}</li> });
    view! {
        <section class="chapter" id=anchor(release)>
            <p class="kicker">
                <span class="figures">{release.version.as_str()}</span>
                " · "
                <time datetime=release.date.as_str()>{day}</time>
            </p>
            <h2>{release.title.as_str()}</h2>
            <ul class="points">{points.collect_view()}</ul>
        </section>
    }
    .into_any()
}

fn anchor(release: &Release) -> String {
    format!("v{}", release.version)
}

/// The feed of the changelog in one language, as Atom (RFC 4287).
#[must_use]
pub fn feed(origin: &str, locale: Locale) -> String {
    let words = &Texts::of(locale).changelog;
    let page = format!("{origin}{}", in_language("/changelog", locale));
    let url = format!("{origin}{}", in_language(FEED, locale));
    let updated = words.releases.first().map_or("", |newest| &newest.date);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{locale}\">\n  \
         <id>{url}</id>\n  <title>Slovo: {}</title>\n  <updated>{updated}T00:00:00Z</updated>\n  \
         <author><name>Slovo</name></author>\n  <link rel=\"self\" href=\"{url}\"/>\n  <link href=\"{page}\"/>\n",
        escaped(&words.title),
    );
    for release in &words.releases {
        let address = format!("{page}#{}", anchor(release));
        let points: String = release
            .points
            .iter()
            .map(|point| format!("<li>{}</li>", escaped(&plain(point))))
            .collect();
        let _ = writeln!(
            text,
            "  <entry>\n    <id>{address}</id>\n    <title>{} {}</title>\n    <updated>{}T00:00:00Z</updated>\n    \
             <link href=\"{address}\"/>\n    <content type=\"html\">{}</content>\n  </entry>",
            escaped(&release.version),
            escaped(&release.title),
            release.date,
            escaped(&format!("<ul>{points}</ul>")),
        );
    }
    text + "</feed>\n"
}

/// A text without the markup that pages turn into elements.
fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feed_has_an_entry_per_version_in_each_language() {
        for locale in Locale::ALL.iter().copied() {
            let feed = feed("https://slovo.example", locale);
            let releases = &Texts::of(locale).changelog.releases;
            assert_eq!(feed.matches("<entry>").count(), releases.len());
            assert!(feed.contains(&format!("xml:lang=\"{locale}\"")));
            assert!(!feed.contains("**"), "{feed}");
            for release in releases {
                assert!(feed.contains(&format!("#v{}</id>", release.version)));
            }
        }
    }

    #[test]
    fn dates_are_formatted_in_each_language() {
        let formatted = |locale, iso| Texts::of(locale).day(iso).replace('\u{a0}', " ");
        assert_eq!(formatted(Locale::En, "2026-11-01"), "1 November 2026");
        assert_eq!(formatted(Locale::Uk, "2026-11-01"), "1 листопада 2026");
        for other in ["", "2026", "2026-13-01", "2026-00-01", "2026-11-x"] {
            assert_eq!(formatted(Locale::En, other), other);
        }
        for locale in Locale::ALL.iter().copied() {
            for release in &Texts::of(locale).changelog.releases {
                assert_ne!(formatted(locale, &release.date), release.date);
            }
        }
    }

    #[test]
    fn versions_are_the_same_in_both_languages_newest_first() {
        let releases_of = |locale| {
            let releases = &Texts::of(locale).changelog.releases;
            releases
                .iter()
                .map(|release| (release.version.as_str(), release.date.as_str()))
                .collect::<Vec<_>>()
        };
        let releases = releases_of(Locale::Uk);
        assert_eq!(releases, releases_of(Locale::En));
        assert!(releases.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        let escaped = escaped("<a href=\"x\">&");
        assert_eq!(escaped, "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
