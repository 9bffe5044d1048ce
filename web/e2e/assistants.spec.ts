/** The MCP server with the official clients for TypeScript, of both eras of the protocol, on real speech. */
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { finishedJob, PASSWORD } from "./accounts";
import { speech } from "./recordings";
import type { Server } from "./server";
import { expect, test } from "./test";

type Arguments = Record<string, unknown>;

/** What the tests need of a client. */
interface Assistant {
  tools: () => Promise<string[]>;
  call: (name: string, args: Arguments) => Promise<{ isError: boolean; text: string; structured: Record<string, unknown> }>;
  close: () => Promise<void>;
}

interface Result {
  isError?: boolean;
  content?: readonly { type: string; text?: string }[];
  structuredContent?: unknown;
}

const simple = ({ isError, content, structuredContent }: Result) => ({
  isError: isError === true,
  text: content?.[0]?.text ?? "",
  structured: (structuredContent ?? {}) as Record<string, unknown>,
});

const INFO = { name: "slovo-tests", version: "1.0.0" };

async function connectOld(url: URL, key: string): Promise<Assistant> {
  const client = new OldClient(INFO);
  await client.connect(new OldTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => simple((await client.callTool({ name, arguments: args })) as Result),
    close: () => client.close(),
  };
}

async function connectNew(url: URL, key: string): Promise<Assistant> {
  const client = new NewClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new NewTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => simple((await client.callTool({ name, arguments: args })) as Result),
    close: () => client.close(),
  };
}

async function keyOf(server: Server, token: string, scopes: string[]): Promise<string> {
  const made = await fetch(`${server.origin}/api/v1/me/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "assistant", scopes, password: PASSWORD }),
  });
  expect(made.status).toBe(201);
  return ((await made.json()) as { secret: string }).secret;
}

for (const [era, connect] of [
  ["initialize", connectOld],
  ["2026-07-28", connectNew],
] as const) {
  test(`an assistant finds, reads and summarises a recording: ${era}`, async ({ server, reader }) => {
    test.setTimeout(240_000);
    const file = speech("assistants.mp3", "en_US_f_Allison", ["demo-congrats"]);
    const job = await finishedJob(server, reader, file, { language_code: "en" });
    const url = new URL(`${server.origin}/mcp`);
    const assistant = await connect(url, await keyOf(server, reader.access_token, ["read", "transcribe"]));
    expect(await assistant.tools()).toContain("search_transcripts");

    // The index is made a moment after the text.
    await expect
      .poll(async () => JSON.stringify((await assistant.call("search_transcripts", { query: "congratulations" })).structured), {
        timeout: 20_000,
        intervals: [500],
      })
      .toContain(job.my_job_id);
    const read = await assistant.call("get_transcript", { recording_id: job.my_job_id, start: 0, end: 4 });
    expect(JSON.stringify(read.structured)).toMatch(/congratulations/i);
    const all = await assistant.call("get_transcript", { recording_id: job.my_job_id });
    const lines = ({ structured }: typeof all) => (structured["lines"] as unknown[]).length;
    expect(lines(read)).toBeLessThan(lines(all));

    const summary = async () => {
      const { structured, text } = await assistant.call("summarise", { recording_id: job.my_job_id });
      return structured["status"] ?? text;
    };
    await expect.poll(summary, { timeout: 120_000 }).not.toBe("running");
    expect(await summary()).toBe("done");
    const refused = await assistant.call("transcribe_url", { url: "http://169.254.169.254/latest" });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/refused/i);
    await assistant.close();
  });

  test(`without a valid key there is no connection: ${era}`, async ({ server }) => {
    await expect(connect(new URL(`${server.origin}/mcp`), "slovo_unknown")).rejects.toThrow(/401|unauthori[sz]ed|unknown/i);
  });
}
