//! Feeds: RSS, Atom and JSON Feed.

use feed_rs::model::{Entry, Feed, Link, Text};
use feed_rs::parser;
use reqwest::Url;
use slovo_fetch::Fetch;
use slovo_fetch::client::Part;
use slovo_rules::url::MAX_URL;

use crate::names::{file_name, is_recording_type};
use crate::web::MAX_LIST;
use crate::{Found, MAX_RECORDINGS, Place, SourceError};

/// Longest id of an episode, in bytes.
const MAX_ID: usize = 1_000;
/// Longest title, in characters.
const MAX_TITLE: usize = 300;

/// The episodes of a feed, the oldest first, each with the address of its recording.
///
/// # Errors
/// The feed cannot be read.
pub(crate) async fn list(fetch: &Fetch, place: &Place<'_>) -> Result<Vec<Found>, SourceError> {
    let url = Url::parse(place.location).map_err(|_| SourceError::NotFound)?;
    let all = Part {
        from: 0,
        to: None,
        if_range: None,
    };
    let mut answer = fetch.get(&url, all).await?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        let chunk = chunk.as_ref();
        if body.len() + chunk.len() > MAX_LIST {
            return Err(SourceError::TooLarge);
        }
        body.extend_from_slice(chunk);
    }
    let base = answer.url.clone();
    // Parsing takes long for a long feed.
    let parsed = tokio::task::spawn_blocking(move || episodes(&body, &base)).await;
    parsed.map_err(|_| SourceError::NotAFeed)?
}

/// The episodes of the feed at `base`.
pub(crate) fn episodes(feed: &[u8], base: &Url) -> Result<Vec<Found>, SourceError> {
    let parser = parser::Builder::new()
        .base_uri(Some(base.as_str()))
        .id_generator(|links, title, _| id_without_guid(links, title.as_ref()))
        .build();
    let feed: Feed = parser.parse(feed).map_err(|_| SourceError::NotAFeed)?;
    let mut found: Vec<Found> = feed
        .entries
        .iter()
        .filter_map(|entry| episode(entry, base))
        .collect();
    if found.len() > MAX_RECORDINGS {
        return Err(SourceError::TooMany);
    }
    found.reverse();
    Ok(found)
}

/// An id for an episode without one: its page and its title. The address of its recording may have a
/// token that changes with each request.
fn id_without_guid(links: &[Link], title: Option<&Text>) -> String {
    let is_page = |link: &&Link| link.rel.as_deref() != Some("enclosure");
    let page = links.iter().find(is_page).map(|link| link.href.as_str());
    let title = title.map(|title| title.content.trim());
    let parts = [page, title].into_iter().flatten();
    parts.collect::<Vec<_>>().join(" ")
}

/// The first recording of an episode.
fn episode(entry: &Entry, base: &Url) -> Option<Found> {
    let (url, size) = recording(entry, base)?;
    let title = entry.title.as_ref().map(|title| title.content.trim());
    let title = title.filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| file_name(url.path()));
    let name = title.chars().take(MAX_TITLE).collect();
    let is_usable = !entry.id.is_empty() && entry.id.len() <= MAX_ID && !entry.id.contains('\0');
    let key = if is_usable {
        entry.id.clone()
    } else {
        url.to_string()
    };
    (key.len() <= MAX_ID).then(|| Found {
        key,
        name,
        version: String::new(),
        size: size.filter(|size| *size > 0),
        url: Some(url.into()),
    })
}

/// Address and size of an episode's recording.
fn recording(entry: &Entry, base: &Url) -> Option<(Url, Option<u64>)> {
    let media = entry.media.iter().flat_map(|media| &media.content);
    let media = media.filter_map(|content| {
        let content_type = content.content_type.as_ref();
        let content_type = content_type.map(ToString::to_string);
        Some((
            content.url.as_ref()?.to_string(),
            content_type,
            content.size,
        ))
    });
    // Attachments of a JSON feed have no relation.
    let links = entry.links.iter().filter(|link| match link.rel.as_deref() {
        Some(relation) => relation == "enclosure",
        None => link.media_type.is_some(),
    });
    let links = links.map(|link| (link.href.clone(), link.media_type.clone(), link.length));
    media.chain(links).find_map(|(url, content_type, size)| {
        let url = base.join(&url).ok()?;
        let is_recording = content_type.as_deref().is_some_and(is_recording_type)
            || slovo_rules::upload::is_media_name(file_name(url.path()));
        let is_usable = matches!(url.scheme(), "http" | "https")
            && url.as_str().len() <= MAX_URL
            && url.username().is_empty()
            && url.password().is_none();
        (is_recording && is_usable).then_some((url, size))
    })
}
