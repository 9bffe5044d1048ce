//! The chapters of `/docs` on webhooks and on assistants (Model Context Protocol).

use leptos::prelude::*;

use crate::scene::scene;

use super::reading::code;

const EVENT: &str = r#"{
  "type": "job.completed",
  "timestamp": "2026-03-01T12:00:05Z",
  "data": {
    "job_id": "019c8f2e-5d0a-7c61-9a7e-2f4b8c1d3e5f",
    "file_name": "interview.mp3",
    "language": "uk",
    "duration": 1834.2,
    "url": "{origin}/transcription/019c8f2e-…",
    "transcript_url": "{origin}/api/v1/hooks/transcript/eyJ…"
  }
}"#;

const NODE_RECEIVER: &str = r#"import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook("whsec_…");
createServer(async (request, response) => {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  try {
    const event = webhook.verify(body, request.headers);
    console.log(event.type, event.data.file_name);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8000);"#;

const PYTHON_RECEIVER: &str = r#"from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook("whsec_…")

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            self.send_response(400)
        else:
            print(event["type"], event["data"].get("file_name"), flush=True)
            self.send_response(204)
        self.end_headers()

HTTPServer(("", 8000), Receiver).serve_forever()"#;

const CLAUDE_CODE: &str = r#"claude mcp add --transport http slovo {origin}/mcp \
  --header "Authorization: Bearer slovo_…""#;

const VS_CODE: &str = r#"{
  "servers": {
    "slovo": {
      "type": "http",
      "url": "{origin}/mcp",
      "headers": { "Authorization": "Bearer slovo_…" }
    }
  }
}"#;

const MCP_CLIENT: &str = r#"import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const transport = new StreamableHTTPClientTransport(new URL("{origin}/mcp"), {
  requestInit: { headers: { Authorization: "Bearer slovo_…" } },
});
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(transport);
const found = await client.callTool({
  name: "list_recordings",
  arguments: { status: "completed", limit: 5 },
});
for (const recording of found.structuredContent.items) console.log(recording.name);
await client.close();"#;

fn examples(each: &[&str]) -> AnyView {
    let scene = scene();
    let origin = scene.site.origin.as_str();
    let each = each.iter().map(|it| code(it.replace("{origin}", origin)));
    each.collect_view().into_any()
}

/// An event, and programs that receive events.
pub(super) fn webhooks() -> AnyView {
    examples(&[EVENT, NODE_RECEIVER, PYTHON_RECEIVER])
}

/// How assistants and programs are connected.
pub(super) fn assistants() -> AnyView {
    examples(&[CLAUDE_CODE, VS_CODE, MCP_CLIENT])
}
