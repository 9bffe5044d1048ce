//! The public address, as browsers reach it: usually through a reverse proxy.

use std::time::Duration;

use reqwest::{Client, Response};

use super::Finding;
use crate::config::Config;

/// How long the way there and back may take.
const WITHIN: Duration = Duration::from_secs(10);
/// Bytes of a part of an upload: proxies allow one megabyte unless they are told otherwise.
const PART: usize = 9 * 1024 * 1024;

/// Asks our own server at its public address.
pub(super) async fn public_address(config: &Config) -> Vec<Finding> {
    let public = config.public_url();
    if config.http.public_url.is_none() {
        return vec![Finding::warning(
            "public_address",
            format!(
                "none is configured: links in mails begin with {}",
                public.as_str()
            ),
            "SLOVO_PUBLIC_URL=https://slovo.example.com",
        )];
    }
    let base = public.as_str().trim_end_matches('/').to_owned();
    let Some(client) = super::client(WITHIN) else {
        return Vec::new();
    };
    let answer = match client.get(format!("{base}/healthz")).send().await {
        Ok(answer) => answer,
        Err(error) => {
            return vec![Finding::warning(
                "public_address",
                format!("{base} does not answer: {}", reason(&error)),
                "start the server and the proxy, and check the name, the certificate and the firewall",
            )];
        }
    };
    if !is_ours(&answer) {
        return vec![Finding::fault(
            "public_address",
            format!(
                "{base} is answered with {} by another program",
                answer.status()
            ),
            format!(
                "in the proxy: pass everything to http://{}",
                config.address()
            ),
        )];
    }
    let mut findings = vec![Finding::ok(
        "public_address",
        format!("{base} reaches Slovo"),
    )];
    findings.extend(forwarded(config, &answer));
    findings.extend(large_request(&client, &base).await);
    findings
}

/// The innermost cause, which is what a person can do something about.
fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Each of our answers has a request id.
fn is_ours(answer: &Response) -> bool {
    answer.headers().contains_key("x-request-id")
}

/// Whether the proxy says for whom it asks, and is believed.
fn forwarded(config: &Config, answer: &Response) -> Option<Finding> {
    let is_https = config.public_url().is_https();
    if is_https && !config.http.behind_proxy {
        return Some(Finding::warning(
            "proxy",
            "the address is https, which only a proxy in front can serve, but its headers are not \
             believed: all visitors count as one for the limits of sign-in",
            "SLOVO_BEHIND_PROXY=true",
        ));
    }
    if config.http.behind_proxy && !config.http.host.is_loopback() {
        return Some(Finding::warning(
            "proxy",
            format!(
                "the headers of a proxy are believed, and the server also listens on {}: whoever reaches \
                 it directly can pretend to be anybody else",
                config.http.host
            ),
            "SLOVO_HOST=127.0.0.1, or a firewall",
        ));
    }
    let has_hsts = answer.headers().contains_key("strict-transport-security");
    if is_https && !has_hsts {
        return Some(Finding::warning(
            "proxy",
            "it removes the header Strict-Transport-Security",
            "leave the headers of answers as they are",
        ));
    }
    config
        .http
        .behind_proxy
        .then(|| Finding::ok("proxy", "its headers are believed"))
}

/// Whether a part of an upload gets through. It has no key, so our server refuses it.
async fn large_request(client: &Client, base: &str) -> Option<Finding> {
    let request = client
        .patch(format!("{base}/api/v1/uploads/doctor"))
        .header("content-type", "application/offset+octet-stream")
        .header("tus-resumable", "1.0.0")
        .header("upload-offset", "0")
        .body(vec![0; PART]);
    let answer = request.send().await.ok()?;
    if is_ours(&answer) {
        return Some(Finding::ok(
            "upload_size",
            "parts of recordings reach the server",
        ));
    }
    Some(Finding::fault(
        "upload_size",
        format!(
            "a part of an upload of 9 MB is answered with {} by the proxy",
            answer.status()
        ),
        "nginx: client_max_body_size 0; proxy_request_buffering off; Apache: LimitRequestBody 0",
    ))
}
