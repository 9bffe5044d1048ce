//! Sources as they are read, without a server.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use reqwest::Url;
use slovo_rules::source::SourceKind;

use crate::folder;
use crate::podcast::episodes;
use crate::s3::Objects;
use crate::{Found, MAX_RECORDINGS, Place, SourceError};

fn read(feed: &str) -> Result<Vec<Found>, SourceError> {
    let base = Url::parse("https://example.com/podcast/feed.xml").unwrap();
    episodes(feed.as_bytes(), &base)
}

fn rss(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>x</title>{items}</channel></rss>"
    )
}

#[test]
fn episodes_of_rss_have_an_id_a_title_and_an_address() {
    let found = read(&rss(
        r#"<item><title>Другий</title><guid isPermaLink="false">two</guid>
           <enclosure url="https://cdn.example.com/2.mp3?token=1&amp;x=2" type="audio/mpeg" length="1234"/></item>
           <item><title> Перший </title><guid>one</guid><enclosure url="/1.m4a" type="" length="0"/></item>
           <item><title>Лише текст</title><guid>none</guid></item>
           <item><title>Картинка</title><enclosure url="/x.png" type="image/png" length="9"/></item>"#,
    ))
    .unwrap();
    let shown: Vec<_> = found
        .iter()
        .map(|one| (&*one.key, &*one.name, one.url.as_deref().unwrap(), one.size))
        .collect();
    let expected = [
        ("one", "Перший", "https://example.com/1.m4a", None),
        (
            "two",
            "Другий",
            "https://cdn.example.com/2.mp3?token=1&x=2",
            Some(1234),
        ),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn an_episode_without_an_id_is_known_by_its_page_and_title() {
    let key = |token: &str, title: &str| {
        let found = read(&rss(&format!(
            "<item><title>{title}</title><link>https://example.com/1</link>\
             <enclosure url=\"https://cdn.example.com/1.mp3?token={token}\" type=\"audio/mpeg\"/></item>"
        )));
        found.unwrap().remove(0).key
    };
    assert_eq!(key("1", "Розмова"), key("2", "Розмова"));
    assert_ne!(key("1", "Розмова"), key("1", "Інша розмова"));
}

#[test]
fn atom_and_json_feeds_are_read() {
    let atom = r#"<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><id>f</id>
        <entry><title>Розмова</title><id>a</id><updated>2026-05-20T10:00:00Z</updated>
        <link rel="enclosure" type="audio/ogg" href="https://example.com/a.ogg" length="5"/>
        <link rel="alternate" href="https://example.com/a"/></entry></feed>"#;
    let found = read(atom).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].url.as_deref(), Some("https://example.com/a.ogg"));
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "x", "items": [
        {"id": "j", "title": "Запис", "content_text": "x", "attachments": [
            {"url": "https://example.com/j.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 7}]}]}"#;
    let found = read(json).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].url.as_deref(), Some("https://example.com/j.mp3"));
}

#[test]
fn hostile_feeds_are_refused_or_have_no_recordings() {
    let nested = format!("{}{}", "<rss><channel>", "<a>".repeat(100_000));
    for text in [
        "",
        "not a feed",
        "<!doctype html><html><body>404</body></html>",
        "{}",
        &nested,
    ] {
        assert!(
            matches!(read(text), Err(SourceError::NotAFeed)),
            "{}",
            &text[..text.len().min(40)]
        );
    }
    let bomb = r#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">
        <!ENTITY c SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&b;&c;</title></channel></rss>"#;
    assert!(read(bomb).map_or(true, |found| found.is_empty()));
    for address in [
        "file:///etc/passwd.mp3",
        "javascript:alert(1)//x.mp3",
        "https://user:word@example.com/x.mp3",
        "ftp://example.com/x.mp3",
    ] {
        let item = format!(
            "<item><guid>x</guid><enclosure url=\"{address}\" type=\"audio/mpeg\"/></item>"
        );
        assert!(read(&rss(&item)).unwrap().is_empty(), "{address}");
    }
    let item = "<item><enclosure url=\"/x.mp3\" type=\"audio/mpeg\"/></item>";
    let many = rss(&item.repeat(MAX_RECORDINGS + 1));
    assert!(matches!(read(&many), Err(SourceError::TooMany)));
}

fn bucket<'a>(location: &'a str, password: Option<&'a str>) -> Place<'a> {
    Place {
        kind: SourceKind::S3,
        location,
        region: "",
        user: "AKIA",
        password,
    }
}

#[test]
fn a_page_of_a_bucket_has_the_recordings_below_the_prefix() {
    let place = bucket("https://s3.example.com/talks/2026/", Some("s3cret"));
    let objects = Objects::at(&place).unwrap();
    let page = r#"<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Name>talks</Name><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
        <NextContinuationToken>next</NextContinuationToken>
        <Contents><Key>2026/%D0%B0+b.mp3</Key><ETag>&quot;e&quot;</ETag><Size>5</Size></Contents>
        <Contents><Key>2026/../../etc/passwd.mp3</Key><ETag>&quot;e&quot;</ETag><Size>5</Size></Contents>
        <Contents><Key>2025/x.mp3</Key><ETag>&quot;e&quot;</ETag><Size>5</Size></Contents>
        <Contents><Key>2026/notes.txt</Key><ETag>&quot;e&quot;</ETag><Size>5</Size></Contents></ListBucketResult>"#;
    let (found, next) = objects.read(page).unwrap();
    assert_eq!(next.as_deref(), Some("next"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&*found[0].key, &*found[0].name),
        ("2026/а b.mp3", "а b.mp3")
    );
    assert_eq!((&*found[0].version, found[0].size), ("e", Some(5)));
    for wrong in [
        "",
        "<html></html>",
        "{}",
        "<Error><Code>NoSuchBucket</Code></Error>",
    ] {
        assert!(
            matches!(objects.read(wrong), Err(SourceError::NotS3)),
            "{wrong}"
        );
    }
    let nowhere = Objects::at(&bucket("nowhere", None));
    assert!(matches!(nowhere, Err(SourceError::NotFound)));
}

#[test]
fn nothing_that_is_printed_has_a_password() {
    let place = bucket("https://s3.example.com/talks?key=s3cret", Some("s3cret"));
    assert!(!format!("{place:?}").contains("s3cret"));
}

/// A folder with recordings, and one beside it that must not be read.
fn tree() -> (tempfile::TempDir, PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let root = top.path().canonicalize().unwrap().join("root");
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::create_dir_all(root.join(".trash")).unwrap();
    fs::create_dir(top.path().join("outside")).unwrap();
    fs::write(top.path().join("outside/secret.mp3"), "secret").unwrap();
    fs::write(root.join("one.mp3"), "one").unwrap();
    fs::write(root.join("a/b/два.wav"), "two").unwrap();
    fs::write(root.join(".trash/gone.mp3"), "x").unwrap();
    fs::write(root.join("later.mp3.part"), "x").unwrap();
    symlink(top.path().join("outside"), root.join("link")).unwrap();
    symlink(
        top.path().join("outside/secret.mp3"),
        root.join("secret.mp3"),
    )
    .unwrap();
    // Into itself.
    symlink(&root, root.join("a/again")).unwrap();
    (top, root)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn a_folder_has_its_own_recordings_only() {
    let (top, root) = tree();
    let roots = [root.clone()];
    let found = folder::list(text(&root), &roots).await.unwrap();
    let keys: Vec<_> = found.iter().map(|found| &*found.key).collect();
    assert_eq!(keys, ["a/b/два.wav", "one.mp3"]);
    assert_eq!(found[0].name, "два.wav");
    let below = folder::list(text(&root.join("a")), &roots).await.unwrap();
    assert_eq!(below[0].key, "b/два.wav");

    for location in [text(top.path()), "/etc", text(&root.join("link"))] {
        let refused = folder::list(location, &roots).await;
        assert!(
            matches!(refused, Err(SourceError::FolderNotAllowed)),
            "{location}"
        );
    }
    let missing = folder::list(text(&root.join("nothing")), &roots).await;
    assert!(matches!(missing, Err(SourceError::FolderMissing)));
    let unlisted = folder::list(text(&root), &[]).await;
    assert!(matches!(unlisted, Err(SourceError::FolderNotAllowed)));
}

#[tokio::test]
async fn files_are_opened_without_following_links() {
    let (_top, root) = tree();
    let roots = [root.clone()];
    let mut file = folder::open(text(&root), &roots, "a/b/два.wav")
        .await
        .unwrap();
    let piece = folder::chunk(&mut file).await.unwrap();
    assert_eq!(piece.as_deref(), Some(&b"two"[..]));
    assert_eq!(folder::chunk(&mut file).await.unwrap(), None);
    fs::create_dir(root.join("folder.mp3")).unwrap();
    for key in [
        "secret.mp3",
        "link/secret.mp3",
        "../outside/secret.mp3",
        "/etc/passwd",
        "a/again/one.mp3",
        "folder.mp3",
        "nothing.mp3",
    ] {
        let refused = folder::open(text(&root), &roots, key).await;
        assert!(matches!(refused, Err(SourceError::NotFound)), "{key}");
    }
}
