/** A message that the server has not acknowledged yet. `clientId` is repeated with every attempt, so that it is stored once. */
export type Outgoing = {
  readonly clientId: string;
  readonly siteId: string;
  readonly conversation: string;
  readonly kind: 'text' | 'note';
  readonly body: string;
  /** When it was written, in epoch ms. */
  readonly at: number;
  /** `waiting`: the server was not reached, and the next attempt follows by itself. `failed`: the server refused it. `lost`: its file cannot be read any more. */
  readonly state: 'sending' | 'waiting' | 'failed' | 'lost';
  /** Why it failed, in the reader's language. */
  readonly reason?: string;
  /** The last place of the conversation that was on the screen. */
  readonly readSeq?: number;
  /** The canned reply that it began with. */
  readonly cannedId?: string;
  /** A file that is uploaded with the message; it does not survive a closed tab. */
  readonly file?: { readonly name: string; readonly bytes: number };
};

/** Milliseconds after which an unsent message is forgotten. */
const maxAgeMs = 14 * 24 * 3600 * 1000;

function parse(text: string | null): Outgoing | null {
  try {
    return JSON.parse(text ?? 'null') as Outgoing | null;
  } catch {
    return null;
  }
}

/**
 * Unsent messages in the browser, each under a name of its own that begins with `prefix`: tabs of the same person do not overwrite each other's. Without storage
 * the queue lasts as long as the tab.
 */
export function makeOutgoingStore(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | null, prefix: string) {
  const remove = (clientId: string): void => storage?.removeItem(prefix + clientId);
  return {
    write(entry: Outgoing): void {
      try {
        storage?.setItem(prefix + entry.clientId, JSON.stringify(entry));
      } catch {
        // Full or blocked: the queue lasts as long as the tab.
      }
    },
    remove,
    /** All of them, the oldest first. */
    read(): Outgoing[] {
      const names = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? '').filter((name) => name.startsWith(prefix));
      const found = names.flatMap((name) => parse(storage?.getItem(name) ?? null) ?? []);
      const isOld = ({ at }: Outgoing): boolean => Date.now() - at > maxAgeMs;
      for (const one of found.filter(isOld)) remove(one.clientId);
      return found.filter((one) => !isOld(one)).toSorted((a, b) => a.at - b.at);
    },
  };
}

export type OutgoingStore = ReturnType<typeof makeOutgoingStore>;
