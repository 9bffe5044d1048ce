/** A fake NocoDB: tables are missing until they are created, rows are in memory. */
import { createServer, type IncomingMessage } from "node:http";
import { listen } from "./built-page";

export const TOKEN = "token-of-the-test";
export const BASE = "pbase";

interface Field {
  title: string;
}
type Row = Record<string, unknown> & { Id: number };

export async function startNocodb() {
  const tables = new Map<string, { fields: string[]; rows: Row[] }>();
  let next = 0;
  /** Delay of responses, so that a running synchronisation is visible. */
  const state = { pause: 0 };
  const tableOf = (id: string | undefined) => tables.get(id?.replace(/^m_/, "") ?? "");

  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const url = new URL(request.url ?? "/", "http://x");
    const steps = url.pathname.split("/").slice(1);
    const [, version, kind] = steps;
    if (url.pathname === "/api/v1/health") return [200, { message: "OK" }];
    if (request.headers["xc-token"] !== TOKEN) return [401, { error: "ERR_AUTHENTICATION_REQUIRED", message: "Invalid token" }];
    // An older version, which supports only v2 of the API.
    if (version !== "v2") return [404, { error: "INVALID_API_VERSION", message: "API version unsupported" }];
    if (steps[3] === "bases" && steps[4] !== BASE) return [404, { error: "ERR_BASE_NOT_FOUND", message: "Base not found" }];
    let text = "";
    for await (const piece of request) text += piece;
    const body = text === "" ? null : JSON.parse(text);
    await new Promise((resolve) => setTimeout(resolve, state.pause));
    if (kind === "meta") {
      if (steps[3] === "tables") return [200, { columns: tableOf(steps[4])?.fields.map((title) => ({ title })) }];
      if (request.method === "POST") {
        tables.set(body.title, { fields: body.columns.map(({ title }: Field) => title), rows: [] });
        return [200, { id: `m_${body.title}` }];
      }
      return [200, { list: [...tables.keys()].map((title) => ({ id: `m_${title}`, title })) }];
    }
    const rows = tableOf(steps[3])?.rows;
    if (!rows) return [404, { error: "ERR_TABLE_NOT_FOUND", message: "no table" }];
    if (request.method === "GET") {
      const after = Number(/\(Id,gt,(\d+)\)/.exec(url.searchParams.get("where") ?? "")?.[1] ?? 0);
      const limit = Number(url.searchParams.get("limit") ?? 25);
      return [200, { list: rows.filter(({ Id }) => Id > after).slice(0, limit) }];
    }
    if (request.method === "POST") {
      const created = body.map((row: object) => ({ ...row, Id: ++next, CreatedAt: "2026-01-01 00:00:00+00:00" }));
      rows.push(...created);
      return [200, created.map(({ Id }: Row) => ({ Id }))];
    }
    for (const row of body as Row[]) Object.assign(rows.find(({ Id }) => Id === row.Id) ?? {}, row);
    return [200, body.map(({ Id }: Row) => ({ Id }))];
  };

  const http = createServer((request, response) => {
    void answer(request).then(([status, answerBody]) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answerBody));
    });
  });
  return {
    url: await listen(http),
    state,
    /** A row created by a user there. */
    insert: (table: string, row: object) =>
      tables.get(table)?.rows.push({ ...row, Id: ++next, CreatedAt: "2026-01-01 00:00:00+00:00" }),
    stop: () => http.close(),
  };
}

export type Nocodb = Awaited<ReturnType<typeof startNocodb>>;
