/** Target languages, each on or off. */
import { Check } from "lucide-react";
import { ToggleGroup as Radix } from "radix-ui";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { FieldError } from "@/components/field";
import { translationList, translationTargets } from "@/rules";
import { DisabledControl, describedBy, showDisabledReason } from "./disabled-control";
import { useFields } from "./fields-context";
import { MissingBadge, MissingNote } from "./missing-ability";
import type { TranslationList } from "./settings";
import { targetList } from "./target-list";
import { useRestriction } from "./use-restriction";

export function TranslationField({ field }: { field: TranslationList }) {
  const { t } = useTranslation(["configure", "rules"]);
  const { settings, change, errorOf } = useFields();
  const id = useId();
  const error = errorOf(field);
  const chosen = translationList(settings[field]);
  const { reason, lack } = useRestriction({ field, on: chosen.length > 0 });
  const locked = reason !== null && chosen.length === 0;
  const note = lack !== null && chosen.length > 0;
  return (
    <div data-field={field} className="grid gap-x-4 gap-y-1.5 @lg:grid-cols-[9.5rem_minmax(0,1fr)]">
      <p id={`${id}-label`} className="text-[0.9375rem] @lg:pt-1">
        {t(`translation.${field}`)}
        {lack !== null && !note && <MissingBadge lack={lack} />}
      </p>
      <div className="flex min-w-0 flex-col gap-1.5">
        <DisabledControl text={reason} id={`${id}-obstacle`} className="w-fit">
          <Radix.Root
            type="multiple"
            aria-labelledby={`${id}-label`}
            aria-describedby={describedBy(reason && `${id}-obstacle`, note && `${id}-lack`, error && `${id}-error`)}
            value={chosen}
            onValueChange={(next) => {
              if (locked) showDisabledReason(reason);
              else change({ [field]: targetList(next) });
            }}
            className="flex flex-wrap gap-1.5"
          >
            {translationTargets().map((target) => (
              <Radix.Item
                key={target}
                value={target}
                aria-disabled={locked || undefined}
                data-invalid={error !== undefined || undefined}
                aria-describedby={describedBy(reason && `${id}-obstacle`, error && `${id}-error`)}
                className="flex h-8 items-center gap-1.5 rounded border border-edge bg-paper-raised px-2.5 text-[0.875rem] transition-colors hover:border-ink-faint aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk aria-disabled:text-ink-faint data-invalid:border-bad data-[state=on]:border-accent data-[state=on]:bg-accent-wash pointer-coarse:h-11 [&_svg]:size-3.5 [&_svg]:text-accent"
              >
                {chosen.includes(target) && <Check aria-hidden="true" strokeWidth={3} />}
                {t(`rules:translation_target.${target}`)}
              </Radix.Item>
            ))}
          </Radix.Root>
        </DisabledControl>
        {note && <MissingNote lack={lack} id={`${id}-lack`} />}
        {error && <FieldError id={`${id}-error`} text={error} />}
      </div>
    </div>
  );
}
