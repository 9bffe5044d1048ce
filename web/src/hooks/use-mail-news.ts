import { useQuery } from "@tanstack/react-query";
import { authOptionsQuery } from "@/api";
import { toast } from "@/lib/toast";

interface MailNews {
  sent: string;
  /** Mail is not set up: the letter stays on the server, where only who looks after it can read it. */
  kept: string;
  unsent: string;
}

/** Says what became of a letter to somebody else: whether the server could send it, and whether it has left the server at all. */
export function useMailNews(): (mailed: boolean, news: MailNews) => void {
  const { data: options } = useQuery(authOptionsQuery());
  return (mailed, { sent, kept, unsent }) => {
    if (!mailed) toast.error(unsent);
    else if (options?.mail === false) toast.notice(kept);
    else toast.success(sent);
  };
}
