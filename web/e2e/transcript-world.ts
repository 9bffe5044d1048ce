/**
 * A fake server with one job and its text, for tests of the workspace and its speed: the built page, and the API in memory,
 * typed by the API document. It keeps a journal, validates edits, and sends events; a test can hold its responses, break
 * the connection, or edit as another author.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type {
  Edit,
  EditEntry,
  EditedSegment,
  EditOp,
  EditsSaved,
  Job,
  JobVoices,
  NewStretchBody,
  OpenedTranscript,
  Problem,
  RemovedPassage,
  SegmentChange,
  SegmentRef,
  Speaker,
  Stretch,
} from "../src/api/schema.d.ts";
import { AnnotationWorld } from "./annotation-world";
import { answerWithFile, close, listen } from "./built-page";
import { sessionOf } from "./mock-api";

/** Another author than the page. */
export const OTHER = "0198aaaa-0000-4000-8000-00000000000b";

interface Stored extends EditEntry {
  before: SegmentChange[];
  beforeSpeakers: Speaker[];
  undone: boolean;
  answer: EditsSaved;
}

class Refusal {
  constructor(
    readonly status: number,
    readonly code: Problem["code"],
    readonly more: Partial<Problem> = {},
  ) {}
}

export class TranscriptWorld {
  origin = "";
  segments: EditedSegment[];
  speakers: Speaker[];
  /** The passages removed by the engine. */
  removed: RemovedPassage[] = [];
  /** Stretches that are recognised again, the newest first, and the bodies of the requests for them. */
  stretches: Stretch[] = [];
  askedStretches: NewStretchBody[] = [];
  /** Lines removed by edits, including restored ones. */
  bin: EditedSegment[] = [];
  /** The run of the text. */
  version = 1;
  /** All stored edits, in order. */
  journal: Stored[] = [];
  /** The bodies of all edit requests, including failed ones. */
  asked: { client: string; edits: Edit[] }[] = [];
  /** The stored playback position in seconds, and all positions sent by pages. */
  position: number | null = null;
  positions: number[] = [];
  readonly annotations = new AnnotationWorld();
  /** How often a page has reported the opening of its text. */
  noted = 0;
  /**
   * `down`: no response; `lost`: the edit is stored, but the response does not arrive; `held`: responses wait;
   * `refused`: the user may not edit.
   */
  line: "up" | "down" | "lost" | "held" | "refused" = "up";
  /** Handles requests of another fake server for the same job; returns false for other requests. */
  also: (request: IncomingMessage, response: ServerResponse, of: string, body: unknown) => boolean = () => false;
  readonly #listeners = new Set<ServerResponse>();
  readonly #held: (() => void)[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #silence: Buffer | undefined;

  constructor(
    readonly job: Job,
    segments: readonly EditedSegment[],
    speakers: readonly Speaker[],
  ) {
    this.segments = structuredClone([...segments]);
    this.speakers = structuredClone([...speakers]);
  }

