import type { Context } from '../context';
import { wakeOn } from '../stores/postgres/wakeOn';

/** One attempt to send a message. Resolves to the time of the next attempt (epoch ms), null if there is none. Never rejects. */
export type Attempt = () => Promise<number | null>;

export type SenderOptions = {
  /** The channel that is notified when a message is committed. */
  readonly channel: string;
  /** Maximum number of concurrent attempts in this process. */
  readonly atOnce: number;
  /** In milliseconds: how often the outbox is checked without a notification. */
  readonly pollEvery: number;
  /** In milliseconds: time that running attempts have when the sender is closed. */
  readonly graceFor: number;
  /**
   * Leases due messages and starts an attempt for each, at most `capacity()` of them, which is 0 once the sender stops. It also determines the order of
   * messages to one destination. Resolves to whether anything was leased.
   */
  readonly takeDue: (capacity: () => number, start: (attempt: Attempt) => void) => Promise<boolean>;
};

export type Sender = {
  readonly isStopping: () => boolean;
  /** Aborts at the end of the grace period. */
  readonly cut: AbortSignal;
  /** Leases nothing more, and waits for running attempts until the grace period ends. */
  readonly close: () => Promise<void>;
};

/** Later attempts are found by polling. */
const longestAlarm = 60_000;

/**
 * Sends the messages of an outbox until it is closed: woken by each commit, at the time of the next attempt and by polling. Several processes may run it,
 * because messages are leased. If a process dies between sending a message and recording it, the message is sent twice with the same id; it is never lost.
 */
export function startSender(ctx: Pick<Context, 'postgres' | 'log' | 'now'>, { channel, atOnce, pollEvery, graceFor, takeDue }: SenderOptions): Sender {
  const running = new Set<Promise<void>>();
  const cut = new AbortController();
  let stopping = false;
  let currentPass: Promise<void> = Promise.resolve();
  let queued = false;
  let alarm: { readonly at: number; readonly timer: NodeJS.Timeout } | null = null;
  const capacity = (): number => (stopping ? 0 : atOnce - running.size);

  async function settle(attempt: Attempt): Promise<void> {
    const nextAt = await attempt();
    if (nextAt !== null) wakeAt(nextAt);
  }
  function start(attempt: Attempt): void {
    const work = settle(attempt).finally(() => {
      running.delete(work);
      wake();
    });
    running.add(work);
  }
  async function pass(): Promise<void> {
    queued = false;
    while (capacity() > 0 && (await takeDue(capacity, start)));
  }
  function wake(): void {
    if (stopping || queued) return;
    queued = true;
    // One pass at a time; one more is queued behind it, because a message may have arrived in the meantime.
    currentPass = currentPass.then(pass).catch((error: unknown) => ctx.log.warn('An outbox could not be looked at', { channel, error }));
  }
  function wakeAt(at: number): void {
    if (stopping || (alarm && alarm.at <= at)) return;
    if (alarm) clearTimeout(alarm.timer);
    if (at - ctx.now() > longestAlarm) return;
    const ring = (): void => {
      alarm = null;
      wake();
    };
    alarm = { at, timer: setTimeout(ring, Math.max(50, at - ctx.now() + 10)) };
  }
  const stopWaking = wakeOn(ctx, channel, pollEvery, wake);

  return {
    isStopping: () => stopping,
    cut: cut.signal,
    async close() {
      stopping = true;
      if (alarm) clearTimeout(alarm.timer);
      await stopWaking();
      await currentPass;
      const timer = setTimeout(() => cut.abort(), graceFor);
      await Promise.allSettled(running);
      clearTimeout(timer);
    },
  };
}
