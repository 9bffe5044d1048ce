/** Pure functions that arrange the API's answer about analyses for display. */
import {
  type Analysis,
  type AnalysisView,
  type AskForm,
  isInProgress,
  type Outcome,
  type Part,
  type TranslationTarget,
} from "@/api/analysis";

/** State of a part, or of one target of it. */
export interface PartState {
  /** The newest queued or running one. */
  running: Analysis | null;
  /** The newest, if it failed: displayed results are older. */
  failed: Analysis | null;
  /** The newest that waits for a capability that the server lacks or lacked. */
  held: Analysis | null;
  /** Results, the newest first. */
  done: readonly Analysis[];
}

export function stateOf(view: Pick<AnalysisView, "parts">, part: Part, target = ""): PartState {
  const rows = view.parts.filter((analysis) => analysis.part === part && analysis.target === target);
  const [newest] = rows;
  return {
    running: rows.find(isInProgress) ?? null,
    failed: newest?.status === "failed" ? newest : null,
    held: rows.find(({ status }) => status === "held") ?? null,
    done: rows.filter((row) => row.status === "done" && outcomeOf(row, part) !== null),
  };
}

/** Languages with results of this part, in the API's order. */
export function targetsOf(view: Pick<AnalysisView, "parts">, part: Part): string[] {
  return [
    ...new Set(view.parts.filter((analysis) => analysis.part === part && analysis.target !== "").map(({ target }) => target)),
  ];
}

/** The outcome, if it is of this part: a newer server may return unknown kinds. */
export function outcomeOf<P extends Part>({ outcome }: Pick<Analysis, "outcome">, part: P): Extract<Outcome, { part: P }> | null {
  return outcome?.part === part ? (outcome as Extract<Outcome, { part: P }>) : null;
}

/** The same request again. */
export function repeatedRequest({ part, target, params }: Analysis): AskForm {
  return {
    part,
    ...(target !== "" && { target: target as TranslationTarget }),
    ...(params.words != null && { words: params.words }),
    ...(params.labels.length > 0 && { labels: params.labels }),
    ...(params.prompt != null && { prompt: params.prompt }),
  };
}

/** Whether there is anything to show or to offer. */
export const isEmpty = ({ parts, available, statistics }: AnalysisView): boolean =>
  parts.length === 0 && statistics.speakers.length === 0 && available.every(({ engine }) => engine == null);

/** The newest run of each part and language, in the order of the requests. */
export function newestRuns({ parts }: Pick<AnalysisView, "parts">): Analysis[] {
  const newest = new Map<string, Analysis>();
  for (const analysis of parts) {
    const key = `${analysis.part} ${analysis.target}`;
    if (!newest.has(key)) newest.set(key, analysis);
  }
  return [...newest.values()].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1));
}
