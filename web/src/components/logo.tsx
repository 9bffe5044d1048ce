/** The logo: a voice that turns into lines of text. */
import drawing from "@/drawings/mark.svg?raw";
import { cx } from "@/lib/class-names";

/** The drawing alone, the same as on the public pages. Its wrapper has no box, so classes size the drawing itself. */
export function Logo({ className }: { className?: string }) {
  const svg = drawing.replace("<svg", `<svg class="${cx("w-auto", className)}"`);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of our own, compiled in.
  return <span className="contents" dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** Logo and name. The name is the same in every language. */
export function LogoWithName({ className }: { className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2.5 font-serif text-xl leading-none font-strong", className)}>
      <Logo className="h-[0.95em] translate-y-[0.04em]" />
      Slovo
    </span>
  );
}
