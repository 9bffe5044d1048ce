/** A recording on the web: the server probes the URL before it is added. */
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Info, Search, X } from "lucide-react";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { classifyUrl } from "@/rules";
import { SourceMark } from "../source-mark";
import { UrlPreview } from "./url-preview";
import type { ProbeState } from "./use-probe";
import { useProbeErrorText } from "./use-probe-error-text";

interface UrlTabProps {
  url: string;
  /** The message for violations of the rules. */
  error: string | undefined;
  state: ProbeState;
  onUrl: (url: string) => void;
  /** Probes the URL; called by the button, by Enter, or after a paste. */
  onAsk: (url: string) => void;
  onCancel: () => void;
}

export function UrlTab({ url, error, state, onUrl, onAsk, onCancel }: UrlTabProps) {
  const { t } = useTranslation(["upload", "common"]);
  const probeErrorText = useProbeErrorText();
  const { data: capabilities } = useQuery(capabilitiesQuery());
  const pages = capabilities?.media_pages;
  const youtube = pages === true && classifyUrl(url)?.kind === "youtube";
  const asking = state.step === "asking";
  return (
    <div className="flex flex-1 flex-col gap-4">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onAsk(url);
        }}
      >
        <Field label={t("url.label")} hint={t(pages ? "url.hint" : "url.hint_files")} error={error}>
          {(wiring) => (
            <div className="flex flex-wrap gap-2">
              <div className="relative min-w-0 grow basis-72">
                {youtube && (
                  <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-ink-soft">
                    <SourceMark of="youtube" />
                  </span>
                )}
                <TextInput
                  {...wiring}
                  type="url"
                  name="url"
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="https://"
                  value={url}
                  className={youtube ? "pl-10" : ""}
                  onChange={(event) => onUrl(event.currentTarget.value)}
                  onPaste={(event) => {
                    const pasted = event.clipboardData.getData("text/plain").trim();
                    if (classifyUrl(pasted) !== undefined) {
                      event.preventDefault();
                      onAsk(pasted);
                    }
                  }}
                />
              </div>
              {/* One button for both, so that the focus stays; Enter in the field asks as well. */}
              <Button onClick={() => (asking ? onCancel() : onAsk(url))}>
                {asking ? <X aria-hidden="true" /> : <Search aria-hidden="true" />}
                {asking ? t("common:actions.cancel") : t("url.check")}
              </Button>
            </div>
          )}
        </Field>
      </form>
      {pages === false && <NoPages />}
      <div>
        <div aria-live="polite">
          {asking && <UrlPreview found={null} url={state.url} />}
          {state.step === "found" && <UrlPreview found={state.found} url={state.url} />}
        </div>
        {state.step === "failed" && (
          <div role="alert" className="flex gap-3 rounded-lg border border-bad bg-bad-wash px-4 py-3">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
            <p className="min-w-0">{probeErrorText(state.error)}</p>
          </div>
        )}
      </div>
    </div>
  );
}

const INSTALLATION = "https://github.com/yt-dlp/yt-dlp/wiki/Installation";

function Installation({ children }: { children?: ReactNode }) {
  return (
    <a href={INSTALLATION} target="_blank" rel="noopener noreferrer" className="text-accent underline underline-offset-4">
      {children}
    </a>
  );
}

/** Shown as soon as it is known, before the reader waits for an answer; administrators get instructions. */
function NoPages() {
  const { t } = useTranslation("upload");
  const admin = useUser()?.role === "admin";
  return (
    <div className="flex gap-2 text-sm text-ink-soft">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="flex max-w-[75ch] flex-col gap-1">
        <p>{t("url.no_pages")}</p>
        {admin && (
          <p>
            <Trans
              t={t}
              i18nKey="url.no_pages_way"
              components={{
                way: <Installation />,
              }}
            />
          </p>
        )}
      </div>
    </div>
  );
}
