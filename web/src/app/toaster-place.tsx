import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { showToastsWith } from "@/lib/toast";

export function ToasterPlace({ label }: { label: string }) {
  // After the place itself has begun to listen: it hears nothing of what was said before.
  useEffect(() => showToastsWith(toast), []);
  return (
    <Toaster
      containerAriaLabel={label}
      position="top-center"
      visibleToasts={4}
      offset={64}
      // Under the header and a row of tools.
      mobileOffset={{ top: 112, left: 16, right: 16 }}
    />
  );
}
