/** No visits: a chart whose bars and line are yet to be drawn. */
import { Accent, Drawing } from "./drawing";

export function NoVisits({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M28 98h144" />
      <path d="M28 98V18" />
      <path d="M52 98V82M78 98V90M104 98V86M130 98V92" strokeDasharray="2 6" />
      <Accent>
        <path d="M44 70c16-10 26 6 42-4s24-18 40-12 24-14 40-16" strokeDasharray="1 7" />
      </Accent>
    </Drawing>
  );
}
