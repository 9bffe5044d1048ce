/** Navigation between sections: a list at the side, or a select on narrow screens. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { CONTROL } from "@/components/field";
import { cx } from "@/lib/class-names";
import { SECTIONS, type Section, sectionLink } from "./sections";

interface SectionNavProps {
  open: Section;
  /** Sections with unsaved changes. */
  dirty: ReadonlySet<Section>;
}

export function SectionNav({ open, dirty }: SectionNavProps) {
  const { t } = useTranslation("admin-config");
  const navigate = useNavigate();
  const id = useId();
  return (
    <nav aria-label={t("nav")} className="lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:self-start">
      <div className="flex flex-col gap-1.5 lg:hidden">
        <label htmlFor={id} className="text-sm text-ink-soft">
          {t("section")}
        </label>
        <select
          id={id}
          value={open}
          onChange={(event) => void navigate(sectionLink(event.currentTarget.value as Section))}
          className={CONTROL}
        >
          {SECTIONS.map((section) => (
            <option key={section} value={section}>
              {t(`sections.${section}`)}
              {dirty.has(section) && ` (${t("unsaved").toLowerCase()})`}
            </option>
          ))}
        </select>
      </div>
      <ul className="hidden border-l border-rule lg:flex lg:flex-col">
        {SECTIONS.map((section) => (
          <li key={section}>
            <Link
              to={sectionLink(section)}
              aria-current={section === open ? "page" : undefined}
              className={cx(
                "-ml-px flex min-h-9 items-center gap-2 border-l-2 py-1.5 pl-4 leading-tight -outline-offset-2",
                section === open
                  ? "border-accent font-strong text-ink"
                  : "border-transparent text-ink-soft hover:border-rule-strong hover:text-ink",
              )}
            >
              {t(`sections.${section}`)}
              {dirty.has(section) && (
                <>
                  <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-warn" />
                  <span className="sr-only">({t("unsaved").toLowerCase()})</span>
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
