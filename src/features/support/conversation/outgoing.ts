import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import type { Outgoing, OutgoingStore } from './outgoingStore';

type Environment = {
  readonly stored: OutgoingStore;
  /** Resolves to null once the message is stored. Rejects if the file cannot be read. */
  readonly send: (entry: Outgoing, file: File | undefined) => Promise<ApiFailure | null>;
  readonly setTimer: (run: () => void, ms: number) => () => void;
};

/** The same attempt may succeed later: the server was not reached, is busy, or the person has to sign in again. */
const mayRetry = (failure: ApiFailure): boolean => isPassing(failure) || failure.kind === 'timeout' || failure.status === 401 || failure.status === 429;

/** Times before the next attempts, in milliseconds. */
const pauses = [1000, 2000, 5000, 10_000, 20_000];

/** The messages themselves, stored with every change, and those who watch them. */
function makeEntries(stored: OutgoingStore) {
  const listeners = new Set<() => void>();
  let entries: readonly Outgoing[] = [];
  const put = (next: readonly Outgoing[]): void => {
    entries = next;
    Array.from(listeners).forEach((onChange) => onChange());
  };
  return {
    all: () => entries,
    subscribe(onChange: () => void): () => void {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    add(entry: Outgoing): void {
      stored.write(entry);
      put([...entries, entry]);
    },
    change(clientId: string, values: Partial<Outgoing>): void {
      const before = entries.find((one) => one.clientId === clientId);
      if (!before) return;
      const next = { ...before, ...values };
      stored.write(next);
      put(entries.map((one) => (one === before ? next : one)));
    },
    forget: (clientId: string): void => put(entries.filter((one) => one.clientId !== clientId)),
    /** Reads what an earlier page left behind. A file that was not uploaded is gone with its tab. */
    restore(): void {
      const known = new Set(entries.map(({ clientId }) => clientId));
      const left = stored.read().filter(({ clientId }) => !known.has(clientId));
      put([...left.map((one): Outgoing => ({ ...one, state: one.file ? 'lost' : one.state === 'failed' ? 'failed' : 'waiting' })), ...entries]);
    },
  };
}

/**
 * Messages on their way to the server, of all conversations of one person. They are stored in the browser until the server acknowledges them, so that a
 * closed tab loses none. Within a conversation they are sent one after the other, in their order.
 */
export function makeOutgoing({ stored, send, setTimer }: Environment) {
  const entries = makeEntries(stored);
  const files = new Map<string, File>();
  const busy = new Set<string>();
  const attempts = new Map<string, number>();
  let cancelTimer: (() => void) | null = null;
  let stopped = false;

  const forget = (clientId: string): void => {
    files.delete(clientId);
    attempts.delete(clientId);
    entries.forget(clientId);
  };
  const remove = (clientId: string): void => {
    stored.remove(clientId);
    forget(clientId);
  };

  async function attempt(entry: Outgoing): Promise<void> {
    busy.add(entry.conversation);
    entries.change(entry.clientId, { state: 'sending' });
    let failure: ApiFailure | null | 'unreadable';
    try {
      failure = await send(entry, files.get(entry.clientId));
    } catch {
      failure = 'unreadable';
    }
    busy.delete(entry.conversation);
    if (failure === null) remove(entry.clientId);
    else if (failure === 'unreadable') entries.change(entry.clientId, { state: entry.file ? 'lost' : 'failed' });
    else if (mayRetry(failure)) {
      if (stopped) return;
      const count = (attempts.get(entry.clientId) ?? 0) + 1;
      attempts.set(entry.clientId, count);
      entries.change(entry.clientId, { state: 'waiting' });
      cancelTimer?.();
      cancelTimer = setTimer(run, pauses[Math.min(count, pauses.length) - 1] ?? 20_000);
      return;
    } else entries.change(entry.clientId, { state: 'failed', reason: failure.message });
    run();
  }

  function run(): void {
    if (stopped) return;
    const first = new Map<string, Outgoing>();
    for (const entry of entries.all())
      if ((entry.state === 'sending' || entry.state === 'waiting') && !first.has(entry.conversation)) first.set(entry.conversation, entry);
    for (const entry of first.values()) if (!busy.has(entry.conversation)) void attempt(entry);
  }

  return {
    entries: entries.all,
    subscribe: entries.subscribe,
    add(message: Omit<Outgoing, 'state' | 'file'>, file?: File): void {
      const entry: Outgoing = { ...message, state: 'sending', ...(file && { file: { name: file.name, bytes: file.size } }) };
      if (file) files.set(entry.clientId, file);
      entries.add(entry);
      run();
    },
    retry(clientId: string): void {
      attempts.delete(clientId);
      entries.change(clientId, { state: 'sending' });
      run();
    },
    remove,
    /** Another tab has sent or discarded the message. */
    forget,
    /** Sends what is left now: the network is back. */
    resume: run,
    /** Sends what an earlier page left behind. */
    restore(): void {
      entries.restore();
      run();
    },
    /** The person has signed out, or somebody else has signed in: what is left stays stored and is sent when they return. */
    stop(): void {
      stopped = true;
      cancelTimer?.();
    },
  };
}

export type OutgoingQueue = ReturnType<typeof makeOutgoing>;
