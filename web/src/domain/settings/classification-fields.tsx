/** Which of the given labels fit the recording. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ChipsInput } from "@/components/chips-input";
import { Field } from "@/components/field";
import { limits } from "@/rules";
import { Counter } from "./counter";
import { DisabledControl, describedBy, showDisabledReason } from "./disabled-control";
import { useFields } from "./fields-context";
import { SwitchField } from "./option";

export function ClassificationFields() {
  const { t } = useTranslation("configure");
  const { settings } = useFields();
  return (
    <div className="flex flex-col gap-2">
      <SwitchField field="overall_classification" label={t("classification.label")} />
      {(settings.overall_classification || settings.classification_labels.length > 0) && <LabelsField />}
    </div>
  );
}

function LabelsField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf, brokenEntries, unavailableReason } = useFields();
  const id = useId();
  const reason = unavailableReason("classification");
  const labels = settings.classification_labels;
  return (
    <div data-field="classification_labels" className="pl-7.5">
      <DisabledControl text={reason} id={id}>
        <Field
          label={t("classification.labels")}
          hint={
            <span className="flex justify-between gap-3">
              {t("classification.hint")}
              <Counter value={labels.length} max={limits().max_labels} />
            </span>
          }
          error={errorOf("classification_labels")}
        >
          {(wiring) => {
            const described = describedBy(wiring["aria-describedby"], reason && id);
            return (
              <ChipsInput
                {...wiring}
                {...(described && { "aria-describedby": described })}
                entries={labels}
                broken={brokenEntries("classification_labels")}
                locked={reason !== null}
                onLocked={() => showDisabledReason(reason)}
                onChange={(next) => change({ classification_labels: next })}
                removeLabel={(label) => t("chips.remove", { entry: label })}
                placeholder={t("classification.placeholder")}
              />
            );
          }}
        </Field>
      </DisabledControl>
    </div>
  );
}
