import { LiveEvent } from '../../contract/live/schemas';
import type { Log } from '../log';
import type { Postgres } from '../stores/postgres/types';

/** Publishes changes to every process. Events contain ids, never data. */
export type LiveBus = {
  readonly publish: (event: LiveEvent) => void;
  /** Receives every event of every process, including this one. Returns a function that unsubscribes. */
  readonly subscribe: (receive: (event: LiveEvent) => void) => () => void;
  readonly close: () => Promise<void>;
};

const channel = 'live';
/** PostgreSQL rejects payloads of 8 000 bytes and more. */
const largestPayload = 7900;

/**
 * A bus over NOTIFY, which reaches any number of processes. An event published while PostgreSQL is unavailable is lost, which is acceptable: clients fetch
 * again when their stream reconnects.
 */
export async function openLiveBus(postgres: Postgres, log: Log): Promise<LiveBus> {
  const listeners = new Set<(event: LiveEvent) => void>();

  const receive = (payload: string): void => {
    const parsed = LiveEvent.safeParse(safeJson(payload));
    if (!parsed.success) return log.warn('A live event of unknown shape was dropped', { bytes: payload.length });
    for (const listener of listeners) {
      try {
        listener(parsed.data);
      } catch (error) {
        log.error('A listener of live events failed', { error });
      }
    }
  };
  const stop = await postgres.listen(channel, receive);

  /** Payloads queued while others are being sent: under load many are sent in one statement. */
  let waiting: string[] = [];
  let sending = false;
  async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    while (waiting.length > 0) {
      const some = waiting;
      waiting = [];
      await postgres.notify(channel, ...some).catch((error: unknown) => log.warn('Live events could not be sent', { events: some.length, error }));
    }
    sending = false;
  }

  return {
    publish(event) {
      const payload = JSON.stringify(event);
      if (Buffer.byteLength(payload) > largestPayload) return log.error('A live event is too large to be sent', { type: event.type });
      waiting.push(payload);
      void send();
    },
    subscribe(listener) {
      // Wrapped, so that the same function can be subscribed twice.
      const own = (event: LiveEvent): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    async close() {
      listeners.clear();
      await stop();
    },
  };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
