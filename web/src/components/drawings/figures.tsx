/** No figures: a chart whose bars and line are yet to be drawn. */
import { Accent, Drawing } from "./drawing";

export function NoFigures({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M28 98h144" />
      <path d="M28 98V18" />
      <path d="M52 98V74M78 98V66M104 98V80M130 98V60M156 98V70" strokeDasharray="4 5" />
      <Accent>
        <path d="M44 52c16-10 26 6 42-4s24-18 40-12 24-12 40-14" strokeDasharray="1 7" />
      </Accent>
    </Drawing>
  );
}
