import { useQuery } from "@tanstack/react-query";
import { authOptionsQuery } from "@/api";
import { toast } from "@/lib/toast";

interface MailTexts {
  sent: string;
  /** Mail is not configured: the mail stays on the server, where only its operator can read it. */
  kept: string;
  unsent: string;
}

/** Reports what happened to a mail to another person: whether it was sent, failed, or stayed on the server. */
export function useMailResult(): (mailed: boolean, news: MailTexts) => void {
  const { data: options } = useQuery(authOptionsQuery());
  return (mailed, { sent, kept, unsent }) => {
    if (!mailed) toast.error(unsent);
    else if (options?.mail === false) toast.notice(kept);
    else toast.success(sent);
  };
}
