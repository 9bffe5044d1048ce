/** The note of a bookmark or a highlight, and its colour. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Annotation } from "@/api";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { ANNOTATION_COLOURS } from "@/rules/constants";
import type { Annotations } from "./use-annotations";

interface NoteFormProps {
  mark: Annotation;
  annotations: Annotations;
}

export function NoteForm({ mark, annotations }: NoteFormProps) {
  const { t } = useTranslation(["editor", "common"]);
  const errorText = useErrorText();
  const [note, setNote] = useState(mark.note);
  const [colour, setColour] = useState(mark.colour);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Focused twice: a drawer focuses itself when it opens, and a toast that was clicked returns the focus to the
    // previous element as soon as another one gets it.
    const frame = requestAnimationFrame(() => {
      field.current?.focus();
      if (document.activeElement !== field.current) {
        field.current?.focus();
      }
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  const save = () => {
    setError(undefined);
    annotations.change({ id: mark.id, note, ...(colour !== mark.colour && { colour }) }).then(
      // Another one may be open by now.
      () => annotations.note((open) => (open === mark.id ? null : open)),
      (failure: unknown) => setError(errorText(failure)),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
      // The event must not reach the drawer or the player.
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      if (event.key === "Enter") {
        save();
      } else {
        annotations.note(null);
      }
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={onKeyDown}
      className="mt-2 flex flex-col gap-3"
    >
      <Field label={t("editor:annotations.note")} error={error}>
        {(wiring) => (
          <textarea
            {...wiring}
            ref={field}
            rows={3}
            className={`${CONTROL} h-auto min-h-20 resize-y py-2`}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        )}
      </Field>
      {mark.kind === "highlight" && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
          <legend className="mb-1 text-[0.9375rem] font-strong">{t("editor:annotations.colour")}</legend>
          {ANNOTATION_COLOURS.map((option) => (
            <label key={option} className="inline-flex min-h-8 items-center gap-1.5 text-sm pointer-coarse:min-h-11">
              <input
                type="radio"
                name={`colour-${mark.id}`}
                value={option}
                checked={colour === option}
                onChange={() => setColour(option)}
                className="size-4 accent-(--accent)"
              />
              <span aria-hidden="true" className="mark-sample" data-colour={option} />
              {t(`editor:annotations.colours.${option}`)}
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary">
          {t("editor:annotations.save")}
        </Button>
        <Button size="small" look="quiet" onClick={() => annotations.note(null)}>
          {t("common:actions.cancel")}
        </Button>
      </div>
    </form>
  );
}
