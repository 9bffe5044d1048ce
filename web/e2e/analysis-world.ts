/** A fake server with analyses of the interview and the assistant; each part can be kept in any state. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  Analysis,
  AnalysisOverview as AnalysisView,
  NewAnalysis as AskForm,
  AssistantMessage,
  AssistantHistory as AssistantView,
  EngineName,
  Moment,
  Outcome,
  Part,
} from "../src/api/schema";
import type { TranscriptWorld } from "./transcript-world";

/** Overrides of a result's default fields. */
type Change = Partial<Omit<Analysis, "params">> & Pick<Analysis, "part"> & { params?: Partial<Analysis["params"]> };

const EMBEDDED: EngineName = { kind: "embedded", model: "multilingual-e5-small" };
const ENDPOINT: EngineName = { kind: "endpoint", model: "qwen3-14b" };
export const HOST = "llm.example.org:8443";

const ALL_PARTS: readonly Part[] = [
  "summary",
  "sentiment",
  "classification",
  "keywords",
  "chapters",
  "prompt",
  "translation",
  "subtitle_translation",
];

/** Harmful output that speakers in a recording might cause. */
export const HOSTILE = [
  "# Домовленості",
  "",
  "<script>window.hacked = 1</script>",
  "",
  '<img src=x onerror="window.hacked = 2">',
  "",
  "![кіт](https://evil.example/pixel.png)",
  "[натисни](javascript:window.hacked=3) і [сюди](data:text/html,<script>window.hacked=4</script>)",
  "",
  "[справжнє](https://example.org/) <https://example.org/auto>",
  "",
  "| Хто | Що |",
  "| --- | --- |",
  "| Тетяна | вікна |",
  "",
  "- [x] листи",
  "- **ящики** `42`",
].join("\n");

export class AnalysisWorld {
  view: AnalysisView;
  assistant: AssistantView = { mode: "endpoint", messages: [] };
  /** All requests. */
  asked: AskForm[] = [];
  removed: string[] = [];
  questions: string[] = [];
  /** Streams the answer to a question, controlled by the test. */
  answer: (response: ServerResponse, question: string) => void = (response) => response.end();
  #count = 0;

  constructor(readonly world: TranscriptWorld) {
    this.view = {
      version: 1,
      seq: 0,
      statistics: { duration: 107, speech: 97, silence: 10, words: 270, overlaps: 1, overlapped: 0.8, speakers: [] },
      parts: [],
      available: ALL_PARTS.map((part) => ({ part, engine: EMBEDDED, reason: null })),
      text_goes_to: null,
    };
    world.also = (request, response, of, body) => this.#act(request, response, of, body);
  }

  /** The position of segment `at`. */
  moment(at: number): Moment {
    const { id, start, end } = this.world.segments[at] ?? { id: "", start: 0, end: 0 };
    return { segment: id, start, end };
  }

