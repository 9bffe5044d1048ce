// biome-ignore-all lint/a11y/useSemanticElements: a fieldset cannot scroll in every browser
/** Find and replace: shows a preview, each match can be excluded, and everything is one edit. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { formatClock } from "@/lib/format";
import { toast } from "@/lib/toast";
import { withReplaced } from "@/rules/text";
import type { DocumentStore } from "../document/document-store";
import type { NewText } from "../document/model";
import { refOf } from "../editor/editor-actions";
import { contextOf, findMatches, type Match } from "./matches";

const ROW_PX = 60;
const keyOf = ({ text, from }: Match) => `${text}:${from}`;

export function ReplaceSheet({ document, onClose }: { document: DocumentStore; onClose: () => void }) {
  const { t } = useTranslation(["editor", "common"]);
  const focusBack = useRestoreFocus();
  const segments = useStore(document, (state) => state.segments);
  const [query, setQuery] = useState("");
  const [replacement, setReplacement] = useState("");
  const [exactCase, setExactCase] = useState(false);
  const [wholeWords, setWholeWords] = useState(false);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const deferredQuery = useDeferredValue(query);
  const texts = useMemo(() => segments.map(({ text }) => text), [segments]);
  const matches = useMemo(
    () => findMatches(texts, deferredQuery, { exactCase, wholeWords }),
    [texts, deferredQuery, exactCase, wholeWords],
  );
  const chosen = matches.filter((match) => !excluded.has(keyOf(match)));

  const search = (text: string) => {
    setQuery(text);
    setExcluded(new Set());
  };

  const replace = () => {
    const placesOf = new Map<number, Match[]>();
    for (const match of chosen) {
      placesOf.set(match.text, [...(placesOf.get(match.text) ?? []), match]);
    }
    const changed: NewText[] = segments.flatMap((segment, at) => {
      const places = placesOf.get(at);
      const text = places && withReplaced(segment.text, places, replacement).trim();
      return text && text !== segment.text ? [{ segment: refOf(segment), text }] : [];
    });
    if (changed.length > 0) {
      document.actions.edit({ kind: "replace", segments: changed });
      toast.success(t("replace.done", { count: chosen.length }));
    }
    onClose();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusBack}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 mx-auto flex animate-fade flex-col bg-paper-raised outline-none md:inset-x-6 md:inset-y-auto md:top-1/2 md:h-[min(44rem,calc(100dvh-3rem))] md:max-w-2xl md:-translate-y-1/2 md:rounded-lg md:border md:border-rule-strong md:shadow-sheet"
        >
          <header className="flex shrink-0 items-center gap-3 border-b border-rule py-2.5 pr-2 pl-4 md:pl-6">
            <Dialog.Title className="headline min-w-0 flex-1 text-xl">{t("replace.title")}</Dialog.Title>
            <Dialog.Close
              aria-label={t("common:actions.close")}
              className="inline-flex size-(--control) shrink-0 items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </header>
          <form
            className="flex min-h-0 flex-1 flex-col"
            onSubmit={(event) => {
              event.preventDefault();
              if (chosen.length > 0) {
                replace();
              }
            }}
          >
            <div className="grid shrink-0 gap-3 px-4 pt-4 sm:grid-cols-2 md:px-6">
              <Field label={t("replace.find")}>
                {(wiring) => <TextInput {...wiring} autoFocus value={query} onChange={(event) => search(event.target.value)} />}
              </Field>
              <Field label={t("replace.with")}>
                {(wiring) => (
                  <TextInput {...wiring} value={replacement} onChange={(event) => setReplacement(event.target.value)} />
                )}
              </Field>
              <Checkbox checked={exactCase} onChange={setExactCase}>
                {t("replace.exactCase")}
              </Checkbox>
              <Checkbox checked={wholeWords} onChange={setWholeWords}>
                {t("replace.wholeWords")}
              </Checkbox>
            </div>
            <p role="status" className="px-4 pt-4 pb-2 text-sm text-ink-soft md:px-6">
              {deferredQuery.trim() === ""
                ? t("replace.hint")
                : matches.length === 0
                  ? t("replace.none")
                  : t("replace.found", { count: matches.length })}
            </p>
            <Preview
              matches={matches}
              document={document}
              replacement={replacement}
              isChosen={(match) => !excluded.has(keyOf(match))}
              onToggle={(match, chosenNow) =>
                setExcluded((before) => {
                  const next = new Set(before);
                  if (chosenNow) next.delete(keyOf(match));
                  else next.add(keyOf(match));
                  return next;
                })
              }
            />
            <footer className="flex shrink-0 flex-wrap items-center justify-end gap-3 border-t border-rule px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
              <Button look="quiet" onClick={onClose}>
                {t("common:actions.cancel")}
              </Button>
              <Button type="submit" look="primary" disabled={chosen.length === 0}>
                {t("replace.do", { count: chosen.length })}
              </Button>
            </footer>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PreviewProps {
  matches: readonly Match[];
  document: DocumentStore;
  replacement: string;
  isChosen: (match: Match) => boolean;
  onToggle: (match: Match, chosen: boolean) => void;
}

function Preview({ matches, document, replacement, isChosen, onToggle }: PreviewProps) {
  const { t } = useTranslation("editor");
  const segments = useStore(document, (state) => state.segments);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: matches.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (at) => {
      const match = matches[at];
      return match ? keyOf(match) : at;
    },
  });
  return (
    <div
      ref={box}
      tabIndex={matches.length > 0 ? 0 : -1}
      role="group"
      aria-label={t("replace.places")}
      className="min-h-0 flex-1 overflow-y-auto border-t border-rule px-4 md:px-6"
    >
      <div className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const match = matches[item.index];
          const segment = match && segments[match.text];
          if (!match || !segment) {
            return null;
          }
          const { before, match: was, after } = contextOf(segment.text, match, 40);
          return (
            <div
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              className="absolute top-0 left-0 w-full border-b border-rule py-2"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Checkbox checked={isChosen(match)} onChange={(chosen) => onToggle(match, chosen)}>
                <span className="figures mr-2 text-xs text-ink-faint">{formatClock(segment.start)}</span>
                <span className="font-serif [overflow-wrap:anywhere]">
                  {before}
                  <del className="rounded-sm bg-bad-wash px-0.5 text-bad">{was}</del>
                  {replacement !== "" && (
                    <ins className="rounded-sm bg-good-wash px-0.5 text-good no-underline">{replacement}</ins>
                  )}
                  {after}
                </span>
              </Checkbox>
            </div>
          );
        })}
      </div>
    </div>
  );
}
