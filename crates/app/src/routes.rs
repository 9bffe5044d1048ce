//! [`routes!`](crate::routes!): actions and their descriptions, for a router with an API document.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

use crate::state::AppState;

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler without its type.
#[derive(Clone)]
pub struct ErasedHandler(Arc<dyn Fn(Request, AppState) -> ResponseFuture + Send + Sync>);

impl ErasedHandler {
    /// The same as `handler`, a function: axum boxes the futures of functions already.
    pub fn new<T>(handler: impl Handler<T, AppState, Future = ResponseFuture>) -> Self {
        Self(Arc::new(move |request, state| {
            handler.clone().call(request, state)
        }))
    }
}

impl fmt::Debug for ErasedHandler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ErasedHandler")
    }
}

impl Handler<(), AppState> for ErasedHandler {
    type Future = ResponseFuture;

    fn call(self, request: Request, state: AppState) -> Self::Future {
        (self.0)(request, state)
    }
}

/// `utoipa_axum::routes!` with handlers without their types: axum's services around a handler are
/// generic over it, and took the compiler longer than all other code of the actions. It calls an
/// internal rule of that macro, which a new version of the crate may change.
#[macro_export]
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut schemas = Vec::new();
        let mut router = axum::routing::MethodRouter::new();
        $(
            let (path, item, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for method in &methods {
                let handler = $crate::routes::ErasedHandler::new($handler);
                router = router.on(method.to_method_filter(), handler);
            }
            paths.add_path_operation(&path, methods, item);
        )+
        (schemas, paths, router)
    }};
}
