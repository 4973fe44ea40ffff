import type { Log } from '../../log';
import type { Postgres } from './types';

/**
 * Has somebody look for work: now, at every notification of a channel, and every `pollEvery` milliseconds, which finds what was notified while nobody heard it.
 * They look once more when the channel is heard, for what came in while it was being connected to. Returns the way to stop.
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
      // The poll finds everything, only later.
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
