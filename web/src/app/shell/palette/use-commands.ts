/** The palette's commands for the signed-in user: pages, actions, recent transcripts and search results. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { signOut, useUser } from "@/api";
import { recentJobsQuery } from "@/api/jobs";
import { bestResultsQuery, type FoundJob } from "@/api/search";
import { useLocale } from "@/hooks/use-locale";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { formatClock, formatDateTime } from "@/lib/format";
import { LOCALE_NAMES, LOCALES, switchLocale } from "@/lib/i18n";
import { titleOf } from "@/lib/job-title";
import { THEMES, useTheme } from "@/lib/theme";
import { RECENT_JOBS } from "@/rules/constants";
import { PATHS } from "../../paths";
import { sectionGroups } from "../navigation";
import { useSaveAppearance } from "../use-save-appearance";
import { type Command, matching } from "./commands";

const FOUND = 5;
/** Longer than the pause between two keys, so that the server is asked once per word. */
const TYPING_PAUSE_MS = 200;
/** Shorter queries match nearly every transcript. */
const MIN_QUERY_LENGTH = 2;

/** `query` is the typed text; `searching` is true while transcripts are being searched. */
export function useCommands(query: string): { commands: readonly Command[]; searching: boolean } {
  const fixed = [...usePages(), ...useActions(query)];
  const recent = useRecent();
  const { said, searching } = usePassageCommands(query);
  return { commands: [...matching(fixed, query), ...matching(recent, query), ...said], searching };
}

function usePages(): readonly Command[] {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const user = useUser();
  const sections = sectionGroups(user?.role).flatMap((group) => group.sections);
  const pages = sections.map(({ to, label }) => ({ to, label: t(`nav.${label}`) }));
  return [...pages, { to: PATHS.profile, label: t("account.profile") }].map(({ to, label }) => ({
    id: `page ${to}`,
    group: "pages",
    label,
    run: () => navigate(to),
  }));
}

function useActions(query: string): readonly Command[] {
  const { t } = useTranslation(["shell", "common"]);
  const navigate = useNavigate();
  const locale = useLocale();
  const { theme, setTheme } = useTheme();
  const save = useSaveAppearance();
  const q = query.trim();
  const action = (id: string, label: string, run: () => unknown): Command => ({ id, group: "actions", label, run });
  return [
    action("upload", t("common:new_transcription"), () => navigate(PATHS.upload)),
    ...(q === ""
      ? []
      : // Its label contains the query, so it always matches.
        [
          action("search", t("palette.search", { query: q }), () =>
            navigate(`${PATHS.transcriptions}?${new URLSearchParams({ q })}`),
          ),
        ]),
    ...THEMES.filter((value) => value !== theme).map((value) =>
      action(`theme ${value}`, `${t("common:theme.label")}: ${t(`common:theme.${value}`)}`, () => {
        setTheme(value);
        save({ theme: value });
      }),
    ),
    ...LOCALES.filter((value) => value !== locale).map((value) =>
      action(`locale ${value}`, `${t("common:language")}: ${LOCALE_NAMES[value]}`, () => {
        save({ locale: value });
        return switchLocale(value);
      }),
    ),
    action("sign_out", t("account.sign_out"), async () => {
      await signOut();
      await navigate(PATHS.login, { replace: true });
    }),
  ];
}

function useRecent(): readonly Command[] {
  const { t } = useTranslation("transcripts");
  const navigate = useNavigate();
  const locale = useLocale();
  const deleted = useDeletedJobs();
  const { data } = useQuery(recentJobsQuery(RECENT_JOBS));
  const jobs = data?.items.filter((job) => !deleted.has(job.my_job_id)) ?? [];
  return jobs.map((job) => ({
    id: job.my_job_id,
    group: "recent",
    label: titleOf(job) || t("untitled"),
    note: formatDateTime(job.created_at, locale),
    run: () => navigate(`/transcription/${job.my_job_id}`),
  }));
}

function usePassageCommands(query: string): { said: readonly Command[]; searching: boolean } {
  const { t } = useTranslation("transcripts");
  const navigate = useNavigate();
  const deleted = useDeletedJobs();
  const q = useSettled(query.trim());
  const placesOf = ({ job, hits, hit_count }: FoundJob): readonly Command[] => {
    const name = titleOf(job) || t("untitled");
    const places = hits.map(({ segment_id, start, text, ranges }) => ({
      id: `${job.my_job_id} ${segment_id}`,
      group: "said" as const,
      label: text,
      ranges,
      note: `${formatClock(start)} · ${name}`,
      run: () => navigate(`/transcription/${job.my_job_id}?t=${start}`),
    }));
    if (hit_count <= hits.length) return places;
    const all: Command = {
      id: `${job.my_job_id} all`,
      group: "said",
      label: t("said.all", { count: hit_count }),
      note: name,
      // The library shows the results.
      run: () => navigate(`${PATHS.transcriptions}?${new URLSearchParams({ q })}`),
    };
    return [...places, all];
  };
  const searchQuery = q.length < MIN_QUERY_LENGTH ? "" : q;
  const search = useQuery(bestResultsQuery(searchQuery, FOUND));
  const results = searchQuery === "" ? [] : (search.data?.items ?? []);
  const said = results.filter(({ job }) => !deleted.has(job.my_job_id)).flatMap((job) => placesOf(job));
  return { said, searching: searchQuery !== "" && search.isFetching };
}

/** The text after it has not changed for a moment (debounced). */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
