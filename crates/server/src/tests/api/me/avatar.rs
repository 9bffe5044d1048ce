//! Avatars: which files are accepted, and how they are converted.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::Value;
use slovo_accounts::avatars;

use super::support::send_json;
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};

const PATH: &str = "/api/v1/me/avatar";

async fn put(server: &TestServer, who: &TestUser, image: Vec<u8>) -> Answer {
    let request = server
        .request(Method::PUT, PATH, who)
        .header(header::CONTENT_TYPE, "application/octet-stream");
    server.send(request.body(Body::from(image)).unwrap()).await
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// An image that is red on the left and blue on the right.
fn halves(width: u32, height: u32) -> DynamicImage {
    let half = |x, _| {
        Rgb(if x < width / 2 {
            [250, 0, 0]
        } else {
            [0, 0, 250]
        })
    };
    RgbImage::from_fn(width, height, half).into()
}

/// The decoded image of an answer; its content type is correct.
fn decoded(answer: &Answer) -> RgbaImage {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let format = ImageFormat::from_mime_type(answer.header("content-type")).unwrap();
    let image = image::load_from_memory_with_format(&answer.body, format).unwrap();
    assert_eq!((image.width(), image.height()), (400, 400));
    image.to_rgba8()
}

fn is_red(pixel: &Rgba<u8>) -> bool {
    pixel.0[0] > 200 && pixel.0[2] < 60
}

/// All avatar files of an account.
fn files(server: &TestServer, who: &TestUser) -> Vec<PathBuf> {
    let folder = server
        .state
        .config
        .data()
        .join("avatars")
        .join(&who.user_id);
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[apply(each_database!)]
fn an_avatar_is_converted_served_replaced_and_removed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let missing = server.get_as(&me, PATH).await;
        missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            let set = put(&server, &me, encoded(&halves(900, 300), format)).await;
            assert_eq!(set.status, StatusCode::OK, "{format:?} {}", set.text());
            let version = set.json()["avatar"].as_str().unwrap().to_owned();
            assert_eq!(server.me(&me).await.json()["avatar"], version.as_str());
            let answer = server.get_as(&me, PATH).await;
            let image = decoded(&answer);
            assert!(is_red(image.get_pixel(100, 200)) && !is_red(image.get_pixel(300, 200)));
            assert_eq!(answer.header("etag"), format!("\"{version}\""));
            assert_eq!(answer.header("cache-control"), "private, no-cache");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            let stored = files(&server, &me);
            assert_eq!(stored.len(), 1, "the one before is gone: {stored:?}");
            assert!(stored[0].ends_with(&version));
            let mode = stored[0].metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);

            let request = server.request(Method::GET, PATH, &me);
            let request = request.header(header::IF_NONE_MATCH, answer.header("etag"));
            let not_modified = server.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                (not_modified.status, not_modified.body.len()),
                (StatusCode::NOT_MODIFIED, 0)
            );
        }
        let foreign = server.get_as(&other, PATH).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
        let nobody = server.get(PATH).await;
        nobody.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");

        for _ in 0..2 {
            let removed = send_json(&server, &me, Method::DELETE, PATH, &Value::Null).await;
            assert_eq!(removed.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(server.me(&me).await.json()["avatar"], Value::Null);
        assert_eq!(server.get_as(&me, PATH).await.status, StatusCode::NOT_FOUND);
        assert!(files(&server, &me).is_empty());
    });
}

#[apply(each_database!)]
fn transparency_is_preserved(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let image: DynamicImage = RgbaImage::from_pixel(50, 50, Rgba([9, 9, 9, 0])).into();
        put(&server, &me, encoded(&image, ImageFormat::Png)).await;
        let answer = server.get_as(&me, PATH).await;
        assert_eq!(answer.header("content-type"), "image/webp");
        assert_eq!(decoded(&answer).get_pixel(200, 200).0[3], 0);
    });
}

/// A JPEG with an EXIF segment that contains an orientation and a location.
fn jpeg_with_exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08".to_vec();
    exif.extend([
        0,
        1,
        0x01,
        0x12,
        0,
        3,
        0,
        0,
        0,
        1,
        0,
        orientation,
        0,
        0,
        0,
        0,
        0,
        0,
    ]);
    exif.extend(b"50.4501 N 30.5234 E");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let jpeg = encoded(&halves(300, 300), ImageFormat::Jpeg);
    let segment = [b"\xff\xe1".as_slice(), &length, &exif].concat();
    [&jpeg[..2], &segment, &jpeg[2..]].concat()
}

#[apply(each_database!)]
fn images_are_turned_upright_and_lose_their_metadata(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // EXIF orientation 1: unchanged; 3: rotated by 180°; 6: rotated clockwise by 90°.
        for (orientation, red, blue) in [
            (1, (100, 200), (300, 200)),
            (3, (300, 200), (100, 200)),
            (6, (200, 100), (200, 300)),
        ] {
            let mut bytes = jpeg_with_exif(orientation);
            // Data after the image is dropped, too.
            bytes.extend(b"<script>alert(1)</script>");
            let set = put(&server, &me, bytes).await;
            assert_eq!(set.status, StatusCode::OK, "{}", set.text());
            let answer = server.get_as(&me, PATH).await;
            let image = decoded(&answer);
            assert!(is_red(image.get_pixel(red.0, red.1)), "{orientation}");
            assert!(!is_red(image.get_pixel(blue.0, blue.1)), "{orientation}");
            let bytes = &answer.body;
            for hidden in ["Exif", "50.4501", "<script"] {
                let found = bytes
                    .windows(hidden.len())
                    .any(|part| part == hidden.as_bytes());
                assert!(!found, "{hidden}");
            }
        }
    });
}

