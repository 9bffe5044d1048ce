/** The way here, the way back, and what this is. */
import { ArrowLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { IconButton } from "@/components/icon-button";
import { SampleBadge } from "@/components/sample-badge";
import { cx } from "@/lib/class-names";

interface PageHeadProps {
  title: string;
  /** It is the sample that a new account comes with. */
  sample: boolean;
  children?: ReactNode;
}

export function PageHead({ title, sample, children }: PageHeadProps) {
  const { t } = useTranslation("transcript");
  const navigate = useNavigate();
  // Opened by a link from outside, the page has nothing behind it.
  const goBack = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate("/transcriptions"));
  return (
    <div data-tour="head">
      <nav aria-label={t("breadcrumbs.label")} className="text-sm text-ink-soft">
        <ol className="flex min-w-0 flex-wrap items-center gap-1.5">
          <li>
            <Link to="/dashboard" className="rounded hover:text-ink hover:underline">
              {t("breadcrumbs.dashboard")}
            </Link>
          </li>
          <Step />
          <li>
            <Link to="/transcriptions" className="rounded hover:text-ink hover:underline">
              {t("breadcrumbs.list")}
            </Link>
          </li>
          <Step className="max-sm:hidden" />
          <li aria-current="page" className="min-w-0 max-w-[28ch] truncate lg:max-w-[48ch] text-ink-faint max-sm:hidden">
            {title}
          </li>
        </ol>
      </nav>
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-start gap-1">
          <IconButton label={t("back")} onClick={() => void goBack()} className="-ml-2.5">
            <ArrowLeft aria-hidden="true" />
          </IconButton>
          <h2 className="headline min-w-0 pt-1.5 text-2xl [overflow-wrap:anywhere]">{title}</h2>
          {sample && <SampleBadge className="mt-3 ml-2 shrink-0" />}
        </div>
        {children}
      </div>
    </div>
  );
}

function Step({ className }: { className?: string }) {
  return (
    <li aria-hidden="true" className={cx("text-ink-faint", className)}>
      <ChevronRight className="size-3.5" />
    </li>
  );
}
