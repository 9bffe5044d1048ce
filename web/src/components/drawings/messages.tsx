/** No messages: an open envelope with nothing in it. */
import { Accent, Drawing } from "./drawing";

export function NoMessages({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <path d="M44 48v46a5 5 0 0 0 5 5h102a5 5 0 0 0 5-5V48" />
      <path d="M44 48l56-36 56 36" />
      <path d="M46 96l40-30M154 96l-40-30" />
      <path d="M44 48l56 38 56-38" />
      <Accent>
        <path d="M84 44h32" strokeDasharray="1 7" />
      </Accent>
    </Drawing>
  );
}
