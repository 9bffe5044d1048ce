/** Another user's job, opened by an administrator: read-only. The server refuses changes anyway. */
import { Eye } from "lucide-react";
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { OpenedJob } from "@/api";

/** Whether the job of the page is another user's. */
export const ForeignJob = createContext(false);

export const useForeign = (): boolean => use(ForeignJob);

export function ForeignNote({ owner }: { owner: NonNullable<OpenedJob["owner"]> }) {
  const { t } = useTranslation("transcript");
  const name = owner.fullname ? `${owner.fullname}, ${owner.email}` : owner.email;
  return (
    <section
      aria-label={t("foreign.label")}
      className="mt-4 flex gap-3 rounded-lg border border-rule-strong bg-note-wash px-4 py-3"
    >
      <Eye aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-note" />
      <div className="min-w-0">
        <p className="font-strong wrap-anywhere">{t("foreign.title", { name })}</p>
        <p className="text-pretty">
          {t("foreign.text")}{" "}
          <Link to="/admin/transcriptions" className="text-accent underline">
            {t("foreign.back")}
          </Link>
        </p>
      </div>
    </section>
  );
}
