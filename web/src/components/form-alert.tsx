/** An error of the form as a whole. */
import { CircleAlert } from "lucide-react";

export function FormAlert({ text }: { text: string | null }) {
  return (
    <div role="alert" className="not-has-[p]:-mb-5">
      {text && (
        <p className="flex items-start gap-2.5 rounded bg-bad-wash px-3.5 py-3 text-[0.9375rem] text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
          {text}
        </p>
      )}
    </div>
  );
}
