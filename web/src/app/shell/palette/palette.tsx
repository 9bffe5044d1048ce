/** The command palette for pages, actions and transcripts: opened on any page with Ctrl or Cmd and K. */
import { CornerDownLeft, FileText, type LucideIcon, PanelsTopLeft, Quote, Search, Zap } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MarkedText } from "@/components/marked-text";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { cx } from "@/lib/class-names";
import { type Command, nextIndex } from "./commands";
import { useCommands } from "./use-commands";

const GROUPS = ["pages", "actions", "recent", "said"] as const;
const SIGNS: Record<Command["group"], LucideIcon> = { pages: PanelsTopLeft, actions: Zap, recent: FileText, said: Quote };

interface PaletteProps {
  onClose: () => void;
  /** The text typed before the palette was loaded. */
  takeTyped: () => string;
}

export function Palette({ onClose, takeTyped }: PaletteProps) {
  const { t } = useTranslation("shell");
  const focusBack = useRestoreFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusBack}
          // Closed before it navigates: a page that arrives below it belongs to an earlier click.
          data-keeps-focus
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-50 mx-auto flex max-h-dvh max-w-2xl animate-fade flex-col overflow-hidden border-rule-strong bg-paper-raised shadow-sheet outline-none sm:inset-x-6 sm:top-[12dvh] sm:max-h-[70dvh] sm:rounded-lg sm:border"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Content onClose={onClose} takeTyped={takeTyped} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Content({ onClose, takeTyped }: PaletteProps) {
  const { t } = useTranslation("shell");
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const { commands, searching } = useCommands(query);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  // New results must not leave the selection beyond the end.
  const current = Math.min(at, commands.length - 1);

  // From here on the field itself receives the keys.
  const takeOver = useEffectEvent(() => {
    field.current?.focus();
    const typed = takeTyped();
    if (typed) setQuery((before) => typed + before);
  });
  useLayoutEffect(() => takeOver(), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one is the signal
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [current, query]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an IME composition is not meant for the list.
    if (event.nativeEvent.isComposing) return;
    const next = nextIndex(event.key, current, commands.length);
    if (next !== null) setAt(next);
    else if (event.key === "Enter") run(commands[current]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex shrink-0 items-center gap-3 border-b border-rule px-4">
        <Search aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
        <input
          ref={field}
          role="combobox"
          aria-label={t("palette.placeholder")}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={commands[current] ? `${id}-${current}` : undefined}
          placeholder={t("palette.placeholder")}
          value={query}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-ink-faint"
        />
        <kbd className="figures rounded-sm border border-rule-strong px-1.5 text-xs text-ink-faint max-sm:hidden">Esc</kbd>
      </div>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={t("palette.title")}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto p-1.5"
      >
        {GROUPS.map((group) => {
          const first = commands.findIndex((command) => command.group === group);
          return (
            first >= 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="mb-1.5">
                <p id={`${id}-${group}`} className="kicker px-2.5 pt-2 pb-1">
                  {t(`palette.${group}`)}
                </p>
                {commands.map(
                  (command, position) =>
                    command.group === group && (
                      <Choice
                        key={command.id}
                        id={`${id}-${position}`}
                        command={command}
                        selected={position === current}
                        onPoint={() => setAt(position)}
                        onRun={() => run(command)}
                      />
                    ),
                )}
              </div>
            )
          );
        })}
        {commands.length === 0 && !searching && <p className="px-2.5 py-6 text-center text-ink-soft">{t("palette.nothing")}</p>}
      </div>
      <p aria-live="polite" className="shrink-0 border-t border-rule px-4 py-2 text-sm text-ink-faint">
        {searching ? t("palette.searching") : t("palette.hint")}
      </p>
    </>
  );
}

interface ChoiceProps {
  id: string;
  command: Command;
  selected: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Choice({ id, command: { group, label, note, ranges }, selected, onPoint, onRun }: ChoiceProps) {
  const Sign = SIGNS[group];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onPointerMove={() => !selected && onPoint()}
      onClick={onRun}
      className={cx(
        "flex min-h-10 cursor-pointer items-center gap-3 rounded px-2.5 py-1.5 text-[0.9375rem] pointer-coarse:min-h-11",
        selected && "bg-accent-wash",
      )}
    >
      <Sign aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className={group === "said" ? "line-clamp-2 font-serif" : "block truncate"}>
          {ranges ? <MarkedText text={label} ranges={ranges} /> : label}
        </span>
        {/* Beside a passage there is no room for the recording's name. */}
        {note && group === "said" && <span className="block truncate text-sm text-ink-faint">{note}</span>}
      </span>
      {note && group !== "said" && <span className="max-w-[40%] shrink-0 truncate text-sm text-ink-faint">{note}</span>}
      {selected && <CornerDownLeft aria-hidden="true" className="size-4 shrink-0 text-ink-faint max-sm:hidden" />}
    </div>
  );
}
