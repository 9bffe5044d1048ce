/** Step 1: selects recordings from the device, from the web, or recorded here. */
import { type ReactNode, type RefObject, Suspense, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { TabList, TabPanel, Tabs } from "@/components/tabs";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { useTabInUrl } from "@/lib/history";
import { nothingChosen, type Source, validateUrl } from "@/rules";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import { currentHandoff } from "../handoff";
import { UrlTab, VoiceTab } from "../parts";
import { parseSource } from "../source";
import { type FileItem, isLive, type Recording, type RefusedRecording } from "../tray-model";
import { uploadTray } from "../upload-tray";
import { useRecordingsOnTrays } from "../use-recordings-on-trays";
import { useSources } from "../use-sources";
import { FileTab } from "./file-tab";
import { UrlSkeleton, VoiceSkeleton } from "./skeletons";
import { UploadProblems } from "./upload-problems";
import { usePaste } from "./use-paste";
import { useProbe } from "./use-probe";
import { useRefusalText } from "./use-refusal-text";

const TAB = "mt-5 flex flex-1 flex-col outline-offset-4 not-data-open:hidden";

interface SelectStepProps {
  owner: string;
  heading: RefObject<HTMLHeadingElement | null>;
  refusals: readonly RefusedRecording[];
  failed: readonly FileItem[];
  /** The recordings already on the tray when more are added; null if there are none. */
  chosen: ReactNode;
  onFiles: (files: readonly File[]) => void;
  onDismiss: () => void;
  /** A URL or voice recording that could not be added to the tray. */
  onRefused: (refusal: RefusedRecording) => void;
  /** Called when the reader continues with the recordings on the tray. */
  onContinue: () => void;
}

export function SelectStep(props: SelectStepProps) {
  const { owner, heading, failed, chosen, onFiles, onRefused, onContinue } = props;
  const { t } = useTranslation(["upload", "rules"]);
  const violationText = useViolationText();
  const sources = useSources();
  const [requestedSource, openSource] = useTabInUrl(parseSource, (next) => (next === "file" ? {} : { source: next }));
  const source = sources.includes(requestedSource) ? requestedSource : "file";
  const [missing, setMissing] = useState<BrokenRule | null>(null);
  const address = useAddress(owner, onContinue);
  const [spoken, setSpoken] = useState(false);
  const taken = useRecordingsOnTrays(owner);
  const [visited, setVisited] = useState<readonly Source[]>([source]);

  const open = (next: Source) => {
    setMissing(null);
    setVisited((before) => [...before, next]);
    openSource(next);
  };

  const probeHandedUrl = useEffectEvent(() => {
    const url = currentHandoff().url;
    if (url !== null) address.ask(url);
  });
  useEffect(() => probeHandedUrl(), []);

  usePaste({
    onFiles,
    onUrl: (url) => {
      if (!sources.includes("url")) return;
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
      const started = source === "file" ? failed.length > 0 : spoken;
      setMissing(nothingChosen(source, started)[0] ?? null);
    }
  };

  const hasRoom = (name: string): boolean => {
    const room = uploadTray.getState().items.filter(isLive).length < MAX_OPEN_UPLOADS;
    if (!room) {
      onRefused({ name, reason: "full" });
    }
    return room;
  };

  const takeRecording = async (recording: Recording) => {
    const reason = await uploadTray.getState().addRecording(owner, recording);
    if (reason) {
      // The tray filled up while the rest was being uploaded: the recording is on the server.
      onRefused({ name: recording.filename, reason });
    } else {
      onContinue();
    }
    return reason === null;
  };

  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        {t("steps.select")}
      </h2>
      <UploadProblems
        missing={missing && violationText(missing)}
        refusals={props.refusals}
        failed={failed}
        onDismiss={() => {
          setMissing(null);
          props.onDismiss();
        }}
      />
      <Tabs value={source} onValueChange={open} className="flex flex-1 flex-col">
        <TabList
          label={t("sources")}
          tabs={sources.map((value) => ({ value, label: t(`rules:source.${value}`) }))}
          className="flex gap-6 border-b-2 border-ink sm:gap-8"
          tabClassName="-mb-[2px] min-h-11 border-b-[4px] border-transparent pt-1 -outline-offset-2 transition-colors not-aria-selected:text-ink-soft hover:text-ink aria-selected:border-accent aria-selected:font-strong"
        />
        <TabPanel value="file" className={TAB}>
          <FileTab onFiles={onFiles} />
        </TabPanel>
        {/* Stays mounted while another tab is open, to keep unfinished input. */}
        <TabPanel value="url" keep={visited.includes("url")} className={TAB}>
          <Suspense fallback={<UrlSkeleton />}>
            <UrlTab {...address.tab} />
          </Suspense>
        </TabPanel>
        {/* Stays mounted for unfinished recordings too; the microphone is not requested before the tab was opened. */}
        <TabPanel value="voice" keep={visited.includes("voice")} className={TAB}>
          <Suspense fallback={<VoiceSkeleton />}>
            <VoiceTab owner={owner} onUse={takeRecording} onInHand={setSpoken} hasRoom={hasRoom} taken={taken} />
          </Suspense>
        </TabPanel>
      </Tabs>
      {chosen}
      <div className="sticky bottom-0 z-10 -mx-4 mt-auto flex justify-end border-t border-rule bg-paper px-4 py-3 md:mx-0 md:px-0">
        <Button look={chosen || address.found ? "primary" : "outline"} onClick={advance}>
          {t("actions.continue")}
        </Button>
      </div>
    </>
  );
}

/** The URL in the field, from the first character until it is on the tray. */
function useAddress(owner: string, onTaken: () => void) {
  const violationText = useViolationText();
  const refusalText = useRefusalText();
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
    const trimmed = text.trim();
    const [broken] = validateUrl(trimmed);
    setUrl(trimmed);
    setError(broken && violationText(broken));
    if (broken) {
      probe.reset();
    } else {
      probe.ask(trimmed);
    }
  };

  const advance = async () => {
    if (state.step !== "found") {
      if (state.step !== "asking") {
        ask(url);
      }
      return;
    }
    const reason = await uploadTray.getState().addUrl(owner, state.url, state.found);
    if (reason) {
      setError(refusalText({ name: state.url, reason }));
    } else {
      change("");
      onTaken();
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