#[apply(each_database!)]
fn invalid_images_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let png = encoded(&halves(300, 300), ImageFormat::Png);
        let before = put(&server, &me, png.clone()).await.json();
        let padded = |bytes: usize| {
            let mut image = png.clone();
            image.resize(bytes, 0);
            image
        };
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
        for (bytes, status, code) in [
            (Vec::new(), 422, "avatar_not_image"),
            (svg, 422, "avatar_not_image"),
            (
                b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(),
                422,
                "avatar_not_image",
            ),
            (b"%PDF-1.7".to_vec(), 422, "avatar_not_image"),
            (padded(2 * 1024 * 1024 + 1), 422, "avatar_too_large"),
            (padded(5 * 1024 * 1024), 413, "avatar_too_large"),
        ] {
            let answer = put(&server, &me, bytes).await;
            answer.is_problem(StatusCode::from_u16(status).unwrap(), "validation_failed");
            assert_eq!(answer.json()["errors"][0]["code"], code);
            assert_eq!(answer.json()["errors"][0]["field"], "avatar");
        }
        let jpeg = encoded(&halves(300, 300), ImageFormat::Jpeg);
        let webp = encoded(&halves(300, 300), ImageFormat::WebP);
        for bytes in [
            png[..png.len() / 2].to_vec(),
            webp[..webp.len() / 2].to_vec(),
            jpeg[..60].to_vec(),
            b"\x89PNG\r\n\x1a\n".to_vec(),
            b"\xff\xd8\xff\xe0 and then nothing of the kind".to_vec(),
            b"RIFF\xff\xff\xff\xffWEBPVP8X".to_vec(),
            avatars::testing::claiming(30_000, 30_000, 8, 2),
        ] {
            let answer = put(&server, &me, bytes).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "avatar_unreadable");
        }
        // Exactly the maximum size.
        let largest = put(&server, &me, padded(2 * 1024 * 1024)).await;
        assert_eq!(largest.status, StatusCode::OK, "{}", largest.text());
        assert_ne!(largest.json()["avatar"], before["avatar"]);
        assert_eq!(files(&server, &me).len(), 1);
    });
}

#[apply(each_database!)]
fn avatar_files_without_a_profile_are_removed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let png = encoded(&halves(300, 300), ImageFormat::Png);
        put(&server, &me, png).await;
        let referenced = files(&server, &me);
        let state = &server.state;
        let deleted_user = "0197f3a0-0000-7000-8000-000000000000";
        for user in [me.user_id.as_str(), deleted_user] {
            state.avatars.store(user, "left", vec![1]).await.unwrap();
        }
        let folder = state.config.data().join("avatars");
        std::fs::create_dir(folder.join("not ours")).unwrap();
        let set_time = |file: &PathBuf, ms: i64| {
            let time = std::time::UNIX_EPOCH
                + std::time::Duration::from_millis(u64::try_from(ms).unwrap());
            let file = std::fs::File::options().write(true).open(file).unwrap();
            file.set_modified(time).unwrap();
        };
        let now = state.clock.now_ms();
        let unreferenced = [
            folder.join(&me.user_id).join("left"),
            folder.join(deleted_user).join("left"),
        ];
        for file in referenced.iter().chain(&unreferenced) {
            set_time(file, now - 59 * 60 * 1000);
        }
        avatars::sweep(&state.avatar_sweeper()).await.unwrap();
        assert!(
            unreferenced.iter().all(|file| file.exists()),
            "they may be named any moment"
        );
        for file in referenced.iter().chain(&unreferenced) {
            set_time(file, now - 61 * 60 * 1000);
        }
        avatars::sweep(&state.avatar_sweeper()).await.unwrap();
        assert_eq!(files(&server, &me), referenced);
        assert!(!folder.join(deleted_user).exists() && folder.join("not ours").exists());
        decoded(&server.get_as(&me, PATH).await);
    });
}

// On one database: it plays no part.
#[test]
fn avatar_uploads_are_limited_per_hour() {
    with_server(Backend::Sqlite, async |server| {
        let olha = server.signup("olha@example.com").await;
        let image = encoded(&halves(8, 8), ImageFormat::Png);
        for _ in 0..60 {
            assert_eq!(
                put(&server, &olha, image.clone()).await.status,
                StatusCode::OK
            );
        }
        let refused = put(&server, &olha, image.clone()).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        let wait = refused.header("retry-after").parse().unwrap();
        server.clock.advance_seconds(wait);
        assert_eq!(put(&server, &olha, image).await.status, StatusCode::OK);
    });
}
