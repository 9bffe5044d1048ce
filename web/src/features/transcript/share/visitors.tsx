/** What visitors of a link can see and do: the same options for new and existing links. */
import { useTranslation } from "react-i18next";
import type { ShareRights } from "@/api";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field } from "@/components/field";
import { SHARE_RIGHTS } from "@/rules/constants";

/** In the order of the form. */
export interface Visitors {
  rights: ShareRights;
  with_media: boolean;
  with_confidence: boolean;
  /** The owner's confirmation that visitors may edit without a password. */
  edit_without_password?: boolean;
}

interface VisitorsFieldsProps {
  value: Visitors;
  onChange: (value: Visitors) => void;
}

export function RightsField({ value, onChange }: VisitorsFieldsProps) {
  const { t } = useTranslation("sharing");
  return (
    <Field
      label={t("share.rights.label")}
      hint={value.rights === "edit" ? <span className="text-warn">{t("share.editing.warning")}</span> : undefined}
    >
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          value={value.rights}
          onChange={({ currentTarget }) => onChange({ ...value, rights: currentTarget.value as ShareRights })}
        >
          {SHARE_RIGHTS.map((each) => (
            <option key={each} value={each}>
              {t(`share.rights.${each}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface OpenEditProps extends VisitorsFieldsProps {
  /** Whether submitting was refused because it is missing. */
  missing: boolean;
}

/** Shown if visitors could edit without a password. */
export function OpenEditField({ value, onChange, missing }: OpenEditProps) {
  const { t } = useTranslation("sharing");
  return (
    <Checkbox
      checked={value.edit_without_password === true}
      onChange={(edit_without_password) => onChange({ ...value, edit_without_password })}
      error={missing ? t("share.editing.unprotected") : undefined}
    >
      {t("share.editing.confirm")}
    </Checkbox>
  );
}

/** Whether the owner must still confirm editing without a password. */
export const lacksConsent = (visitors: Visitors, locked: boolean): boolean =>
  visitors.rights === "edit" && !locked && visitors.edit_without_password !== true;

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
