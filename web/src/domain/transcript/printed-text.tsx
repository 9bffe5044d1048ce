/**
 * The whole text for a printer. The views keep only the rows near the window on the page, so this is made when printing
 * begins and removed when it ends.
 */
import { Fragment, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { formatClock } from "@/lib/format";
import { langOf } from "./languages";
import { keyOf, type SpokenSegment } from "./model";
import { type NamedSpeaker, namesOf } from "./speakers";
import { turnsOf } from "./turns";
import "./printed-text.css";

interface PrintedTextProps {
  title: string;
  language: string;
  /** The content, requested when printing begins: edits cause no render here. */
  read: () => { segments: readonly SpokenSegment[]; speakers: readonly NamedSpeaker[] };
}

export function PrintedText(props: PrintedTextProps) {
  const printing = usePrinting();
  return printing && createPortal(<Paper {...props} />, document.body);
}

function Paper({ title, language, read }: PrintedTextProps) {
  const { segments, speakers } = read();
  const names = namesOf(speakers);
  return (
    <article className="printed-text" lang={language}>
      <h1>{title}</h1>
      {turnsOf(segments, Number.POSITIVE_INFINITY).map(({ speaker, from, to }) => (
        <section key={keyOf(segments[from] as SpokenSegment, from)}>
          <h2>
            {speaker && <span>{names.get(speaker) ?? speaker}</span>}
            <time>{formatClock(segments[from]?.start ?? 0)}</time>
          </h2>
          <p>
            {segments.slice(from, to).map((segment, at) => (
              <Fragment key={keyOf(segment, from + at)}>
                {at > 0 && " "}
                {inLanguage(segment.text.trim(), langOf(segment, language))}
              </Fragment>
            ))}
          </p>
        </section>
      ))}
    </article>
  );
}

const inLanguage = (text: string, lang: string | undefined) => (lang === undefined ? text : <span lang={lang}>{text}</span>);

/** Whether the browser is printing. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes the page as it is when this event's listeners return.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}
