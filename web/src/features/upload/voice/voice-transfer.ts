/**
 * The tus requests of a recording, whose length is declared only at its end. The library for files cannot be used: it
 * reads its source itself, and a recording must be sent from whatever offset the server reports.
 */
import { ApiError, api, apiFetch, call } from "@/api";

/** An upload of the caller, with the fields that matter for recordings. */
export interface VoiceUpload {
  id: string;
  filename: string;
  /** In bytes; null while the length is deferred. */
  size: number | null;
  /** Bytes on the server. */
  stored: number;
  /** In ms. */
  startedAt: number;
}

/** All functions throw `ApiError`; its status is 0 without a response. */
export interface VoiceTransfer {
  create: (filename: string, signal: AbortSignal) => Promise<string>;
  /** Appends at `offset`, and declares the length if `total` is given. Returns the number of bytes on the server. */
  append: (id: string, at: AppendRequest, signal: AbortSignal) => Promise<number>;
  /** Bytes on the server, and the length, null while deferred. */
  look: (id: string, signal?: AbortSignal) => Promise<{ stored: number; length: number | null }>;
  remove: (id: string, keepalive: boolean) => Promise<void>;
  /** Recordings without a job, from all devices. */
  list: () => Promise<VoiceUpload[]>;
}

export interface AppendRequest {
  offset: number;
  parts: readonly Uint8Array<ArrayBuffer>[];
  /** Total length in bytes. */
  total?: number;
}

const UPLOADS = "/api/v1/uploads";
const TUS = { "tus-resumable": "1.0.0" };
/** A dead connection that was not closed must not block the recording. */
const TIMEOUT_MS = 45_000;

export const serverTransfer: VoiceTransfer = {
  create: async (filename, signal) => {
    const metadata = Object.entries({ filename, filetype: "audio/wav", kind: "voice" })
      .map(([key, value]) => `${key} ${base64(value)}`)
      .join(",");
    const headers = { ...TUS, "upload-defer-length": "1", "upload-metadata": metadata };
    const answer = await apiFetch(UPLOADS, { method: "POST", headers, signal: withTimeout(signal) });
    const id = answer.headers.get("location")?.split("/").at(-1);
    if (!id) {
      throw new ApiError({ status: answer.status, code: "unreadable_answer" });
    }
    return id;
  },

  append: async (id, { offset, parts, total }, signal) => {
    const answer = await apiFetch(`${UPLOADS}/${id}`, {
      method: "PATCH",
      headers: {
        ...TUS,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        ...(total !== undefined && { "upload-length": String(total) }),
      },
      body: new Blob([...parts]),
      signal: withTimeout(signal),
    });
    return readBytes(answer, "upload-offset");
  },

  look: async (id, signal) => {
    const answer = await apiFetch(`${UPLOADS}/${id}`, {
      method: "HEAD",
      headers: TUS,
      signal: withTimeout(signal),
    });
    return {
      stored: readBytes(answer, "upload-offset"),
      length: answer.headers.has("upload-length") ? readBytes(answer, "upload-length") : null,
    };
  },

  remove: async (id, keepalive) => {
    try {
      await apiFetch(`${UPLOADS}/${id}`, { method: "DELETE", headers: TUS, keepalive });
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
    }
  },

  list: async () => {
    const { uploads } = await call(api.GET("/api/v1/uploads"));
    return uploads
      .filter(({ kind }) => kind === "voice")
      .map(({ upload_id, filename, size, stored, created_at }) => ({
        id: upload_id,
        filename,
        size: size ?? null,
        stored,
        startedAt: Date.parse(created_at),
      }));
  },
};

/** The upload is gone: it has expired, was deleted elsewhere, or has become a job. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}

function withTimeout(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function readBytes(answer: Response, header: string): number {
  const text = answer.headers.get(header);
  const bytes = Number(text);
  if (text === null || !Number.isSafeInteger(bytes) || bytes < 0) {
    throw new ApiError({ status: answer.status, code: "unreadable_answer" });
  }
  return bytes;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
