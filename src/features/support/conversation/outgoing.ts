import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';

/** A message that the server has not acknowledged yet. `clientId` is repeated with every attempt, so that it is stored once. */
export type Outgoing = {
  readonly clientId: string;
  readonly siteId: string;
  readonly conversation: string;
  readonly kind: 'text' | 'note';
  readonly body: string;
  /** When it was written, in epoch ms. */
  readonly at: number;
  /** `waiting`: the server was not reached, and the next attempt follows by itself. `failed`: the server refused it, or the file is lost. */
  readonly state: 'sending' | 'waiting' | 'failed';
  /** Why it failed, in the reader's language. */
  readonly reason?: string;
  /** The canned reply that it began with. */
  readonly cannedId?: string;
  /** A file that is uploaded with the message; it does not survive a closed tab. */
  readonly file?: { readonly name: string; readonly bytes: number };
};

type Environment = {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  readonly key: string;
  /** Resolves to null once the message is stored. */
  readonly send: (entry: Outgoing, file: File | undefined) => Promise<ApiFailure | null>;
  readonly setTimer: (run: () => void, ms: number) => () => void;
};

/** The same attempt may succeed later: the server was not reached, is busy, or the person has to sign in again. */
const mayRetry = (failure: ApiFailure): boolean => isPassing(failure) || failure.kind === 'timeout' || failure.status === 401 || failure.status === 429;

/** Times before the next attempts, in milliseconds. */
const pauses = [1000, 2000, 5000, 10_000, 20_000];

function parse(text: string | null): Outgoing[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? (list as Outgoing[]) : [];
  } catch {
    return [];
  }
}

/**
 * Messages on their way to the server, of all conversations of one person. They are stored in the browser until the server acknowledges them, so that a
 * closed tab loses none. Within a conversation they are sent one after the other, in their order.
 */
export function makeOutgoing({ storage, key, send, setTimer }: Environment) {
  const files = new Map<string, File>();
  const listeners = new Set<() => void>();
  const busy = new Set<string>();
  const attempts = new Map<string, number>();
  let cancelTimer: (() => void) | null = null;
  let entries: readonly Outgoing[] = [];

  const put = (next: readonly Outgoing[]): void => {
    entries = next;
    try {
      if (next.length === 0) storage?.removeItem(key);
      else storage?.setItem(key, JSON.stringify(next));
    } catch {
      // Full or blocked: the queue lasts as long as the tab.
    }
    Array.from(listeners).forEach((onChange) => onChange());
  };
  const change = (clientId: string, values: Partial<Outgoing>): void => put(entries.map((one) => (one.clientId === clientId ? { ...one, ...values } : one)));
  const remove = (clientId: string): void => {
    files.delete(clientId);
    attempts.delete(clientId);
    put(entries.filter((one) => one.clientId !== clientId));
  };

  async function attempt(entry: Outgoing): Promise<void> {
    busy.add(entry.conversation);
    change(entry.clientId, { state: 'sending' });
    const failure = await send(entry, files.get(entry.clientId));
    busy.delete(entry.conversation);
    if (failure === null) {
      remove(entry.clientId);
      return run();
    }
    if (mayRetry(failure)) {
      const count = (attempts.get(entry.clientId) ?? 0) + 1;
      attempts.set(entry.clientId, count);
      change(entry.clientId, { state: 'waiting' });
      cancelTimer?.();
      cancelTimer = setTimer(run, pauses[Math.min(count, pauses.length) - 1] ?? 20_000);
      return;
    }
    change(entry.clientId, { state: 'failed', reason: failure.message });
    run();
  }

  function run(): void {
    const first = new Map<string, Outgoing>();
    for (const entry of entries) if (entry.state !== 'failed' && !first.has(entry.conversation)) first.set(entry.conversation, entry);
    for (const entry of first.values()) if (!busy.has(entry.conversation)) void attempt(entry);
  }

  return {
    entries: () => entries,
    subscribe(onChange: () => void): () => void {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    add(entry: Omit<Outgoing, 'state' | 'file'>, file?: File): void {
      if (file) files.set(entry.clientId, file);
      put([...entries, { ...entry, state: 'sending', ...(file && { file: { name: file.name, bytes: file.size } }) }]);
      run();
    },
    retry(clientId: string): void {
      attempts.delete(clientId);
      change(clientId, { state: 'sending' });
      run();
    },
    remove,
    /** Sends what is left now: the network is back, or the page has opened. */
    resume: run,
    /** Reads what an earlier page left behind. A file that was not uploaded is gone with its tab. */
    restore(lost: string): void {
      const known = new Set(entries.map(({ clientId }) => clientId));
      const stored = parse(storage?.getItem(key) ?? null).filter(({ clientId }) => !known.has(clientId));
      put([
        ...stored.map((one): Outgoing =>
          one.file ? { ...one, state: 'failed', reason: lost } : { ...one, state: one.state === 'failed' ? 'failed' : 'waiting' },
        ),
        ...entries,
      ]);
      run();
    },
  };
}

export type OutgoingQueue = ReturnType<typeof makeOutgoing>;
