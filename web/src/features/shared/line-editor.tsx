/** Edits a line: a field in the style of its text, and its speaker. */
import { Check, Pencil, UserPlus, X } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { CONTROL, TextInput } from "@/components/field";
import { linesAt } from "@/domain/transcript/caret";
import { freeSpeaker, type NamedSpeaker, speakerName, speakerSign } from "@/domain/transcript/speakers";
import { useLocale } from "@/hooks/use-locale";
import { newUuid } from "@/lib/tab-client";
import { MAX_SPEAKER_NAME, MAX_VISITOR_TEXT } from "@/rules/constants";
import { cleanText } from "@/rules/text";
import type { CaretPosition, EditingState, LineSnapshot } from "./editing";
import type { SharedLine } from "./spoken";

/**
 * A pressed button must not take the focus from the field, which would save it; in Safari buttons do not get the focus.
 */
const stay = { onMouseDown: (event: MouseEvent) => event.preventDefault() };

interface LineEditorProps {
  line: SharedLine;
  caret: CaretPosition["caret"];
  speakers: readonly NamedSpeaker[];
  editing: EditingState;
  /** Continues in the previous or next line, if there is one. */
  onGo: (step: -1 | 1) => boolean;
  /** Writing was ended by a key: the text gets the focus again. */
  onEnd: () => void;
}

export function LineEditor({ line, caret, speakers, editing, onGo, onEnd }: LineEditorProps) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  // Changes by others are detected when it is saved.
  const [snapshot] = useState<LineSnapshot>(() => ({
    ...line,
    revision: line.revision ?? 0,
    version: editing.version,
    editId: newUuid(),
  }));
  const [empty, setEmpty] = useState(false);
  const over = useRef(false);
  const choice = useSpeakerChoice(line, editing);

  const reflect = () => {
    // The extra character gives the mirror the same last line as the field.
    if (mirror.current && field.current) mirror.current.textContent = `${field.current.value}\u200B`;
  };
  const place = useEffectEvent(() => {
    const element = field.current;
    if (!element) return;
    reflect();
    element.focus({ preventScroll: true });
    const at = caret === "end" ? element.value.length : Math.min(caret, element.value.length);
    element.setSelectionRange(at, at);
    element.scrollIntoView({ block: "nearest" });
  });
  useLayoutEffect(() => place(), []);

  const finish = (keep: boolean) => {
    if (over.current) return;
    over.current = true;
    if (keep) {
      choice.send();
      editing.save(snapshot, field.current?.value ?? snapshot.text);
    } else editing.drop(snapshot.id, snapshot.editId);
    editing.close();
  };
  /** Saved before the next line opens, so that the lost focus is not treated as leaving. */
  const go = (step: -1 | 1): boolean => {
    if (!onGo(step)) return false;
    over.current = true;
    editing.save(snapshot, field.current?.value ?? snapshot.text);
    return true;
  };
  // When the line unmounts for any reason, typed text is saved or reported as unsaved.
  const leave = useEffectEvent((text: string) => {
    if (over.current) return;
    choice.send();
    if (cleanText(text) !== snapshot.text) editing.save(snapshot, text);
  });
  useEffect(() => {
    const element = field.current;
    return () => leave(element?.value ?? "");
  }, []);

  const onInput = () => {
    const element = field.current;
    if (!element) return;
    if (/[\r\n]/.test(element.value)) {
      const at = element.selectionStart;
      element.value = element.value.replace(/\r?\n|\r/g, " ");
      element.setSelectionRange(at, at);
    }
    reflect();
    setEmpty(cleanText(element.value) === "");
    editing.keep(snapshot, element.value);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: at, selectionEnd, value } = event.currentTarget;
    if (event.nativeEvent.isComposing) return;
    const plain = at === selectionEnd && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const lines = plain && mirror.current ? linesAt(mirror.current, at) : null;
    const handled = (() => {
      switch (event.key) {
        // Lines have no line breaks; Ctrl+Enter saves, as elsewhere.
        case "Enter":
          if (cleanText(value) === "") setEmpty(true);
          else {
            finish(true);
            onEnd();
          }
          return true;
        case "Escape":
          finish(false);
          onEnd();
          return true;
        case "ArrowUp":
          return lines?.first === true && go(-1);
        case "ArrowDown":
          return lines?.last === true && go(1);
        default:
          return false;
      }
    })();
    if (handled) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  return (
    <fieldset
      className="min-w-0 scroll-mt-40"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) finish(true);
        else if (event.target instanceof HTMLSelectElement) choice.send();
      }}
    >
      <div className="segment-editor reading">
        <div ref={mirror} aria-hidden="true" className="segment-editor-mirror" />
        <textarea
          ref={field}
          rows={1}
          defaultValue={line.text}
          maxLength={MAX_VISITOR_TEXT}
          aria-label={t("page.editing.field")}
          aria-describedby={`${id}-keys`}
          aria-invalid={empty || undefined}
          data-testid="shared-line-editor"
          spellCheck
          className="scroll-mt-40"
          onInput={onInput}
          onKeyDown={onKeyDown}
        />
      </div>
      <p id={`${id}-keys`} lang={locale} className="sr-only">
        {t("page.editing.keys")}
      </p>
      <p role="status" lang={locale} className="text-sm text-warn not-empty:pt-2.5">
        {empty && t("page.editing.empty")}
      </p>
      <div lang={locale} className="flex flex-wrap items-center gap-2 pt-3 pb-1">
        <SpeakerChoice choice={choice} speakers={speakers} editing={editing} onNamed={() => field.current?.focus()} />
        <Button
          {...stay}
          size="small"
          look="primary"
          className="ml-auto"
          onClick={() => {
            if (empty) {
              field.current?.focus();
              return;
            }
            finish(true);
            onEnd();
          }}
        >
          <Check aria-hidden="true" />
          {t("page.editing.done")}
        </Button>
        <Button
          {...stay}
          size="small"
          look="quiet"
          onClick={() => {
            finish(false);
            onEnd();
          }}
        >
          <X aria-hidden="true" />
          {t("page.editing.cancel")}
        </Button>
      </div>
    </fieldset>
  );
}

