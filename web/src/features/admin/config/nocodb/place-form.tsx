import { Check, KeyRound, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NocodbState } from "@/api/nocodb";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { useViolationText } from "@/hooks/use-violation-text";
import type { Place } from "./use-place";

const FIELDS = ["api_url", "project_id"] as const;

export function PlaceForm({ place, state }: { place: Place; state: NocodbState }) {
  const { t } = useTranslation("admin-nocodb");
  const violationText = useViolationText();
  const errorOf = (field: string) => {
    const brokenRule = place.broken.find((rule) => rule.field === field);
    return brokenRule && violationText(brokenRule);
  };
  return (
    <form ref={place.element} onSubmit={(event) => void place.save(event)} noValidate className="flex flex-col gap-4">
      <FormAlert text={place.failure} />
      {FIELDS.map((field) => (
        <Field key={field} label={t(field)} hint={t(`${field}_hint`)} error={errorOf(field)}>
          {(wiring) => (
            <TextInput
              {...wiring}
              name={field}
              type={field === "api_url" ? "url" : "text"}
              inputMode={field === "api_url" ? "url" : "text"}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-sm"
              value={place.form[field]}
              onChange={(event) => place.edit(field, event.target.value)}
            />
          )}
        </Field>
      ))}
      <Token configured={state.token_configured} />
      <div role="status">
        {place.dirty && (
          <p className="flex items-start gap-2.5 rounded bg-warn-wash px-3.5 py-2.5 text-sm text-warn">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span>
              <strong className="font-strong">{t("unsaved")}</strong>. {t("unsaved_text")}
            </span>
          </p>
        )}
      </div>
      {place.dirty && (
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" busy={place.saving}>
            {place.saving ? t("saving") : t("save")}
          </Button>
          <Button onClick={place.discard} disabled={place.saving}>
            {t("discard")}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Shows only whether there is a token: it never leaves the server. */
function Token({ configured }: { configured: boolean }) {
  const { t } = useTranslation("admin-nocodb");
  const Sign = configured ? Check : TriangleAlert;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("token")}</legend>
      <p className="flex min-h-(--control) items-center gap-2.5 rounded border border-rule bg-paper-sunk px-3 py-1.5 text-sm">
        <KeyRound aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
        <span className={`flex items-center gap-1.5 ${configured ? "text-good" : "text-warn"}`}>
          <Sign aria-hidden="true" className="size-4 shrink-0" />
          {configured ? t("token_configured") : t("token_missing")}
        </span>
      </p>
      <p className="text-sm text-ink-faint">{t("token_hint")}</p>
    </fieldset>
  );
}
