/** What visitors of a link may do and see: the same choices for a new one and for one that there is. */
import { useTranslation } from "react-i18next";
import type { ShareRights } from "@/api";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field } from "@/components/field";

/** In the order in which they are offered. */
const RIGHTS = ["read", "comment"] as const satisfies readonly ShareRights[];

export interface Visitors {
  rights: ShareRights;
  with_media: boolean;
  with_confidence: boolean;
}

interface VisitorsFieldsProps {
  value: Visitors;
  onChange: (value: Visitors) => void;
}

export function RightsField({ value, onChange }: VisitorsFieldsProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field label={t("share.rights.label")}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          value={value.rights}
          onChange={({ currentTarget }) => onChange({ ...value, rights: currentTarget.value as ShareRights })}
        >
          {RIGHTS.map((each) => (
            <option key={each} value={each}>
              {t(`share.rights.${each}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function ShownFields({ value, onChange }: VisitorsFieldsProps) {
  const { t } = useTranslation("sharing");
  return (
    <div className="flex flex-col gap-3">
      <Checkbox checked={value.with_media} onChange={(with_media) => onChange({ ...value, with_media })}>
        {t("share.withMedia")}
      </Checkbox>
      <Checkbox checked={value.with_confidence} onChange={(with_confidence) => onChange({ ...value, with_confidence })}>
        {t("share.withConfidence")}
      </Checkbox>
    </div>
  );
}
