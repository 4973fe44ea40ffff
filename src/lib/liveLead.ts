import type { LiveEnvironment } from './liveEnvironment';

export type LiveLead = {
  readonly isLeading: () => boolean;
  /** Queues for the lead and monitors the current leader. */
  readonly queue: (force?: boolean) => void;
  /** Leads at once: there are no other tabs. */
  readonly leadAlone: () => void;
  /** The leader is alive. */
  readonly noteReply: () => void;
  readonly leave: () => void;
};

type LeadParts = {
  readonly onLead: () => void;
  /** Another tab has taken over by force. */
  readonly onLost: () => void;
  /** Asks the leader whether it is alive; it answers by `noteReply`. */
  readonly ping: () => void;
};

/** How often a tab pings the leader, and how long it waits for the answer, in milliseconds. */
const pingMs = 15_000;
const replyMs = 3000;

/** This tab's place in the queue of those that would lead. */
export function createLiveLead(env: Pick<LiveEnvironment, 'lead' | 'setTimer'>, { onLead, onLost, ping }: LeadParts): LiveLead {
  let leading = false;
  let stopLeading: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  let replied = true;
  /** Counts how often this tab has queued, so that the end of an earlier turn is not mistaken for that of the current one. */
  let turn = 0;

  const queue = (force = false): void => {
    const stop = new AbortController();
    const mine = (turn += 1);
    stopLeading = () => stop.abort();
    const takeOver = (): Promise<void> => {
      if (mine !== turn) return Promise.resolve();
      leading = true;
      cancelWatch?.();
      onLead();
      return new Promise((resolve) => {
        stopLeading = resolve;
      });
    };
    const lost = (): void => {
      if (!leading || mine !== turn) return;
      leading = false;
      onLost();
    };
    env.lead?.(takeOver, { stop: stop.signal, force, lost });
    if (!leading) watch();
  };

  function watch(): void {
    cancelWatch = env.setTimer(() => {
      replied = false;
      ping();
      cancelWatch = env.setTimer(() => {
        if (replied) return watch();
        stopLeading?.();
        queue(true);
      }, replyMs);
    }, pingMs);
  }

  return {
    isLeading: () => leading,
    queue,
    leadAlone: () => void (leading = true),
    noteReply: () => void (replied = true),
    leave() {
      cancelWatch?.();
      leading = false;
      turn += 1;
      stopLeading?.();
      stopLeading = null;
    },
  };
}
