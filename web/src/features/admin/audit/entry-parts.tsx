/** Parts of an entry shared by the table and the cards. */
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AuditEntry } from "@/api/admin-audit";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime } from "@/lib/format";
import { useActionName } from "./actions";
import { changesOf, listChange } from "./changes";

export function Time({ at }: { at: string }) {
  const locale = useLocale();
  return (
    <time dateTime={at} title={formatFullDateTime(at, locale)}>
      {formatDateTime(at, locale)}
    </time>
  );
}

/** The email address, and the API key if it was a program; without an address it was the server itself, or a deleted account. */
export function Actor({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("admin-audit");
  return (
    <>
      {entry.actor_email || <span className="text-ink-faint">{t("gone")}</span>}
      {entry.api_key !== null && <span className="block text-ink-faint">{t("via_key", { name: entry.api_key })}</span>}
    </>
  );
}

export function ActionName({ action }: { action: string }) {
  return useActionName()(action);
}

/** Ids of objects that exist only once, by kind: they have translated names. */
const ONLY: Record<string, readonly string[]> = { plan: ["demo", "terms"], settings: ["server"] };

export function Target({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("admin-audit");
  const { target_kind: kind, target_id: id, target_name } = entry;
  const name =
    target_name || (kind && id && ONLY[kind]?.includes(id) ? t(`targets.${kind}.${id}` as "targets.plan.demo") : undefined);
  if (!id && !name) return <span className="text-ink-faint">{t("somebody_gone")}</span>;
  return (
    <>
      {name && <span className="block">{name}</span>}
      {kind === "job" && id ? (
        <Link to={`/transcription/${id}`} className="figures text-xs text-accent underline">
          {id}
        </Link>
      ) : (
        !name && <span className="figures text-xs text-ink-soft">{id}</span>
      )}
    </>
  );
}

const GONE = "rounded-sm bg-bad-wash px-1 text-bad";
const COME = "rounded-sm bg-good-wash px-1 text-good no-underline";

/** The translation keys for the values of a field, by the last segment of its path. */
const WORDS: Record<string, readonly string[]> = {
  features: ["rules:comparison_row"],
  queue_speed: ["rules:comparison"],
  category: ["rules:preset_category", "rules:webhook_category"],
  status: ["rules:job_status", "admin:status"],
  role: ["admin:role"],
  modes: ["rules:transcription_type"],
  transcription_type: ["rules:transcription_type"],
  carrier: ["admin-audit:values.carrier"],
  source: ["admin-audit:values.source"],
  outcome: ["admin-audit:values.outcome", "admin-config:mail.failure"],
};

/** RFC 3339 in UTC, the server's time format. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** The values before and after, of changed fields only. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const { t, i18n } = useTranslation(["admin-audit", "rules", "admin", "admin-config"]);
  const locale = useLocale();
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return <span className="text-ink-faint">{t("no_changes")}</span>;
  const fieldName = (path: string) => {
    const keys = [`admin-audit:fields.${path}`, `rules:setting.${settingOf(path)}`];
    const key = keys.find((candidate) => i18n.exists(candidate));
    const text: unknown = key === undefined ? null : t(key as "fields.role");
    return typeof text === "string" ? text : t("other_field");
  };
  return (
    <ul className="flex flex-col gap-1">
      {changes.map((change) => {
        const { path, before, after } = change;
        const moved = listChange(change);
        return (
          <li key={path} className="min-w-0">
            <span className="sr-only">
              {t("change", { field: fieldName(path), before: formatValue(path, before), after: formatValue(path, after) })}
            </span>
            <span aria-hidden="true" className="flex flex-wrap items-baseline gap-x-1.5 gap-y-0.5">
              <span className="text-ink-soft">{fieldName(path)}:</span>
              {moved ? (
                <>
                  {moved.gone.length > 0 && <del className={GONE}>{formatValue(path, moved.gone)}</del>}
                  {moved.come.length > 0 && <ins className={COME}>{formatValue(path, moved.come)}</ins>}
                </>
              ) : (
                <>
                  {before !== undefined && before !== null && <del className={GONE}>{formatValue(path, before)}</del>}
                  {before !== undefined && before !== null && <ArrowRight className="size-3.5 self-center text-ink-faint" />}
                  {after !== undefined && after !== null ? (
                    <ins className={COME}>{formatValue(path, after)}</ins>
                  ) : (
                    <span className="text-ink-faint">{t("none")}</span>
                  )}
                </>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );

  function formatValue(path: string, value: unknown): string {
    if (value === undefined || value === null) return t("none");
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (typeof value === "number") return value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 20 });
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
      return value.map((word) => formatValue(path, word)).join(", ") || t("none");
    }
    if (Array.isArray(value)) return value.map((item) => formatValue(path, nameOf(item))).join(", ") || t("none");
    if (typeof value !== "string") return formatValue(path, nameOf(value));
    if (MOMENT.test(value)) return formatDateTime(value, locale);
    const words = WORDS[path.slice(path.lastIndexOf(".") + 1)] ?? [`rules:${settingOf(path)}`];
    const key = words.map((group) => `${group}.${value}`).find((candidate) => i18n.exists(candidate));
    return key === undefined ? value : t(key as "rules:comparison.fast");
  }
}

/** The name of a transcription setting in a preset; empty if the field is something else. */
const settingOf = (path: string): string => (path.startsWith("settings.") ? path.slice("settings.".length) : "");

/** Objects in a list, such as presets, are shown by name. */
function nameOf(value: unknown): string | number | null {
  if (typeof value === "string" || typeof value === "number") return value;
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : null;
  return typeof name === "string" ? name : null;
}
