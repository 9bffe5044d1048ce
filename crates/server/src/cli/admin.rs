//! `slovo admin`: manages administrators from the server's own machine.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use slovo_app::config::Storage;
use slovo_db::Database;
use slovo_db::accounts::blocking::{self, Outcome};
use slovo_db::accounts::roles::{self, RevokeOutcome};
use slovo_db::accounts::{self, Status};
use slovo_platform::clock::{Clock, SystemClock};

/// Options of `slovo admin`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    storage: Storage,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Make an account an administrator
    Grant {
        /// The account's email address
        email: String,
    },
    /// Remove the administrator role; the last administrator keeps it
    Revoke {
        /// The account's email address
        email: String,
    },
    /// Block an account and end its sessions; the last administrator can't be blocked
    Block {
        /// The account's email address
        email: String,
    },
    /// Unblock an account
    Unblock {
        /// The account's email address
        email: String,
    },
    /// List the administrators
    List,
}

/// Changes the server's database; the server may be running.
pub fn run(options: &Options) -> Result<()> {
    super::in_runtime(async {
        let database = open(&options.storage).await?;
        let message = execute(&database, &options.verb, &SystemClock).await;
        database.close().await;
        println!("{}", message?);
        Ok(())
    })
}

/// Fails if there is no database, so that a wrong folder does not become an empty server.
pub async fn open(storage: &Storage) -> Result<Database> {
    let file = storage.data.join("slovo.db");
    if storage.database_url.is_none() && !file.is_file() {
        bail!(
            "{} is not there; is --data the server's folder?",
            file.display()
        );
    }
    let database = Database::connect(&storage.database()).await?;
    database.migrate().await?;
    Ok(database)
}

async fn execute(database: &Database, verb: &Verb, clock: &dyn Clock) -> Result<String> {
    let mut transaction = database.write().await?;
    let message = match verb {
        Verb::Grant { email } => {
            let account = account(&mut transaction, email).await?;
            if roles::grant_admin(&mut transaction, &account.id, clock.now_ms()).await? {
                format!("{} is now an administrator", account.email)
            } else {
                format!("{} was already an administrator", account.email)
            }
        }
        Verb::Revoke { email } => {
            let account = account(&mut transaction, email).await?;
            match roles::revoke_admin(&mut transaction, &account.id).await? {
                RevokeOutcome::Done => format!("{} is no longer an administrator", account.email),
                RevokeOutcome::WasNotAdmin => format!("{} was not an administrator", account.email),
                RevokeOutcome::LastAdmin => bail!(
                    "{} is the last administrator; make someone else an administrator first",
                    account.email
                ),
            }
        }
        Verb::Block { email } => {
            let account = account(&mut transaction, email).await?;
            match blocking::block(&mut transaction, &account.id, clock.now_ms()).await? {
                Outcome::Blocked => format!("{} is blocked", account.email),
                Outcome::NoAccount => bail!("{} no longer exists", account.email),
                Outcome::LastAdmin => bail!(
                    "{} is the last administrator; make someone else an administrator first",
                    account.email
                ),
            }
        }
        Verb::Unblock { email } => {
            let account = account(&mut transaction, email).await?;
            accounts::set_status(&mut transaction, &account.id, Status::Active).await?;
            format!("{} can sign in again", account.email)
        }
        Verb::List => {
            let all = roles::administrators(&mut transaction).await?;
            if all.is_empty() {
                "there are no administrators".to_owned()
            } else {
                all.join("\n")
            }
        }
    };
    transaction.commit().await?;
    Ok(message)
}

async fn account(connection: &mut slovo_db::Connection, email: &str) -> Result<accounts::Account> {
    let email = slovo_rules::account::normalize_email(email);
    accounts::get_by_email(connection, &email)
        .await?
        .with_context(|| format!("there is no account with the address {email}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_server};

    #[apply(each_database!)]
    fn granting_and_revoking_the_role_takes_effect_at_once(backend: Backend) {
        with_server(backend, async |server| {
            server.signup("first@example.com").await;
            let second = server.signup("second@example.com").await;
            let run = async |verb| execute(&server.state.db, &verb, &*server.state.clock).await;
            let grant = |email: &str| Verb::Grant {
                email: email.to_owned(),
            };
            let revoke = |email: &str| Verb::Revoke {
                email: email.to_owned(),
            };

            assert_eq!(run(Verb::List).await.unwrap(), "first@example.com");
            let refused = run(revoke("first@example.com")).await.unwrap_err();
            assert!(
                refused.to_string().contains("last administrator"),
                "{refused}"
            );
            let unknown = run(grant("nobody@example.com")).await.unwrap_err();
            assert!(unknown.to_string().contains("no account"), "{unknown}");

            assert_eq!(server.me(&second).await.json()["role"], "user");
            run(grant(" Second@Example.COM ")).await.unwrap();
            assert_eq!(server.me(&second).await.json()["role"], "admin");
            run(revoke("first@example.com")).await.unwrap();
            run(grant("second@example.com")).await.unwrap();
            assert_eq!(run(Verb::List).await.unwrap(), "second@example.com");
        });
    }

    #[apply(each_database!)]
    fn an_account_is_blocked_and_unblocked(backend: Backend) {
        with_server(backend, async |server| {
            server.signup("first@example.com").await;
            let second = server.signup("second@example.com").await;
            let run = async |verb| execute(&server.state.db, &verb, &*server.state.clock).await;
            let block = |email: &str| Verb::Block {
                email: email.to_owned(),
            };
            run(block("Second@example.com")).await.unwrap();
            assert_eq!(server.me(&second).await.status, 401);
            let email = "second@example.com".to_owned();
            run(Verb::Unblock { email }).await.unwrap();
            let answer = server.login("second@example.com", crate::testing::PASSWORD);
            assert_eq!(answer.await.status, 200);
            let refused = run(block("first@example.com")).await.unwrap_err();
            assert!(
                refused.to_string().contains("last administrator"),
                "{refused}"
            );
        });
    }

    #[tokio::test]
    async fn a_folder_without_a_server_is_refused_and_stays_empty() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage {
            adopt: false,
            data: folder.path().to_owned(),
            database_url: None,
        };
        assert!(open(&storage).await.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
