/** Step 1: recordings are chosen, from the device, from the web, or spoken here. */
import { Tabs } from "radix-ui";
import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { Button } from "@/components/button";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { nothingChosen, type Source, validateUrl } from "@/rules";
import { parseSource, SOURCES } from "../source";
import { theTray } from "../the-tray";
import { type FileItem, MAX_ITEMS, type Recording, type Refusal, type TrayItem } from "../tray-model";
import { VoiceTab } from "../voice";
import { theRecording } from "../voice/the-recording";
import { FileTab } from "./file-tab";
import { Trouble } from "./trouble";
import { UrlTab } from "./url-tab";
import { usePaste } from "./use-paste";
import { useProbe } from "./use-probe";

/** Uploads of the recordings that are on the tray: they are not offered as unfinished once more. */
const recordingsOf = ({ items }: { items: readonly TrayItem[] }) =>
  items.flatMap((item) => (item.kind === "voice" ? [item.recording.id] : []));

interface SelectStepProps {
  owner: string;
  heading: RefObject<HTMLHeadingElement | null>;
  refusals: readonly Refusal[];
  failed: readonly FileItem[];
  /** What is on the tray already, when more is being added; null when nothing is. */
  chosen: ReactNode;
  onFiles: (files: readonly File[]) => void;
  onDismiss: () => void;
  /** Something is on the tray and the reader wants to go on. */
  onContinue: () => void;
}

export function SelectStep(props: SelectStepProps) {
  const { owner, heading, failed, chosen, onFiles, onContinue } = props;
  const { t } = useTranslation("upload");
  const violationText = useViolationText();
  const [params, setParams] = useSearchParams();
  const source = parseSource(params);
  const [missing, setMissing] = useState<BrokenRule | null>(null);
  const address = useAddress(owner, onContinue);
  const spoken = useStore(theRecording, (state) => state.id !== null);
  const recordings = useStore(theTray, useShallow(recordingsOf));
  const [voiceSeen, setVoiceSeen] = useState(source === "voice");

  const open = (next: Source) => {
    setMissing(null);
    setVoiceSeen((seen) => seen || next === "voice");
    setParams(next === "file" ? {} : { source: next }, { preventScrollReset: true });
  };

  usePaste({
    onFiles,
    onUrl: (url) => {
      open("url");
      address.ask(url);
    },
  });

  const advance = () => {
    if (source === "url" && (address.url.trim() !== "" || !chosen)) {
      address.advance();
    } else if (chosen) {
      onContinue();
    } else {
      const begun = source === "file" ? failed.length > 0 : spoken;
      setMissing(nothingChosen(source, begun)[0] ?? null);
    }
  };

  const takeRecording = (recording: Recording) => {
    void theTray.getState().addRecording(owner, recording).then(onContinue);
  };

  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        {t("steps.select")}
      </h2>
      <Trouble
        missing={missing && violationText(missing)}
        refusals={props.refusals}
        failed={failed}
        onDismiss={() => {
          setMissing(null);
          props.onDismiss();
        }}
      />
      <Tabs.Root
        value={source}
        onValueChange={(next) => open(next as Source)}
        // The arrows go past a tab without opening it: each opened one is a step for the Back button.
        activationMode="manual"
        className="flex flex-1 flex-col"
      >
        <SourceTabs />
        <Tabs.Content value="file" className="mt-5 flex flex-1 flex-col outline-offset-4 data-[state=inactive]:hidden">
          <FileTab onFiles={onFiles} />
        </Tabs.Content>
        {/* Stays while another tab is open: what is half typed is not lost. */}
        <Tabs.Content value="url" forceMount className="mt-5 flex flex-1 flex-col outline-offset-4 data-[state=inactive]:hidden">
          <UrlTab {...address.tab} />
        </Tabs.Content>
        {/* As does what is half spoken; the microphone is not asked for before the tab was opened. */}
        <Tabs.Content
          value="voice"
          {...(voiceSeen && { forceMount: true as const })}
          className="mt-5 flex flex-1 flex-col outline-offset-4 data-[state=inactive]:hidden"
        >
          <VoiceTab owner={owner} onUse={takeRecording} taken={recordings} />
        </Tabs.Content>
      </Tabs.Root>
      {chosen}
      <div className="sticky bottom-0 z-10 -mx-4 mt-auto flex justify-end border-t border-rule bg-paper px-4 py-3 md:mx-0 md:px-0">
        <Button look={chosen || address.found ? "primary" : "outline"} onClick={advance}>
          {t("actions.continue")}
        </Button>
      </div>
    </>
  );
}

function SourceTabs() {
  const { t } = useTranslation(["upload", "rules"]);
  return (
    <Tabs.List aria-label={t("sources")} className="flex gap-6 border-b-2 border-ink sm:gap-8">
      {SOURCES.map((source) => (
        <Tabs.Trigger
          key={source}
          value={source}
          className="-mb-[2px] min-h-11 border-b-[4px] border-transparent pt-1 -outline-offset-2 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong"
        >
          {t(`rules:source.${source}`)}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

/** The address in the field, from the first letter to the tray. */
function useAddress(owner: string, onTaken: () => void) {
  const { t } = useTranslation("upload");
  const violationText = useViolationText();
  const [url, setUrl] = useState("");
  const [error, setError] = useState<string>();
  const probe = useProbe();
  const { state } = probe;

  const change = (next: string) => {
    setUrl(next);
    setError(undefined);
    probe.reset();
  };

  const ask = (text: string) => {
    const asked = text.trim();
    const [broken] = validateUrl(asked);
    setUrl(asked);
    setError(broken && violationText(broken));
    if (broken) {
      probe.reset();
    } else {
      probe.ask(asked);
    }
  };

  const advance = async () => {
    if (state.step !== "found") {
      if (state.step !== "asking") {
        ask(url);
      }
      return;
    }
    if (await theTray.getState().addUrl(owner, state.url, state.found)) {
      change("");
      onTaken();
    } else {
      setError(t("refusals.full", { count: MAX_ITEMS }));
    }
  };

  return {
    url,
    found: state.step === "found",
    ask,
    advance: () => void advance(),
    tab: { url, error, state, onUrl: change, onAsk: ask, onCancel: probe.reset },
  };
}
