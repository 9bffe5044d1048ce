/**
 * Renders untrusted Markdown from a model, which speakers in the recording may have influenced: HTML is shown as text,
 * images are not loaded, and links lead only to the web or to mail. Time codes play their position.
 */
import { memo } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components, defaultUrlTransform } from "react-markdown";
import remarkGfm from "remark-gfm";
import { cx } from "@/lib/class-names";
import { TimeButton } from "./analysis/time-button";
import { secondsOfLink, timeCodes } from "./time-codes";

interface SafeMarkdownProps {
  text: string;
  /** Plays from a time code; without it time codes are plain text. */
  onPlay?: ((seconds: number) => void) | undefined;
  className?: string;
}

const PLUGINS = [remarkGfm];
const PLUGINS_WITH_TIMES = [remarkGfm, timeCodes];

const LOOK =
  "flex flex-col gap-3 leading-relaxed wrap-anywhere [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-2 [&_blockquote]:border-l-2 [&_blockquote]:border-rule-strong [&_blockquote]:pl-3 [&_blockquote]:text-ink-soft [&_code]:figures [&_code]:rounded-sm [&_code]:bg-paper-sunk [&_code]:px-1 [&_code]:text-[0.875em] [&_hr]:border-rule [&_li]:my-1 [&_ol]:list-decimal [&_ol]:pl-6 [&_pre]:overflow-x-auto [&_pre]:rounded [&_pre]:bg-paper-sunk [&_pre]:p-3 [&_strong]:font-strong [&_ul]:list-disc [&_ul]:pl-6 [&_.contains-task-list]:list-none [&_.contains-task-list]:pl-1";

export const SafeMarkdown = memo(function SafeMarkdown({ text, onPlay, className }: SafeMarkdownProps) {
  const { t } = useTranslation("analysis");
  const components: Components = {
    // The page has its own headings above these.
    h1: Heading,
    h2: Heading,
    h3: Heading,
    h4: Heading,
    h5: Heading,
    h6: Heading,
    img: ({ alt }) => <span className="text-ink-faint">[{t("prompt.image", { text: alt || "…" })}]</span>,
    input: ({ checked }) => <span aria-hidden="true">{checked ? "☑" : "☐"} </span>,
    table: ({ children }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide one is scrolled by the keyboard
      <div tabIndex={0} className="overflow-x-auto">
        <table className="text-sm wrap-break-word [&_td]:border-b [&_td]:border-rule [&_td]:px-2 [&_td]:py-1.5 [&_td]:align-top [&_th]:border-b [&_th]:border-rule-strong [&_th]:px-2 [&_th]:py-1.5 [&_th]:text-left">
          {children}
        </table>
      </div>
    ),
    a: ({ href, children }) => {
      const seconds = onPlay && secondsOfLink(href);
      if (onPlay && seconds != null) {
        return <TimeButton at={seconds} onPlay={onPlay} className="-mx-1 -my-1 align-baseline text-accent" />;
      }
      return href && /^(https?|mailto):/i.test(href) ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      ) : (
        <span>{children}</span>
      );
    },
  };
  return (
    <div data-testid="markdown" className={cx(LOOK, className)}>
      <ReactMarkdown
        remarkPlugins={onPlay ? PLUGINS_WITH_TIMES : PLUGINS}
        urlTransform={(url) => (secondsOfLink(url) === null ? defaultUrlTransform(url) : url)}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

function Heading({ children }: { children?: React.ReactNode }) {
  return <h5 className="headline mt-2 text-lg first:mt-0">{children}</h5>;
}