/**
 * The chosen speaker until it is saved: arrow keys pass through all options of a closed select, so it is saved on blur.
 */
function useSpeakerChoice(line: SharedLine, editing: EditingState) {
  const [chosen, choose] = useState<string | null>();
  const requested = useRef<string | null>(undefined);
  const known = line.speaker ?? null;
  const assign = (speaker: string | null) => {
    if (speaker === (requested.current === undefined ? known : requested.current)) {
      choose(requested.current);
      return;
    }
    requested.current = speaker;
    choose(speaker);
    editing.setSpeaker(line, speaker, () => {
      if (requested.current !== speaker) return;
      requested.current = undefined;
      choose((current) => (current === speaker ? undefined : current));
    });
  };
  return {
    speaker: chosen === undefined ? known : chosen,
    choose,
    assign,
    send: () => chosen !== undefined && assign(chosen),
    forget: () => choose(requested.current),
  };
}

interface SpeakerChoiceProps extends Pick<LineEditorProps, "speakers" | "editing"> {
  choice: ReturnType<typeof useSpeakerChoice>;
  /** Called before the name's field unmounts, to move the focus. */
  onNamed: () => void;
}

function SpeakerChoice({ choice, speakers, editing, onNamed }: SpeakerChoiceProps) {
  const { t } = useTranslation("sharing");
  const [naming, setNaming] = useState<string | null>(null);
  const current = speakers.find(({ id }) => id === choice.speaker);
  const named = speakers.find(({ id }) => id === naming);
  const endNaming = () => {
    onNamed();
    setNaming(null);
  };
  if (named) return <NameForm speaker={named} editing={editing} onEnd={endNaming} />;
  return (
    <>
      <select
        aria-label={t("page.editing.speaker")}
        className={`${CONTROL} h-8! w-auto! max-w-48 text-sm! pointer-coarse:h-11!`}
        value={choice.speaker ?? ""}
        onChange={({ currentTarget }) => choice.choose(currentTarget.value || null)}
        onKeyDown={({ key }) => {
          if (key === "Enter") choice.send();
          if (key === "Escape") choice.forget();
        }}
      >
        <option value="">{t("page.editing.nobody")}</option>
        {speakers.map((speaker) => (
          <option key={speaker.id} value={speaker.id}>
            {speakerName(speaker)}
          </option>
        ))}
        {choice.speaker !== null && !current && <option value={choice.speaker}>{speakerSign(choice.speaker)}</option>}
      </select>
      {current && (
        <Button
          {...stay}
          size="small"
          look="quiet"
          onClick={() => {
            choice.send();
            setNaming(current.id);
          }}
        >
          <Pencil aria-hidden="true" />
          {t("page.editing.renameSpeaker")}
        </Button>
      )}
      <Button {...stay} size="small" look="quiet" onClick={() => choice.assign(freeSpeaker(speakers))}>
        <UserPlus aria-hidden="true" />
        {t("page.editing.addSpeaker")}
      </Button>
    </>
  );
}

interface NameFormProps {
  speaker: NamedSpeaker;
  editing: EditingState;
  onEnd: () => void;
}

function NameForm({ speaker, editing, onEnd }: NameFormProps) {
  const { t } = useTranslation("sharing");
  const [name, setName] = useState(speaker.name ?? "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = cleanText(name) || null;
    if (newName !== (speaker.name ?? null)) editing.rename(speaker.id, newName);
    onEnd();
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <TextInput
        ref={field}
        value={name}
        maxLength={MAX_SPEAKER_NAME}
        placeholder={speakerSign(speaker.id)}
        aria-label={t("page.editing.speakerName", { speaker: speakerSign(speaker.id) })}
        className="h-8! w-44! text-sm! pointer-coarse:h-11!"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onEnd();
        }}
      />
      <Button {...stay} type="submit" size="small">
        {t("page.editing.renameSave")}
      </Button>
    </form>
  );
}
