/** What a new source is. */
import { Cloud, Database, FolderOpen, type LucideIcon, Podcast } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SourceKind } from "@/api/sources";
import { INITIAL_FOCUS } from "@/components/sheet";

const ICONS: Record<SourceKind, LucideIcon> = { podcast: Podcast, webdav: Cloud, s3: Database, folder: FolderOpen };

interface KindFieldProps {
  kinds: readonly SourceKind[];
  kind: SourceKind;
  onChange: (kind: SourceKind) => void;
}

export function KindField({ kinds, kind, onChange }: KindFieldProps) {
  const { t } = useTranslation("sources");
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("editor.kind")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map((one) => {
          const Icon = ICONS[one];
          return (
            <label
              key={one}
              className="flex cursor-pointer items-start gap-2.5 rounded-md border border-rule px-3 py-2.5 transition-colors hover:border-rule-strong has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                value={one}
                checked={one === kind}
                {...(one === kind && INITIAL_FOCUS)}
                onChange={() => onChange(one)}
                className="sr-only"
              />
              <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
              <span>
                {t(`kinds.${one}.name`)}
                <span className="block text-sm text-ink-soft">{t(`kinds.${one}.text`)}</span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
