//! The connection to Temporal.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use temporalio_client::Url;
use temporalio_client::grpc::WorkflowService;
use temporalio_client::tonic::{Code, IntoRequest};
use temporalio_client::{Client, ClientOptions, Connection, ConnectionOptions};
use temporalio_common::protos::temporal::api::workflowservice::v1::DescribeNamespaceRequest;
use temporalio_sdk::runtime::{Runtime, RuntimeOptions};

use crate::queues::TaskQueues;
use crate::{Parts, orders, schedules, workers};

/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where Temporal is.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The server: http://host:7233, or https.
    pub url: &'a Url,
    /// The namespace.
    pub namespace: &'a str,
    /// The key, if the server wants one.
    pub api_key: Option<&'a str>,
    /// The id of the installation.
    pub installation: &'a str,
}

/// A connection to Temporal.
pub struct Temporal {
    client: Client,
    runtime: Runtime,
    queues: TaskQueues,
}

impl Temporal {
    /// Connects, and checks that the namespace exists.
    ///
    /// # Errors
    /// The message says what is wrong and what to do about it.
    pub async fn connect(options: &Options<'_>) -> Result<Self> {
        let Options { url, namespace, .. } = options;
        let unreachable = || {
            format!(
                "Temporal cannot be used at {url}; correct SLOVO_TEMPORAL_URL or \
                 SLOVO_TEMPORAL_API_KEY, or start it"
            )
        };
        let identity = format!("slovo-{}", std::process::id());
        let connection = ConnectionOptions::new((*url).clone())
            .identity(identity)
            .connect_timeout(CONNECT_TIMEOUT)
            .maybe_api_key(options.api_key.map(str::to_owned))
            .build();
        let connecting = tokio::time::timeout(CONNECT_TIMEOUT, Connection::connect(connection));
        let connection = connecting
            .await
            .map_err(|_| anyhow!("no answer within {} seconds", CONNECT_TIMEOUT.as_secs()))
            .and_then(|connected| connected.map_err(Into::into))
            .with_context(unreachable)?;
        let client = Client::new(connection, ClientOptions::new(*namespace).build())
            .with_context(unreachable)?;
        let request = DescribeNamespaceRequest {
            namespace: (*namespace).to_owned(),
            ..Default::default()
        };
        let answered = client
            .connection()
            .clone()
            .describe_namespace(request.into_request())
            .await;
        match answered {
            Ok(_) => {}
            Err(status) if status.code() == Code::NotFound => {
                return Err(anyhow!(
                    "Temporal has no namespace “{namespace}”; create it with `temporal operator \
                     namespace create {namespace}`, or correct SLOVO_TEMPORAL_NAMESPACE"
                ));
            }
            Err(status) => return Err(status).with_context(unreachable),
        }
        Ok(Self {
            client,
            runtime: Runtime::from_current_tokio(RuntimeOptions::default())?,
            queues: TaskQueues::of_installation(options.installation),
        })
    }

    /// Orders workflows, and works on the task queues of this process, until the server stops.
    ///
    /// # Errors
    /// When a schedule cannot be created.
    pub async fn start(self, parts: Parts) -> Result<()> {
        schedules::create(&self.client, &self.queues, &parts.repeated)
            .await
            .context("the schedules cannot be created at Temporal")?;
        let ordering = orders::place(self.client.clone(), self.queues.clone(), parts.clone());
        parts.tasks.spawn(ordering);
        workers::start(self.client, self.runtime, self.queues, parts);
        Ok(())
    }
}
