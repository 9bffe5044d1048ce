//! The stored server and key.

use std::fs;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use reqwest::Url;
use serde::Deserialize;

use super::client::{Account, Client};
use super::{NO_ACCESS, own_folder};
use crate::cli::failure::Failure;

#[derive(Deserialize)]
struct Me {
    email: String,
}

fn file() -> Result<PathBuf> {
    let folder = own_folder("XDG_CONFIG_HOME", ".config");
    let folder = folder.context("there is no home directory; set SLOVO_SERVER and SLOVO_KEY")?;
    Ok(folder.join("remote.json"))
}

/// The account of `SLOVO_SERVER` and `SLOVO_KEY`, otherwise the stored one.
///
/// # Errors
/// There is none, or the file cannot be read.
pub fn find() -> Result<Account> {
    let given = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    match (given("SLOVO_SERVER"), given("SLOVO_KEY")) {
        (Some(server), Some(key)) => {
            return Ok(Account {
                server: origin(&server)?,
                key,
            });
        }
        (Some(_), None) => return Err(Failure::usage("SLOVO_KEY is missing").into()),
        (None, _) => {}
    }
    let file = file()?;
    match fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged: sign in again", file.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let missing = "no server is known: run `slovo remote login URL`";
            Err(Failure::new(NO_ACCESS, missing).into())
        }
        Err(error) => Err(error).with_context(|| file.display().to_string()),
    }
}

/// The server of [`find`].
///
/// # Errors
/// There is no account.
pub fn client() -> Result<Client> {
    Client::new(&find()?)
}

/// Asks for a key, checks it, and stores it.
///
/// # Errors
/// The address is none, or the server refuses the key.
pub async fn login(server: &str) -> Result<ExitCode> {
    let server = origin(server)?;
    let account = Account {
        key: read_key(&server)?,
        server,
    };
    let me: Me = Client::new(&account)?.get("/api/v1/auth/me", &[]).await?;
    let file = file()?;
    let folder = file.parent().context("no folder")?;
    fs::create_dir_all(folder)?;
    // The key must not be readable for others, not even while it is written.
    let unfinished = folder.join(format!(".remote-{}", std::process::id()));
    let _ = fs::remove_file(&unfinished);
    let mut written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&unfinished)?;
    written.write_all(&serde_json::to_vec_pretty(&account)?)?;
    written.set_permissions(fs::Permissions::from_mode(0o600))?;
    written.sync_all()?;
    fs::rename(&unfinished, &file)?;
    writeln!(
        std::io::stderr(),
        "{}: signed in as {}",
        account.server,
        me.email
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Forgets the server and the key.
///
/// # Errors
/// The file cannot be removed.
pub fn logout() -> Result<ExitCode> {
    match fs::remove_file(file()?) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// `SLOVO_KEY`, or the first line of standard input; on a terminal it is not shown.
fn read_key(server: &str) -> Result<String> {
    if let Ok(key) = std::env::var("SLOVO_KEY")
        && !key.is_empty()
    {
        return Ok(key);
    }
    let key = if std::io::stdin().is_terminal() {
        let ask = format!("API key ({server}/settings?tab=api-keys): ");
        rpassword::prompt_password(ask)?
    } else {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        line
    };
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(Failure::usage("no API key was given").into());
    }
    Ok(key)
}

/// The origin of an address.
fn origin(address: &str) -> Result<String> {
    let with_scheme = if address.contains("://") {
        address.to_owned()
    } else {
        format!("https://{address}")
    };
    let url = Url::parse(with_scheme.trim());
    let Ok(url) = url.map_err(drop).and_then(|url| match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(()),
    }) else {
        return Err(Failure::usage(format!("{address} is no address of a server")).into());
    };
    if !url.username().is_empty() || url.password().is_some() {
        bail!(Failure::usage("the address must not contain a password"));
    }
    let host = url.host_str().unwrap_or_default();
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host);
    if url.scheme() == "http" && !is_here {
        writeln!(
            std::io::stderr(),
            "slovo: {host} is reached without encryption: others can read the key on the way"
        )?;
    }
    Ok(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn an_address_becomes_an_origin() {
        for (address, expected) in [
            ("slovo.example.com", "https://slovo.example.com"),
            (
                "https://slovo.example.com/docs?a=b",
                "https://slovo.example.com",
            ),
            ("http://127.0.0.1:8787/", "http://127.0.0.1:8787"),
            (" http://localhost ", "http://localhost"),
        ] {
            assert_eq!(origin(address).unwrap(), expected, "{address}");
        }
        for address in [
            "",
            "ftp://a",
            "https://me:secret@a.example",
            "http://",
            "a b",
        ] {
            assert!(origin(address).is_err(), "{address}");
        }
    }
}
