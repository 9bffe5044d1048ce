/** Inserts a line for missed speech, or changes the times of a line. */
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { speakerName } from "@/domain/transcript/speakers";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { newUuid } from "@/lib/tab-client";
import { MIN_CUE_SECONDS } from "@/rules/constants";
import { normalizeText, segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import { refOf } from "../editor/editor-actions";
import { frameRate } from "./cue-editor";
import { insertLine, recordingEnd } from "./cue-ops";
import { formatTime, parseTime } from "./cue-time";
import type { Span } from "./geometry";

/** The position for a new line, or the line whose times are changed. */
export type LineSheetTarget = { kind: "insert"; span: Span } | { kind: "times"; segment: string };

interface LineSheetProps {
  wanted: LineSheetTarget;
  document: DocumentStore;
  /** Duration of the recording in seconds; 0 if unknown. */
  duration: number;
  onClose: () => void;
  onInserted: (segment: string) => void;
}

type Problem = "unreadable" | "order" | "outside" | "neighbours";

export function LineSheet({ wanted, document, duration, onClose, onInserted }: LineSheetProps) {
  const { t } = useTranslation(["editor", "common"]);
  const locale = useLocale();
  const form = useId();
  const line = wanted.kind === "times" ? segmentOf(document.getState(), wanted.segment) : undefined;
  const [span] = useState<Span>(() =>
    wanted.kind === "insert" ? wanted.span : { start: line?.start ?? 0, end: line?.end ?? 0 },
  );
  const [start, setStart] = useState(() => formatTime(span.start, locale));
  const [end, setEnd] = useState(() => formatTime(span.end, locale));
  const [text, setText] = useState("");
  const [speaker, setSpeaker] = useState(() => speakerAt(document, span.start));
  const [problem, setProblem] = useState<{ field: "start" | "end" | "text"; why: Problem | "empty" } | null>(null);
  const error = (field: "start" | "end" | "text") =>
    problem?.field === field ? t(problem.why === "empty" ? "cues.line.empty" : `cues.problems.${problem.why}`) : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [parseTime(start, frameRate()), parseTime(end, frameRate())];
    if (from === null || to === null) {
      return setProblem({ field: from === null ? "start" : "end", why: "unreadable" });
    }
    if (to - from < MIN_CUE_SECONDS - 1e-6) {
      return setProblem({ field: "end", why: "order" });
    }
    const last = recordingEnd(document.getState().segments, duration);
    if (last > 0 && to > last + 1e-6) {
      return setProblem({ field: "end", why: "outside" });
    }
    if (wanted.kind === "insert") {
      if (normalizeText(text) === "") {
        return setProblem({ field: "text", why: "empty" });
      }
      const id = newUuid();
      const { segments } = document.getState();
      document.actions.edit(insertLine(segments, { start: from, end: to, text, speaker: speaker || null }, id));
      onInserted(id);
    } else {
      const current = segmentOf(document.getState(), wanted.segment);
      if (current && current.start !== from && !betweenNeighbours(document, current.id, from)) {
        return setProblem({ field: "start", why: "neighbours" });
      }
      if (current && (current.start !== from || current.end !== to)) {
        document.actions.edit({ kind: "set_times", times: [{ segment: refOf(current), start: from, end: to }] });
      }
    }
    onClose();
  };

  return (
    <Sheet
      title={t(wanted.kind === "insert" ? "cues.line.insert" : "cues.line.times")}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("common:actions.cancel")}
          </Button>
          <Button type="submit" form={form} look="primary">
            {t(wanted.kind === "insert" ? "cues.line.add" : "cues.line.save")}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-5">
        {wanted.kind === "times" && <p className="text-ink-soft">{t("cues.line.timesHint")}</p>}
        <div className="grid grid-cols-2 gap-4">
          <Field label={t("cues.line.start")} error={error("start")}>
            {(wiring) => (
              <TextInput
                {...wiring}
                {...(wanted.kind === "times" && INITIAL_FOCUS)}
                autoComplete="off"
                className="figures"
                value={start}
                onChange={(event) => setStart(event.target.value)}
              />
            )}
          </Field>
          <Field label={t("cues.line.end")} error={error("end")}>
            {(wiring) => (
              <TextInput
                {...wiring}
                autoComplete="off"
                className="figures"
                value={end}
                onChange={(event) => setEnd(event.target.value)}
              />
            )}
          </Field>
        </div>
        <p className="-mt-3 text-sm text-ink-faint">{t("cues.line.forms")}</p>
        {wanted.kind === "insert" && (
          <>
            <Field label={t("cues.line.text")} error={error("text")}>
              {(wiring) => (
                <textarea
                  {...wiring}
                  {...INITIAL_FOCUS}
                  rows={3}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  className={cx(CONTROL, "h-auto! py-2 font-serif")}
                />
              )}
            </Field>
            <SpeakerChoice document={document} value={speaker} onChange={setSpeaker} />
          </>
        )}
      </form>
    </Sheet>
  );
}

interface SpeakerChoiceProps {
  document: DocumentStore;
  value: string;
  onChange: (speaker: string) => void;
}

function SpeakerChoice({ document, value, onChange }: SpeakerChoiceProps) {
  const { t } = useTranslation("editor");
  const { speakers } = document.getState();
  return (
    speakers.length > 0 && (
      <Field label={t("cues.line.speaker")}>
        {(wiring) => (
          <select {...wiring} value={value} onChange={(event) => onChange(event.target.value)} className={CONTROL}>
            <option value="">{t("speakers.nobody")}</option>
            {speakers.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {speakerName(choice)}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  );
}

/** The speaker of the last line before a moment; empty if none. */
const speakerAt = (document: DocumentStore, seconds: number): string =>
  document.getState().segments.findLast(({ start }) => start <= seconds)?.speaker ?? "";

/** Whether a line starting then stays between its neighbours. */
function betweenNeighbours(document: DocumentStore, id: string, start: number): boolean {
  const { segments, positions } = document.getState();
  const at = positions.get(id) ?? -1;
  const [before, after] = [segments[at - 1], segments[at + 1]];
  return start >= (before?.start ?? 0) && start <= (after?.start ?? Number.POSITIVE_INFINITY);
}
