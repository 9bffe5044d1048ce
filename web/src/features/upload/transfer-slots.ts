/** Limits concurrent uploads; the others queue. */

export interface TransferSlots {
  /** Calls `onTurn` once a slot is free. The idempotent return value frees the slot or leaves the queue. */
  ask: (onTurn: () => void) => () => void;
}

/** At most `places` uploads at once, in FIFO order. */
export function createTransferSlots(places: number): TransferSlots {
  const busy = new Set<symbol>();
  const line = new Map<symbol, () => void>();
  const advance = () => {
    for (const [ticket, onTurn] of line) {
      if (busy.size >= places) {
        return;
      }
      line.delete(ticket);
      busy.add(ticket);
      onTurn();
    }
  };
  return {
    ask: (onTurn) => {
      const ticket = Symbol("a place");
      line.set(ticket, onTurn);
      advance();
      return () => {
        line.delete(ticket);
        if (busy.delete(ticket)) {
          advance();
        }
      };
    },
  };
}
