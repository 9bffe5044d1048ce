/** Lets a few files be sent at a time; the others wait in line. */

export interface TransferSlots {
  /** Calls `onTurn` at once or when a place is free. The answer gives the place, or the wait, up; more than once is harmless. */
  ask: (onTurn: () => void) => () => void;
}

/** Room for `places` files at once; first come, first served. */
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
