//! Shared links of a service, as a server fetches them.

use slovo_rules::codes::ProblemCode;

use super::*;

/// A service that shows a page for each link, and the file for `dl=1` if it is public.
async fn service() -> RemoteServer {
    RemoteServer::start(async |request, mut stream| {
        let page = b"<!doctype html><html><title>Sign in</title></html>";
        match &*request.path {
            "/s/1/talk.wav?dl=1" => redirect(&mut stream, "/content/talk.wav").await,
            "/content/talk.wav" => {
                let recording = std::fs::read(prompts::WELCOME.path()).unwrap();
                file(&request, &mut stream, &recording, "\"1\"").await;
            }
            _ => reply(&mut stream, "200 OK", &["Content-Type: text/html"], page).await,
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_is_fetched_instead_of_its_page() {
    let server = service().await;
    let services = Services::default().with_dropbox("127.0.0.1");
    let fetch = fetch_with(&[&server], None, services);
    let found = probe(&fetch, &server.url("/s/1/talk.wav?dl=0"))
        .await
        .unwrap();
    assert_eq!(found.kind, Kind::File);
    assert_eq!(found.filename.as_deref(), Some("talk.wav"));

    let private = probe(&fetch, &server.url("/s/2/talk.wav")).await;
    assert_eq!(private.unwrap_err().code(), ProblemCode::UrlNotPublic);

    let asked = server.requests().len();
    let folder = server.url("/sh/3/talks");
    let shared = probe(&fetch, &folder).await;
    assert_eq!(shared.unwrap_err(), FetchError::IsFolder);
    let accepted = fetch.accepts(&url(&folder), &UrlKind::Other);
    assert_eq!(accepted, Err(FetchError::IsFolder));
    assert_eq!(server.requests().len(), asked, "a folder was fetched");
}
