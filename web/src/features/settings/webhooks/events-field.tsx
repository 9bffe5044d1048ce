/** What a webhook is notified of, each event with its explanation. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookEvent } from "@/api/webhooks";
import { Checkbox } from "@/components/checkbox";
import { FieldError } from "@/components/field";
import { WEBHOOK_EVENTS } from "@/rules/constants";

interface EventsFieldProps {
  events: readonly WebhookEvent[];
  error: string | undefined;
  onChange: (events: WebhookEvent[]) => void;
}

export function EventsField({ events, error, onChange }: EventsFieldProps) {
  const { t } = useTranslation("webhooks");
  const errorId = useId();
  const toggle = (event: WebhookEvent, on: boolean) =>
    onChange(WEBHOOK_EVENTS.filter((one) => (one === event ? on : events.includes(one))));
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("editor.events")}</legend>
      {WEBHOOK_EVENTS.map((event) => (
        <Checkbox
          key={event}
          checked={events.includes(event)}
          invalid={error !== undefined}
          describedBy={error && errorId}
          onChange={(on) => toggle(event, on)}
        >
          <span className="flex flex-wrap items-baseline gap-x-3">
            {t(`events.${event}.name`)}
            {/* As it is called in the calls and in their log. */}
            <code className="figures text-[0.8125rem] text-ink-faint">{event}</code>
          </span>
          <span className="block text-sm text-ink-soft">{t(`events.${event}.text`)}</span>
        </Checkbox>
      ))}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
