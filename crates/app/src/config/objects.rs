//! An object store that many machines share.

use std::path::Path;

use anyhow::Result;
use clap::{ArgAction, Args};
use slovo_storage::Storage;
use slovo_storage::objects::{Objects, Options, Url};

/// Where recordings and pictures are, if not in the data folder. The keys are those that programs for
/// S3 use: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or those of the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Storage")]
pub struct ObjectStore {
    /// Where recordings and pictures are: s3://bucket or s3://bucket/prefix, with the keys of
    /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` [default: the data folder]
    #[arg(
        long = "storage",
        env = "SLOVO_STORAGE",
        value_name = "URL",
        global = true
    )]
    pub storage_url: Option<Url>,
    /// The server of the object store [default: Amazon S3]
    #[arg(long, env = "AWS_ENDPOINT_URL", value_name = "URL", global = true)]
    pub s3_endpoint: Option<String>,
    /// The region of the object store [default: us-east-1]
    #[arg(long, env = "AWS_REGION", value_name = "REGION", global = true)]
    pub s3_region: Option<String>,
    /// Whether the bucket is in the path of addresses instead of in the host name [default: true with
    /// an endpoint, otherwise false]
    #[arg(
        long,
        env = "SLOVO_S3_PATH_STYLE",
        value_name = "true|false", global = true,
        action = ArgAction::Set
    )]
    pub s3_path_style: Option<bool>,
    /// Whether players read recordings from the object store, by addresses that are valid for six
    /// hours; browsers must reach it by the same address as this server
    #[arg(
        long,
        env = "SLOVO_S3_DIRECT_PLAYBACK",
        value_name = "true|false", global = true,
        default_value_t = false,
        action = ArgAction::Set
    )]
    pub s3_direct_playback: bool,
    /// How many gigabytes of recordings of an object store are kept in the data folder as copies
    #[arg(
        long,
        env = "SLOVO_S3_CACHE",
        value_name = "GB", global = true,
        default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..=100_000)
    )]
    pub s3_cache: u64,
}

impl ObjectStore {
    /// The storage of a server with this data folder.
    ///
    /// # Errors
    /// The message says what is wrong and what to do about it.
    pub async fn open(&self, data: &Path) -> Result<Storage> {
        let Some(url) = &self.storage_url else {
            return Ok(Storage::open(data)?);
        };
        let cache = data.join("cache");
        let options = Options {
            url,
            endpoint: self.s3_endpoint.as_deref(),
            region: self.s3_region.as_deref(),
            path_style: self.s3_path_style,
            direct_playback: self.s3_direct_playback,
            cache: &cache,
            cache_bytes: self.s3_cache * 1_000_000_000,
        };
        let objects = Objects::connect(&options).await?;
        Ok(Storage::in_objects(objects, data))
    }
}
