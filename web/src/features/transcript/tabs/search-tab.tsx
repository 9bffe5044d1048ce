/** Searches this transcript by text and speaker. A result plays from its word. */
import { ChevronDown, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CONTROL } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { SearchBox } from "@/components/search-box";
import { langOf, languageOf, languagesOf } from "@/domain/transcript/languages";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { namesOf, speakerName, speakerSign } from "@/domain/transcript/speakers";
import { WindowRows, type WindowRowsHandle } from "@/domain/transcript/window-rows";
import { useLanguageName } from "@/hooks/use-language-name";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import type { EditedSegment } from "../document/model";
import { contextOf, findMatches, type Match } from "../find/matches";
import type { Search, Workspace } from "../workspace";
import { timeAtOffset } from "./time-at-offset";

const HIT_PX = 74;

export function SearchTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("editor");
  const languageName = useLanguageName();
  const { document, player, language, search, setSearch } = workspace;
  const segments = useStore(document, (state) => state.segments);
  const speakers = useStore(document, (state) => state.speakers);
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const [at, setAt] = useState(-1);
  const rows = useRef<WindowRowsHandle>(null);
  const query = useDeferredValue(search.query);
  const hasQuery = query.trim() !== "";
  const { searched, languages, onlyLanguage } = useSearched(segments, search, language);
  const matches = useMemo(
    () =>
      findMatches(
        searched.map(({ text }) => text),
        query,
      ),
    [searched, query],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count restarts for other hits
  useEffect(() => setAt(-1), [query, search.speaker, onlyLanguage]);

  const open = (position: number) => {
    const match = matches[position];
    const segment = match && searched[match.text];
    if (match && segment) {
      setAt(position);
      player.getState().playFrom(timeAtOffset(segment, match.from));
    }
  };
  const step = (by: 1 | -1) => {
    const next = (at + by + matches.length) % matches.length;
    open(at < 0 && by < 0 ? matches.length - 1 : next);
    rows.current?.scrollToRow(at < 0 && by < 0 ? matches.length - 1 : next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      event.key === "Enter" &&
      matches.length > 0 &&
      event.target instanceof HTMLInputElement &&
      !event.nativeEvent.isComposing
    ) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };

  return (
    <>
      <h3 className="sr-only">{t("tabs.search")}</h3>
      {/* biome-ignore lint/a11y/useSemanticElements: the search element is not known to every reader */}
      <div role="search" onKeyDown={onKeyDown} className="flex flex-wrap items-center gap-2">
        <SearchBox
          label={t("search.label")}
          clearLabel={t("search.clear")}
          value={search.query}
          onChange={(text) => setSearch({ ...search, query: text })}
          className="min-w-0 flex-1 basis-56"
        />
        {speakers.length > 0 && (
          <Filter
            label={t("search.speaker")}
            all={t("search.everybody")}
            options={speakers.map((speaker) => [speaker.id, speakerName(speaker)])}
            value={search.speaker}
            onChange={(speaker) => setSearch({ ...search, speaker })}
          />
        )}
        {languages.length > 1 && (
          <Filter
            label={t("search.language")}
            all={t("search.allLanguages")}
            options={languages.map((code) => [code, languageName(code)])}
            value={onlyLanguage}
            onChange={(code) => setSearch({ ...search, language: code })}
          />
        )}
        <IconButton label={t("search.previous")} shortcut="⇧ Enter" disabled={matches.length === 0} onClick={() => step(-1)}>
          <ChevronUp aria-hidden="true" />
        </IconButton>
        <IconButton label={t("search.next")} shortcut="Enter" disabled={matches.length === 0} onClick={() => step(1)}>
          <ChevronDown aria-hidden="true" />
        </IconButton>
      </div>
      <p role="status" className="mt-3 mb-2 text-sm text-ink-soft">
        {!hasQuery
          ? t("search.hint")
          : matches.length === 0
            ? t("search.none")
            : at < 0
              ? t("search.found", { count: matches.length })
              : t("search.at", { at: at + 1, count: matches.length })}
      </p>
      <div lang={language} data-testid="hits">
        <WindowRows
          ref={rows}
          role="list"
          order={matches}
          count={matches.length}
          estimate={() => HIT_PX}
          keyOf={(position) => `${searched[matches[position]?.text ?? 0]?.id}:${matches[position]?.from}`}
          row={(position) => {
            const match = matches[position];
            const segment = match && searched[match.text];
            return match && segment ? (
              <Hit
                segment={segment}
                lang={langOf(segment, language)}
                match={match}
                name={segment.speaker == null ? null : (names.get(segment.speaker) ?? speakerSign(segment.speaker))}
                current={position === at}
                onOpen={() => open(position)}
              />
            ) : null;
          }}
        />
      </div>
    </>
  );
}

/** The segments that are searched, and the languages among which one may choose. */
function useSearched(segments: readonly EditedSegment[], search: Search, language: string) {
  const languages = useMemo(() => languagesOf(segments, language), [segments, language]);
  // A language that an edit has removed from the text no longer limits the search.
  const onlyLanguage = languages.length > 1 && languages.includes(search.language) ? search.language : "";
  const searched = useMemo(
    () =>
      search.speaker === "" && onlyLanguage === ""
        ? segments
        : segments.filter(
            (segment) =>
              (search.speaker === "" || segment.speaker === search.speaker) &&
              (onlyLanguage === "" || languageOf(segment, language) === onlyLanguage),
          ),
    [segments, search.speaker, onlyLanguage, language],
  );
  return { searched, languages, onlyLanguage };
}

interface FilterProps {
  label: string;
  /** Its first option, with an empty value. */
  all: string;
  options: readonly (readonly [value: string, name: string])[];
  value: string;
  onChange: (value: string) => void;
}

function Filter({ label, all, options, value, onChange }: FilterProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cx(CONTROL, "w-auto max-w-48")}
    >
      <option value="">{all}</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface HitProps {
  segment: EditedSegment;
  /** Language of its text, if it is another than that of the whole text. */
  lang: string | undefined;
  match: Match;
  name: string | null;
  current: boolean;
  onOpen: () => void;
}

function Hit({ segment, lang, match, name, current, onOpen }: HitProps) {
  const { before, match: matchText, after } = contextOf(segment.text, match);
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-current={current || undefined}
      className={cx(
        "block w-full border-b border-rule px-3 py-2.5 text-left transition-colors hover:bg-paper-sunk",
        current && "bg-voice-wash hover:bg-voice-wash",
      )}
    >
      <span className="flex items-baseline gap-3">
        <span className="figures text-xs text-ink-faint">{formatClock(timeAtOffset(segment, match.from))}</span>
        {name !== null && segment.speaker != null && <SpeakerLabel id={segment.speaker} name={name} className="text-xs" />}
      </span>
      <span lang={lang} className="mt-0.5 block font-serif leading-relaxed [overflow-wrap:anywhere]">
        {before}
        <mark className="rounded-sm bg-voice-word px-0.5 text-ink">{matchText}</mark>
        {after}
      </span>
    </button>
  );
}