  async start(): Promise<void> {
    this.origin = await listen(this.#server);
  }

  async stop(): Promise<void> {
    await close(this.#server);
  }

  /** The recording: silence. */
  play(wav: Buffer): void {
    this.#silence = wav;
  }

  setLine(line: TranscriptWorld["line"]): void {
    this.line = line;
    if (line !== "held") for (const go of this.#held.splice(0)) go();
  }

  text(id: string): string | undefined {
    return this.segments.find((segment) => segment.id === id)?.text;
  }

  /** Applies edits of another author. */
  write(op: EditOp): void {
    this.#save(OTHER, [{ edit_id: crypto.randomUUID(), op }]);
  }

  ref(id: string): SegmentRef {
    return { id, revision: this.segments.find((segment) => segment.id === id)?.revision ?? 0 };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const isApi = url.pathname.startsWith("/api/") || url.pathname === "/readyz";
    if (this.line === "down" && isApi) return void request.socket.destroy();
    if (url.pathname === "/readyz") return json(response, 200, { status: "ok", version: "0", space: "enough" });
    if (!isApi) return answerWithFile(url.pathname, response);
    const body = await read(request);
    const of = url.pathname.replace(`/api/v1/jobs/${this.job.my_job_id}`, "");
    try {
      if (this.also(request, response, of, body)) return;
      if (url.pathname.endsWith("/events")) return this.#listen(url, response, of);
      if (of === "/media") return this.#media(request, response);
      const answer = this.#act(request.method ?? "GET", of, url, body);
      if (this.line === "held") await new Promise<void>((go) => this.#held.push(go));
      if (this.line === "lost" && request.method === "POST") return void request.socket.destroy();
      json(response, 200, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      json(response, error.status, {
        type: "about:blank",
        title: error.code,
        status: error.status,
        code: error.code,
        request_id: "world",
        ...error.more,
      } satisfies Problem);
    }
  }

  #act(method: string, of: string, url: URL, body: unknown): unknown {
    const requested = body as { client: string; edits: Edit[]; edit_id: string };
    switch (`${method} ${of}`) {
      case "GET ":
        return this.job;
      case "GET /transcript":
        return this.#opened(url.searchParams.get("client") ?? "");
      case "POST /opened":
        this.noted += 1;
        return null;
      case "GET /position":
        return { seconds: this.position };
      case "PUT /position":
        this.position = (body as { seconds: number }).seconds || null;
        this.positions.push((body as { seconds: number }).seconds);
        return null;
      case "GET /removed":
        return { version: this.version, passages: this.removed };
      case "GET /recognise-again":
        return { stretches: this.stretches };
      case "POST /recognise-again":
        return this.#askStretch(body as NewStretchBody);
      case "GET /bin":
        return { version: this.version, lines: this.bin.filter(({ id }) => !this.segments.some((segment) => segment.id === id)) };
      case "GET /voices":
        return { version: this.version, looking: false, compared: false, proposals: [], remembered: [] } satisfies JobVoices;
      case "GET /edits":
        return this.#since(Number(url.searchParams.get("since")));
      case "POST /edits":
        this.asked.push(requested);
        if (this.line === "refused") throw new Refusal(403, "forbidden");
        return this.#save(requested.client, requested.edits);
      case "POST /edits/undo":
        return this.#step(requested.client, "undo", requested.edit_id);
      case "POST /edits/redo":
        return this.#step(requested.client, "redo", requested.edit_id);
      case "POST /media-link":
        return { url: `${this.origin}/api/v1/jobs/${this.job.my_job_id}/media`, expires_at: "2099-01-01T00:00:00Z" };
      default: {
        const marks = this.annotations.act(method, of, body);
        if (marks !== undefined) return marks;
        if (of === "/api/v1/me/docx-template") return { template: null };
        if (of === "/api/v1/me/voices") return { voices: [] };
        if (of === "/api/v1/auth/sessions") return { sessions: [] };
        if (url.pathname.endsWith("/auth/refresh")) return sessionOf({ signedIn: true, jobs: [] });
        throw new Refusal(404, "not_found");
      }
    }
  }

  #opened(client: string): OpenedTranscript {
    return {
      version: this.version,
      seq: this.journal.length,
      language: this.job.language ?? "uk",
      duration: this.job.duration ?? 0,
      mode: "full",
      model: "base-q8_0",
      speakers: this.speakers,
      segments: this.segments,
      warnings: [],
      newest: true,
      ...this.#steps(client),
    };
  }

  #steps(client: string) {
    const ownEntries = this.journal.filter((entry) => entry.client === client && entry.kind !== "undo");
    return { can_undo: ownEntries.some(({ undone }) => !undone), can_redo: ownEntries.some(({ undone }) => undone) };
  }

  #save(client: string, edits: readonly Edit[]): EditsSaved {
    const known = edits.map(({ edit_id }) => this.journal.find((entry) => entry.edit_id === edit_id));
    if (known.every((edit) => edit !== undefined)) return known.at(-1)?.answer as EditsSaved;
    const conflicts = edits
      .filter((_, at) => !known[at])
      .flatMap(({ op }) => refsOf(op))
      .flatMap(({ id, revision }): SegmentChange[] => {
        const segment = this.segments.find((line) => line.id === id) ?? null;
        return segment?.revision === revision ? [] : [{ id, segment }];
      });
    if (conflicts.length > 0) throw new Refusal(409, "edit_conflict", { conflicts });
    let changes: SegmentChange[] = [];
    for (const [at, { edit_id, op }] of edits.entries()) {
      if (known[at]) continue;
      for (const entry of this.journal) if (entry.client === client && entry.undone) entry.undone = false;
      const stored = this.#store(client, edit_id, op.kind, () => this.#apply(op));
      changes = [...changes, ...stored.changes];
    }
    const answer = { seq: this.journal.length, changes, speakers: this.speakers, ...this.#steps(client) };
    const last = this.journal.at(-1);
    if (last) last.answer = answer;
    this.#tell(this.journal.slice(-edits.length));
    return answer;
  }

  #store(client: string, edit_id: string, kind: EditEntry["kind"], work: () => void): Stored {
    const before = new Map(this.segments.map((segment) => [segment.id, segment]));
    const beforeSpeakers = this.speakers;
    work();
    const current = new Map(this.segments.map((segment) => [segment.id, segment]));
    const ids = [...new Set([...before.keys(), ...current.keys()])].filter((id) => before.get(id) !== current.get(id));
    const side = (of: Map<string, EditedSegment>) => ids.map((id) => ({ id, segment: of.get(id) ?? null }));
    const stored: Stored = {
      seq: this.journal.length + 1,
      edit_id,
      client,
      author: { name: "Олена Коваленко" },
      at: "2026-11-21T09:00:00Z",
      kind,
      changes: side(current),
      before: side(before),
      beforeSpeakers,
      speakers: this.speakers,
      undone: false,
      answer: { seq: this.journal.length + 1, changes: side(current), speakers: this.speakers, can_undo: true, can_redo: false },
    };
    this.journal.push(stored);
    return stored;
  }

  #step(client: string, direction: "undo" | "redo", edit_id: string): EditsSaved {
    const ownEntries = this.journal.filter((entry) => entry.client === client && entry.kind !== "undo" && entry.kind !== "redo");
    const target = direction === "undo" ? ownEntries.findLast(({ undone }) => !undone) : ownEntries.find(({ undone }) => undone);
    if (!target) throw new Refusal(409, direction === "undo" ? "nothing_to_undo" : "nothing_to_redo");
    const to = direction === "undo" ? target.before : target.changes;
    const from = direction === "undo" ? target.changes : target.before;
    const changed = from.filter(({ id, segment }) => this.text(id) !== segment?.text);
    if (changed.length > 0) {
      throw new Refusal(409, "edit_conflict", {
        conflicts: changed.map(({ id }) => ({ id, segment: this.segments.find((s) => s.id === id) ?? null })),
      });
    }
    const stored = this.#store(client, edit_id, direction, () => {
      for (const { id, segment } of to) this.#put(id, segment ?? null);
      this.speakers = direction === "undo" ? target.beforeSpeakers : (target.speakers ?? this.speakers);
    });
    target.undone = direction === "undo";
    this.#tell([stored]);
    return { seq: stored.seq, changes: stored.changes, speakers: this.speakers, ...this.#steps(client) };
  }

  /** Restores a segment with a new revision. */
  #put(id: string, segment: EditedSegment | null): void {
    const revision = Math.max(
      0,
      ...this.journal.flatMap((entry) => entry.changes.filter((c) => c.id === id).map((c) => c.segment?.revision ?? 0)),
    );
    this.segments = this.segments.filter((line) => line.id !== id);
    if (segment) this.segments.push({ ...segment, revision: revision + 1 });
    this.segments.sort((a, b) => a.place.base - b.place.base || a.place.part - b.place.part);
  }

  #apply(op: EditOp): void {
    const change = (id: string, part: Partial<EditedSegment>) => {
      this.segments = this.segments.map((segment) =>
        segment.id === id ? { ...segment, ...part, revision: segment.revision + 1 } : segment,
      );
    };
    const segmentById = (id: string) => this.segments.find((segment) => segment.id === id) as EditedSegment;
    switch (op.kind) {
      case "set_text":
        change(op.segment.id, { text: op.text, words: worded(segmentById(op.segment.id), op.text) });
        return;
      case "replace":
        for (const { segment, text } of op.segments) change(segment.id, { text, words: worded(segmentById(segment.id), text) });
        return;
      case "confirm_words": {
        const words = segmentById(op.segment.id).words.map((word, at) =>
          op.words.includes(at) ? { ...word, confidence: 1 } : word,
        );
        change(op.segment.id, { words });
        return;
      }
      case "split": {
        const source = segmentById(op.segment.id);
        const letters = [...source.text];
        const [left, right] = [letters.slice(0, op.at).join("").trim(), letters.slice(op.at).join("").trim()];
        const count = left.split(" ").length;
        const border = source.words[count]?.start ?? (source.start + source.end) / 2;
        change(op.segment.id, { text: left, words: source.words.slice(0, count), end: border });
        const part = source.place.part + 2 ** 40;
        this.segments.push({
          ...source,
          id: op.new_segment,
          revision: 1,
          place: { ...source.place, part },
          text: right,
          words: source.words.slice(count),
          start: border,
        });
        this.segments.sort((a, b) => a.place.base - b.place.base || a.place.part - b.place.part);
        return;
      }
      case "merge": {
        const [first, second] = [segmentById(op.segment.id), segmentById(op.next.id)];
        this.segments = this.segments.filter(({ id }) => id !== op.next.id);
        change(first.id, {
          text: `${first.text} ${second.text}`,
          words: [...first.words, ...second.words],
          end: second.end,
        });
        return;
      }
      case "remove": {
        const removed = new Set(op.segments.map(({ id }) => id));
        this.bin.push(...this.segments.filter(({ id }) => removed.has(id)));
        this.segments = this.segments.filter(({ id }) => !removed.has(id));
        return;
      }
      case "put_back":
        for (const { id } of op.segments) {
          const line = this.bin.find((other) => other.id === id);
          if (line && !this.segments.includes(line)) this.#put(id, line);
        }
        return;
      case "set_speaker":
        for (const { id } of op.segments) change(id, { speaker: op.speaker ?? null });
        if (op.speaker != null && !this.speakers.some(({ id }) => id === op.speaker))
          this.speakers = [...this.speakers, { id: op.speaker, name: null }];
        return;
      case "rename_speaker":
        this.speakers = this.speakers.map((speaker) =>
          speaker.id === op.speaker ? { ...speaker, name: op.name ?? null } : speaker,
        );
        return;
      case "bring_back": {
        const passage = this.removed.find(({ number }) => number === op.passage);
        if (!passage) throw new Refusal(422, "validation_failed");
        const { segment: id, start, end, text } = passage;
        const before = this.segments.findLast((other) => other.start <= start);
        const place = before ? { ...before.place, part: before.place.part + 2 ** 40 } : { base: 0, part: -(2 ** 40) };
        this.segments.push({ id, start, end, text, place, revision: 1, speaker: null, words: [] });
        this.segments.sort((a, b) => a.place.base - b.place.base || a.place.part - b.place.part);
        return;
      }
      case "set_times":
        for (const { segment, start, end } of op.times) {
          const was = segmentById(segment.id);
          const to = (seconds: number) => start + ((seconds - was.start) / (was.end - was.start)) * (end - start);
          const words = was.words.map((word) => ({ ...word, start: to(word.start), end: to(word.end) }));
          change(segment.id, { start, end, words });
        }
        return;
      case "set_cues":
        change(op.segment.id, { cues: op.cues });
        return;
      case "correct_cues":
        for (const { segment, cues } of op.segments) change(segment.id, { cues });
        return;
      case "insert": {
        const { new_segment: id, after, start, end, text, speaker = null } = op;
        const place = after
          ? { ...segmentById(after.id).place, part: segmentById(after.id).place.part + 2 ** 40 }
          : { base: 0, part: -(2 ** 40) };
        this.segments.push({ id, start, end, text, place, speaker, revision: 1, words: [] });
        this.segments.sort((a, b) => a.place.base - b.place.base || a.place.part - b.place.part);
        return;
      }
      case "merge_speakers":
        for (const { id, speaker } of this.segments) if (speaker === op.from) change(id, { speaker: op.into });
        this.speakers = this.speakers.filter(({ id }) => id !== op.from);
    }
  }

  #since(seq: number) {
    const edits = this.journal.filter((entry) => entry.seq > seq);
    return { seq: this.journal.length, edits: edits.map(public_), more: false };
  }

  #tell(edits: readonly Stored[]): void {
    this.#send("edits", { seq: this.journal.length, edits: edits.map(public_), more: false });
  }

  #send(event: string, data: unknown): void {
    for (const listener of this.#listeners) listener.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #askStretch(body: NewStretchBody): Stretch {
    this.askedStretches.push(body);
    const { version, start, end, language } = body;
    const asked: Stretch = {
      id: crypto.randomUUID(),
      version,
      start,
      end,
      mode: body.mode ?? "full",
      language: language === "auto" ? null : language,
      status: "waiting",
      percent: 0,
      created_at: "2026-11-21T09:00:00Z",
    };
    this.stretches = [asked, ...this.stretches];
    return asked;
  }

  /** Changes the newest stretch and tells the pages. */
  moveStretch(change: Partial<Stretch>): void {
    const [newest, ...older] = this.stretches;
    if (!newest) throw new Error("no stretch was asked for");
    this.stretches = [{ ...newest, ...change }, ...older];
    this.#send("stretches", { stretches: this.stretches });
  }

  /** Puts a new line in the place of those in the newest stretch, as an edit of the page that asked for it. */
  finishStretch(text: string, found_language: string): void {
    const [stretch] = this.stretches;
    const client = this.askedStretches.at(-1)?.client;
    if (!stretch || !client) throw new Error("no stretch was asked for");
    const { id, start, end } = stretch;
    const stored = this.#store(client, id, "recognise_again", () => {
      const before = this.segments.findLast((segment) => segment.start <= start);
      this.segments = this.segments.filter((segment) => segment.start < start || segment.end > end);
      const place = before ? { ...before.place, part: before.place.part + 2 ** 39 } : { base: 0, part: -(2 ** 40) };
      const words = worded({ start, end, words: [] as EditedSegment["words"] } as EditedSegment, text);
      this.segments.push({ id, start, end, text, place, revision: 1, speaker: null, language: found_language, words });
      this.segments.sort((a, b) => a.place.base - b.place.base || a.place.part - b.place.part);
    });
    this.#tell([stored]);
    this.moveStretch({ status: "done", percent: 100, seq: stored.seq, found_language });
  }

  #listen(url: URL, response: ServerResponse, of: string): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": here\n\n");
    if (of !== "/edits/events") return;
    const missed = this.#since(Number(url.searchParams.get("since")));
    if (missed.edits.length > 0) response.write(`event: edits\ndata: ${JSON.stringify(missed)}\n\n`);
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
  }

  #media(request: IncomingMessage, response: ServerResponse): void {
    const wav = this.#silence;
    if (!wav) return void response.writeHead(404).end();
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "");
    const from = Number(range?.[1] ?? 0);
    const to = range?.[2] ? Number(range[2]) : wav.length - 1;
    response.writeHead(range ? 206 : 200, {
      "content-type": "audio/wav",
      "accept-ranges": "bytes",
      "content-length": to - from + 1,
      ...(range && { "content-range": `bytes ${from}-${to}/${wav.length}` }),
    });
    response.end(wav.subarray(from, to + 1));
  }
}

const public_ = ({ before, beforeSpeakers, undone, answer, ...entry }: Stored): EditEntry => entry;

function refsOf(op: EditOp): SegmentRef[] {
  switch (op.kind) {
    case "set_text":
    case "split":
    case "confirm_words":
    case "set_cues":
      return [op.segment];
    case "merge":
      return [op.segment, op.next];
    case "replace":
    case "correct_cues":
      return op.segments.map(({ segment }) => segment);
    case "set_times":
      return op.times.map(({ segment }) => segment);
    case "remove":
    case "set_speaker":
      return op.segments;
    default:
      return [];
  }
}

/** The words of a new text, distributed evenly over the segment's time. */
function worded({ start, end, words }: EditedSegment, text: string) {
  const tokens = text.split(/\s+/).filter(Boolean);
  const share = (end - start) / Math.max(1, tokens.length);
  return tokens.map((token, at) => {
    const known = words[at];
    return known?.text === token
      ? known
      : { text: token, start: start + at * share, end: start + (at + 1) * share, confidence: 1 };
  });
}

async function read(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text === "" ? undefined : JSON.parse(text);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": status < 400 ? "application/json" : "application/problem+json" });
  response.end(JSON.stringify(body));
}
