//! What the public pages are for.

use clap::Args;
use slovo_rules::site::Edition;

/// What the public pages are for.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Public pages")]
pub struct PublicPages {
    /// For whom the server is, until an administrator says so on the first page: service (with
    /// prices, a trial and testimonials) or organisation (nothing is sold)
    #[arg(long, env = "SLOVO_EDITION", value_name = "EDITION", value_parser = edition)]
    pub edition: Option<Edition>,
}

/// An edition by its name.
fn edition(name: &str) -> Result<Edition, String> {
    Edition::parse(name).ok_or_else(|| "it is service or organisation".to_owned())
}
