//! `OPTIONS /api/v1/uploads`: what this server can do.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use slovo_rules::upload::MAX_UPLOAD_BYTES;

use crate::uploads::tus;

type Capabilities = (StatusCode, [(HeaderName, HeaderValue); 4]);

fn capabilities() -> Capabilities {
    let headers = [
        (tus::TUS_VERSION, HeaderValue::from_static(tus::VERSION)),
        (
            tus::TUS_EXTENSION,
            HeaderValue::from_static(tus::EXTENSIONS),
        ),
        (tus::TUS_MAX_SIZE, HeaderValue::from(MAX_UPLOAD_BYTES)),
        (
            tus::TUS_CHECKSUM_ALGORITHM,
            HeaderValue::from_static(tus::CHECKSUM_ALGORITHMS),
        ),
    ];
    (StatusCode::NO_CONTENT, headers)
}

/// Says which versions and extensions of tus are spoken, and the largest size.
#[utoipa::path(options, path = "/uploads", tag = "uploads", security(()),
    operation_id = "upload_options",
    responses((status = NO_CONTENT, description = "Tus-Version, Tus-Extension, Tus-Max-Size, \
        Tus-Checksum-Algorithm")))]
pub(super) async fn options() -> Capabilities {
    capabilities()
}

/// The same for one upload, for clients that ask there.
#[utoipa::path(options, path = "/uploads/{id}", tag = "uploads", security(()),
    operation_id = "upload_options_of_one",
    params(("id" = String, Path, description = "Upload id")),
    responses((status = NO_CONTENT, description = "Tus-Version, Tus-Extension, Tus-Max-Size, \
        Tus-Checksum-Algorithm")))]
pub(super) async fn options_of_one() -> Capabilities {
    capabilities()
}
