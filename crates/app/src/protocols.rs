//! The addresses of other services' protocols, which `slovo_compat_api` serves.

/// Addresses of other services' protocols outside `/v1/`.
const PROTOCOLS: [&str; 3] = ["/asr", "/detect-language", "/inference"];

/// Address of the MCP server (Model Context Protocol).
pub const MCP: &str = "/mcp";

/// Address of the public page with the server's state, and of the connection test of Bazarr, which
/// sends a key.
pub const STATUS: &str = "/status";

/// Whether programs call an address: not a page or a file of one.
#[must_use]
pub fn is_for_programs(path: &str) -> bool {
    path.starts_with("/api/") || path == "/api" || path == MCP || is_protocol(path)
}

/// Whether a key may be sent to an address in the ways of other services' clients.
#[must_use]
pub fn takes_their_keys(path: &str) -> bool {
    path == STATUS || is_protocol(path)
}

/// Whether an address belongs to the protocol of another service: its clients have their own ways to
/// send a key, and read their own form of errors.
#[must_use]
pub fn is_protocol(path: &str) -> bool {
    path.starts_with("/v1/") || PROTOCOLS.contains(&path)
}
