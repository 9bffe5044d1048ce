//! Webhook services: external services that the server calls.

use clap::Args;
use slovo_fetch::allow_list::AllowListEntry;

/// Webhook services: external services that the server calls.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Webhook services")]
pub struct Webhooks {
    /// Where webhook services may be even in a private network: hosts, hosts with a port, or address
    /// ranges such as 10.0.0.0/8; can be given several times
    #[arg(
        id = "webhook-allow",
        long = "webhook-allow",
        env = "SLOVO_WEBHOOK_ALLOW",
        value_name = "HOST[:PORT]|CIDR",
        value_delimiter = ','
    )]
    pub allow: Vec<AllowListEntry>,
    /// Where webhooks of users may be even in a private network; as --webhook-allow
    #[arg(
        id = "user-webhook-allow",
        long = "user-webhook-allow",
        env = "SLOVO_USER_WEBHOOK_ALLOW",
        value_name = "HOST[:PORT]|CIDR",
        value_delimiter = ','
    )]
    pub allow_for_users: Vec<AllowListEntry>,
}
