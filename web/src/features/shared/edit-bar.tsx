/** Starts and ends editing, asks for the visitor's name once, and shows whether everything is saved. */
import { Check, LoaderCircle, PencilLine, Undo2 } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { MAX_VISITOR_NAME } from "@/rules/constants";
import { type Violation, validateVisitorName } from "@/rules/text";
import { isGone, isLocked } from "./api";
import type { EditingState } from "./editing";
import type { VisitorName } from "./visitor-name";

interface EditBarProps {
  editing: EditingState;
  visitor: VisitorName;
  /** Switches to the text view, where editing happens. */
  onBegin: () => void;
}

export function EditBar({ editing, visitor, onBegin }: EditBarProps) {
  const { t } = useTranslation("sharing");
  const [naming, setNaming] = useState(false);
  const mode = useRef<HTMLButtonElement>(null);
  const holdsUndo = useRef(false);
  const { on, may, ended, canUndo } = editing;
  useEffect(() => {
    // After the last undo the button disappears, and the focus must move.
    if (!canUndo && holdsUndo.current) mode.current?.focus();
    if (!canUndo) holdsUndo.current = false;
  }, [canUndo]);
  if (ended !== null) return <Ended error={ended} onUnlock={editing.unlock} />;
  if (!may) return null;
  const begin = () => {
    onBegin();
    const asks = !on && visitor.name.trim() === "";
    setNaming(asks);
    if (!asks) editing.turn(!on);
  };
  const endNaming = () => {
    setNaming(false);
    mode.current?.focus();
  };
  const named = (name: string) => {
    visitor.setName(name);
    endNaming();
    editing.turn(true);
  };
  return (
    <section
      aria-label={t("page.editing.mode")}
      // Sticky, so that the state is visible while writing, however long the text is.
      className={cx("mb-5 rounded bg-paper-sunk px-4 py-3", on && "sticky top-0 z-10 border-b border-rule-strong")}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className={cx("min-w-0 flex-1 basis-72 text-[0.9375rem] text-ink-soft", on && "max-sm:sr-only")}>
          {t(on ? "page.editing.hint" : "page.editing.lead")}
        </p>
        <Status status={editing.status} />
        {canUndo && (
          <Button
            size="small"
            onClick={editing.undo}
            onFocus={() => {
              holdsUndo.current = true;
            }}
            onBlur={() => {
              holdsUndo.current = false;
            }}
          >
            <Undo2 aria-hidden="true" />
            {t("page.editing.undo")}
          </Button>
        )}
        <Button ref={mode} size="small" aria-pressed={on} look={on ? "primary" : "outline"} onClick={begin}>
          <PencilLine aria-hidden="true" />
          {t("page.editing.mode")}
        </Button>
      </div>
      {naming ? (
        <NameForm name={visitor.name} onName={named} onCancel={endNaming} />
      ) : (
        on && (
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            <span className="wrap-anywhere">{t("page.editing.as", { name: visitor.name })}</span>
            <Button size="small" look="quiet" onClick={() => setNaming(true)}>
              {t("page.editing.rename")}
            </Button>
          </p>
        )
      )}
    </section>
  );
}

function Status({ status }: Pick<EditingState, "status">) {
  const { t } = useTranslation("sharing");
  return (
    <p role="status" data-testid="shared-save-status" className="flex items-center gap-1.5 text-sm text-ink-soft">
      {status === "saving" && <LoaderCircle aria-hidden="true" className="size-4 animate-spin motion-reduce:animate-none" />}
      {status === "saved" && <Check aria-hidden="true" className="size-4 text-good" />}
      {status !== "idle" && t(`page.editing.${status}`)}
    </p>
  );
}

interface NameFormProps {
  name: string;
  onName: (name: string) => void;
  onCancel: () => void;
}

function NameForm({ name, onName, onCancel }: NameFormProps) {
  const { t } = useTranslation("sharing");
  const violationText = useViolationText();
  const [typed, setTyped] = useState(name);
  const [violation, setViolation] = useState<Violation>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [found] = validateVisitorName(typed);
    setViolation(found);
    if (found) field.current?.focus();
    else onName(typed.trim());
  };
  const error = violation && violationText(violation);
  return (
    <form
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onCancel();
      }}
      className="mt-3 flex max-w-[36rem] flex-wrap items-start gap-3"
    >
      <Field label={t("page.editing.name")} hint={t("page.editing.nameHint")} error={error} className="flex-1 basis-56">
        {(wiring) => (
          <TextInput
            {...wiring}
            ref={field}
            required
            maxLength={MAX_VISITOR_NAME}
            autoComplete="name"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" className="mt-7">
        {t("page.editing.start")}
      </Button>
      <Button look="quiet" className="mt-7" onClick={onCancel}>
        {t("page.editing.cancel")}
      </Button>
    </form>
  );
}

/** The owner has ended editing: unsaved drafts are shown below. */
function Ended({ error, onUnlock }: { error: unknown; onUnlock: () => void }) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const why = isGone(error) ? t("page.editing.linkGone") : errorText(error);
  return (
    <div role="alert" className="mb-5 flex flex-wrap items-center gap-3 rounded bg-warn-wash px-4 py-3 text-[0.9375rem]">
      <p className="min-w-0 flex-1 basis-60">{t("page.editing.ended", { why })}</p>
      {isLocked(error) && (
        <Button size="small" look="primary" onClick={onUnlock}>
          {t("page.editing.password")}
        </Button>
      )}
    </div>
  );
}
