import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log';

type Receive = (payload: string) => void;

export type Listener = {
  readonly listen: (channel: string, receive: Receive) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
};

/**
 * Receives NOTIFY for any number of channels over one connection, opened on first use and reopened if it breaks. Notifications sent while it is broken are
 * lost: receivers must treat a notification as a hint to look, not as data.
 */
export function makeListener(makeClient: () => pg.Client, log: Log): Listener {
  const receivers = new Map<string, Set<Receive>>();
  const ended = new AbortController();
  let connecting: Promise<pg.Client> | null = null;
  let latest: Promise<unknown> = Promise.resolve();

  /** Runs statements one after the other: a client of pg 9 does not accept a second one while another is running. */
  function run(client: pg.Client, statement: string): Promise<unknown> {
    const mine = latest.then(() => client.query(statement));
    latest = mine.catch(() => undefined);
    return mine;
  }

  const connectOnce = async (): Promise<pg.Client> => {
    const client = makeClient();
    latest = Promise.resolve();
    await client.connect();
    client.on('notification', ({ channel, payload }) => receivers.get(channel)?.forEach((receive) => receive(payload ?? '')));
    client.once('end', () => {
      connecting = null;
      if (!ended.signal.aborted && receivers.size > 0) void reconnect();
    });
    for (const channel of receivers.keys()) await run(client, `LISTEN ${pg.escapeIdentifier(channel)}`);
    return client;
  };
  const connection = (): Promise<pg.Client> => {
    connecting ??= connectOnce().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  const reconnect = async (): Promise<void> => {
    for (let wait = 100; !ended.signal.aborted && receivers.size > 0; wait = Math.min(wait * 2, 5000)) {
      try {
        await connection();
        return;
      } catch (error) {
        log.warn('cannot hear PostgreSQL notifications yet', { error: error instanceof Error ? error.message : String(error) });
        await delay(wait, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    }
  };

  return {
    listen: async (channel, receive) => {
      const existing = receivers.get(channel);
      if (existing === undefined) receivers.set(channel, new Set([receive]));
      else existing.add(receive);
      const client = await connection();
      // Repeating LISTEN is harmless, and a connection opened before this subscription does not include the channel.
      await run(client, `LISTEN ${pg.escapeIdentifier(channel)}`);
      return async () => {
        const rest = receivers.get(channel);
        rest?.delete(receive);
        if (rest?.size !== 0) return;
        receivers.delete(channel);
        const connected = await connecting;
        if (connected) await run(connected, `UNLISTEN ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    close: async () => {
      ended.abort();
      const client = await connecting?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
