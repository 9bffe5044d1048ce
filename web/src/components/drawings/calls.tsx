/** No calls: two programs, and a plug that is not in its socket. */
import { Accent, Drawing, Words } from "./drawing";

export function NoCalls({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <rect x="16" y="30" width="52" height="52" rx="6" />
      <Words x={30} y={48} widths={[24]} />
      <Words x={30} y={64} widths={[10]} />
      <rect x="148" y="30" width="36" height="52" rx="6" />
      <path d="M68 56h20" />
      <Accent>
        <path d="M88 46h8a10 10 0 0 1 0 20h-8z" />
        <path d="M106 51h8M106 61h8" />
      </Accent>
      <path d="M134 44h14M134 44v24h14" />
    </Drawing>
  );
}
