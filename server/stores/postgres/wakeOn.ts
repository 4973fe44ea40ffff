import type { Log } from '../../log';
import type { Postgres } from './types';

/**
 * Calls `wake` now, at every notification of a channel, and every `pollEvery` milliseconds, which covers lost notifications. Calls it again after subscribing,
 * for changes made while connecting. Returns a function that stops it.
 */
export function wakeOn(
  { postgres, log }: { readonly postgres: Pick<Postgres, 'listen'>; readonly log: Log },
  channel: string,
  pollEvery: number,
  wake: () => void,
): () => Promise<void> {
  let stopped = false;
  const listening = postgres
    .listen(channel, wake)
    .then((stop) => {
      if (!stopped) wake();
      return stop;
    })
    .catch((error: unknown) => {
      // Polling finds everything, only later.
      log.warn('A channel cannot be listened to', { channel, error });
      return () => Promise.resolve();
    });
  const timer = setInterval(wake, pollEvery);
  wake();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await (
      await listening
    )();
  };
}
