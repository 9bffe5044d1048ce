/** Whether a DOCX uses the user’s own template; how to add one if there is none. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { DocxTemplate } from "@/api/schema";
import { Switch } from "@/components/switch";

interface OwnTemplateProps {
  /** Null if there is none. */
  template: DocxTemplate | null;
  value: boolean;
  onChange: (value: boolean) => void;
}

export function OwnTemplate({ template, value, onChange }: OwnTemplateProps) {
  const { t } = useTranslation("sharing");
  if (template === null) {
    return (
      <p className="text-sm text-ink-soft">
        {t("export.template.none")}{" "}
        <Link to="/settings?tab=preferences" className="text-accent underline underline-offset-4 hover:text-accent-strong">
          {t("export.template.add")}
        </Link>
      </p>
    );
  }
  return (
    <Switch checked={value} onChange={onChange} hint={<span className="break-words">{template.name}</span>}>
      {t("export.template.use")}
    </Switch>
  );
}
