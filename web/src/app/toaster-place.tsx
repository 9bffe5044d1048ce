import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { showToastsWith } from "@/lib/toast";

export function ToasterPlace({ label }: { label: string }) {
  // After the toaster itself has subscribed: it does not get earlier messages.
  useEffect(() => showToastsWith(toast), []);
  return (
    <Toaster
      containerAriaLabel={label}
      position="top-center"
      visibleToasts={4}
      offset={64}
      // Below the header and a toolbar.
      mobileOffset={{ top: 112, left: 16, right: 16 }}
    />
  );
}