  put({ params, ...change }: Change): Analysis {
    this.#count += 1;
    const analysis: Analysis = {
      id: `a${this.#count}`,
      target: "",
      status: change.outcome ? "done" : "waiting",
      percent: change.outcome ? 100 : 0,
      engine: change.outcome ? (this.view.text_goes_to ? ENDPOINT : EMBEDDED) : null,
      params: { words: null, labels: [], prompt: null, ...params },
      made_from_seq: 0,
      is_stale: false,
      error: null,
      created_at: new Date(Date.UTC(2026, 10, 20, 9, this.#count)).toISOString(),
      finished_at: change.outcome ? new Date(Date.UTC(2026, 10, 20, 9, this.#count, 30)).toISOString() : null,
      outcome: null,
      ...change,
    };
    this.view = { ...this.view, parts: [analysis, ...this.view.parts] };
    return analysis;
  }

  change(id: string, change: Partial<Analysis>): void {
    const parts = this.view.parts.map((analysis) => (analysis.id === id ? { ...analysis, ...change } : analysis));
    this.view = { ...this.view, parts };
  }

  /** All analyses of a server with an endpoint. */
  fill(): void {
    this.view.text_goes_to = HOST;
    this.view.available = ALL_PARTS.map((part) => ({
      part,
      engine: part === "keywords" || part === "sentiment" ? EMBEDDED : ENDPOINT,
      reason: null,
    }));
    this.view.statistics = {
      ...this.view.statistics,
      speakers: [0, 1, 2].map((n) => ({
        speaker: `SPEAKER_${n}`,
        talk_time: [22, 58, 17][n] ?? 0,
        share: [0.23, 0.6, 0.17][n] ?? 0,
        words: [61, 160, 49][n] ?? 0,
        words_a_minute: [166, 165.5, 173][n] ?? 0,
        turns: [7, 6, 4][n] ?? 0,
        longest_turn: [9, 21, 8][n] ?? 0,
        interruptions: [0, 1, 2][n] ?? 0,
      })),
    };
    for (const outcome of this.#outcomes()) this.put({ part: outcome.part, outcome });
    const segments = this.world.segments.map((segment, at) => ({
      moment: this.moment(at),
      speaker: segment.speaker ?? null,
      text: `Sentence ${at + 1} of the interview, as a translator would put it.`,
    }));
    this.put({ part: "translation", target: "english", outcome: { part: "translation", segments } });
    this.put({ part: "translation", target: "german", outcome: { part: "translation", segments: segments.slice(0, 3) } });
    const cues = this.world.segments
      .slice(0, 6)
      .map(({ start, end }, at) => ({ start, end, lines: [`Cue ${at + 1}`, "second line"] }));
    this.put({ part: "subtitle_translation", target: "english", outcome: { part: "subtitle_translation", cues } });
  }

  #outcomes(): Outcome[] {
    const of = (at: number) => this.moment(at);
    const text = (at: number) => this.world.segments[at]?.text ?? "";
    return [
      {
        part: "summary",
        sentences: [4, 7, 16, 22].map((at) => ({ text: text(at), moments: [of(at)] })),
        words: 41,
        extractive: true,
      },
      {
        part: "chapters",
        chapters: [
          { title: "Музей під час війни", summary: "З чого починається музей і хто в ньому лишився.", start: of(0) },
          { title: "Що вивезли", summary: "Листи, альбоми, сорок два ящики.", start: of(5) },
          { title: "Читацький клуб", summary: "", start: of(16) },
        ],
      },
      {
        part: "keywords",
        keywords: [
          { text: "музей", score: 0.92, count: 5, moments: [of(1)] },
          { text: "вікна", score: 0.71, count: 2, moments: [of(2)] },
          { text: "ящики", score: 0.68, count: 3, moments: [of(7)] },
          { text: "<b>рояль</b>", score: 0.4, count: 1, moments: [of(22)] },
        ],
      },
      {
        part: "sentiment",
        mood: "positive",
        score: 0.34,
        reason: "Розмова тепла, хоч і про важке.",
        points: this.world.segments.map((_, at) => ({ moment: of(at), score: Math.sin(at / 3) * 0.8 })),
      },
      {
        part: "classification",
        labels: [
          { label: "культура", score: 0.93, reason: "Ідеться про музей і книжки.", moments: [of(1), of(19)] },
          { label: "евакуація", score: 0.61, reason: null, moments: [of(4)] },
          { label: "спорт", score: 0.02, reason: null, moments: [] },
        ],
      },
      { part: "prompt", markdown: HOSTILE },
    ];
  }

  say(message: Partial<AssistantMessage>): AssistantMessage {
    this.#count += 1;
    const answer: AssistantMessage = {
      id: `m${this.#count}`,
      role: "assistant",
      text: "",
      moments: [],
      engine: ENDPOINT,
      created_at: "2026-11-21T09:00:00Z",
      incomplete: false,
      ...message,
    };
    this.assistant.messages.push(answer);
    return answer;
  }

  #act(request: IncomingMessage, response: ServerResponse, of: string, body: unknown): boolean {
    const json = (status: number, answer?: unknown) => {
      const type = status < 400 ? "application/json" : "application/problem+json";
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
      response.end(answer === undefined ? "" : JSON.stringify(answer));
      return true;
    };
    if (of === "/analysis" && request.method === "GET") return json(200, this.view);
    if (of === "/analysis" && request.method === "POST") {
      const form = body as AskForm;
      this.asked.push(form);
      const { part, target, words = null, labels, prompt = null } = form;
      return json(202, this.put({ part, target: target ?? "", params: { words, labels: labels ?? [], prompt } }));
    }
    if (of.startsWith("/analysis/") && request.method === "DELETE") {
      const id = of.slice("/analysis/".length);
      this.removed.push(id);
      this.view = { ...this.view, parts: this.view.parts.filter((analysis) => analysis.id !== id) };
      return json(204);
    }
    if (of !== "/assistant") return false;
    if (request.method === "GET") return json(200, this.assistant);
    if (request.method === "DELETE") {
      this.assistant = { ...this.assistant, messages: [] };
      return json(204);
    }
    const { question } = body as { question: string };
    this.questions.push(question);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    this.answer(response, question);
    return true;
  }
}
