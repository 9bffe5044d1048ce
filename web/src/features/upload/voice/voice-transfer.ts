/**
 * The tus requests of a recording: an upload whose length is declared only at its end. The library for files is no help
 * here: it wants to read its source itself, and a recording must be sent again from wherever the server says.
 */
import { ApiError, api, apiFetch, call } from "@/api";

/** An upload of the caller's, as far as recordings are concerned. */
export interface VoiceUpload {
  id: string;
  filename: string;
  /** Bytes; null while the length is open. */
  size: number | null;
  /** Bytes at the server. */
  stored: number;
  /** In ms. */
  startedAt: number;
}

/** Every function throws `ApiError`; its status is 0 when no answer came. */
export interface VoiceTransfer {
  create: (filename: string, signal: AbortSignal) => Promise<string>;
  /** Appends at `offset`, and declares the length when `total` is given. Gives the bytes that the server has then. */
  append: (id: string, at: Appending, signal: AbortSignal) => Promise<number>;
  /** Bytes that the server has, and the length, null while it does not know that. */
  look: (id: string, signal?: AbortSignal) => Promise<{ stored: number; length: number | null }>;
  remove: (id: string, keepalive: boolean) => Promise<void>;
  /** Recordings that no job has taken, of all devices. */
  list: () => Promise<VoiceUpload[]>;
}

export interface Appending {
  offset: number;
  parts: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes that the whole recording has. */
  total?: number;
}

const UPLOADS = "/api/v1/uploads";
const TUS = { "tus-resumable": "1.0.0" };
/** A line that is dead without having been closed must not hold the recording up. */
const PATIENCE_MS = 45_000;

export const serverTransfer: VoiceTransfer = {
  create: async (filename, signal) => {
    const metadata = Object.entries({ filename, filetype: "audio/wav", kind: "voice" })
      .map(([key, value]) => `${key} ${base64(value)}`)
      .join(",");
    const headers = { ...TUS, "upload-defer-length": "1", "upload-metadata": metadata };
    const answer = await apiFetch(UPLOADS, { method: "POST", headers, signal: patient(signal) });
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
      signal: patient(signal),
    });
    return readBytes(answer, "upload-offset");
  },

  look: async (id, signal) => {
    const answer = await apiFetch(`${UPLOADS}/${id}`, {
      method: "HEAD",
      headers: TUS,
      signal: patient(signal),
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

/** The upload is not there any more: it has expired, was removed elsewhere, or has become a job. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}

function patient(signal?: AbortSignal): AbortSignal {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  return signal ? AbortSignal.any([signal, patience]) : patience;
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
