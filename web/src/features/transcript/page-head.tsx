/** The breadcrumb and the back link. The page's title is in the header. */
import { ArrowLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { IconButton } from "@/components/icon-button";
import { SampleBadge } from "@/components/sample-badge";
import { cx } from "@/lib/class-names";

interface PageHeadProps {
  title: string;
  /** Whether it is the sample of a new account. */
  sample: boolean;
  className?: string;
}

export function PageHead({ title, sample, className }: PageHeadProps) {
  const { t } = useTranslation("transcript");
  const navigate = useNavigate();
  // After opening an external link, there is no previous page.
  const goBack = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate("/transcriptions"));
  return (
    <div data-tour="head" className={cx("flex min-w-0 items-center gap-1", className)}>
      <IconButton label={t("back")} onClick={() => void goBack()} className="-ml-2.5">
        <ArrowLeft aria-hidden="true" />
      </IconButton>
      <nav aria-label={t("breadcrumbs.label")} className="min-w-0 text-sm text-ink-soft">
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
          <Step className="max-lg:hidden" />
          <li aria-current="page" className="max-w-[48ch] min-w-0 truncate text-ink-faint max-lg:hidden">
            {title}
          </li>
        </ol>
      </nav>
      {/* On a wider page it is beside the heading. */}
      {sample && <SampleBadge className="ml-2 shrink-0 sm:hidden" />}
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
