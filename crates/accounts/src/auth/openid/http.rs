//! HTTP requests to the provider, with limits on time and size.

use std::pin::Pin;
use std::time::Duration;

use openidconnect::http::Response;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::Client;
use reqwest::redirect::Policy;

use super::Provider;

/// Timeout of one request.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Largest response, in bytes. Discovery documents and key sets have a few thousand.
const MAX_BODY: usize = 1024 * 1024;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    #[error("the request to the provider failed")]
    Request(#[from] reqwest::Error),
    #[error("the provider's answer has more than {MAX_BODY} bytes")]
    TooLarge,
    #[error("the provider's answer is not HTTP")]
    Answer(#[from] openidconnect::http::Error),
}

/// The HTTP client for the provider.
pub(super) struct Http(Client);

impl Http {
    pub(super) fn new(provider: &Provider) -> reqwest::Result<Self> {
        // Another part of the program may have installed the TLS provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .timeout(TIME_LIMIT)
            // A redirect could lead into the server's own network.
            .redirect(Policy::none())
            .https_only(!provider.is_local)
            .user_agent(concat!("slovo/", env!("CARGO_PKG_VERSION")));
        if provider.is_local {
            builder = builder.no_proxy();
        }
        builder.build().map(Self)
    }

    async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let mut response = self.0.execute(request.try_into()?).await?;
        let mut answer = Response::builder().status(response.status());
        for (name, value) in response.headers() {
            answer = answer.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(Error::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(answer.body(body)?)
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Error>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.ask(request))
    }
}
