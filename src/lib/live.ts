import { liveCalls } from '@contract/live/calls';
import type { LiveEvent } from '@contract/live/schemas';
import { queryString } from './queryString';

/**
 * One stream of live changes per browser. The tab that holds the lock `console:live` owns the `EventSource` and forwards every event through a
 * `BroadcastChannel`; when it closes, the next tab in the queue takes over. A browser may freeze the leading tab: the others ping it periodically and
 * steal the lock if it does not answer. Without locks (plain http on another host) each tab has its own stream. `resync` is sent when events may have
 * been missed: after a reconnection, and when another tab took over.
 */
export type LiveSignal = LiveEvent | { readonly type: 'resync' };
/** Whether the stream is connected. */
export type LiveState = 'open' | 'connecting';
type Topics = readonly string[];
type Hear = (signal: LiveSignal) => void;

type Wire =
  | { readonly kind: 'signal'; readonly signal: LiveSignal }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'topics'; readonly tab: string; readonly topics: Topics }
  | { readonly kind: 'gone'; readonly tab: string }
  | { readonly kind: 'ask' | 'ping' | 'alive' };

/** What the module needs from the browser; tests provide their own. */
export type LiveEnvironment = {
  readonly openStream: (address: string) => Pick<EventSource, 'close' | 'onopen' | 'onmessage' | 'onerror' | 'readyState'>;
  readonly openChannel: () => Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'> | null;
  /**
   * Calls `whileLeading` once this tab is the leader; leadership ends when its promise settles. With `force` it takes over immediately; `lost` is
   * called when another tab did that. null if locks are unavailable.
   */
  readonly lead: ((whileLeading: () => Promise<void>, how: { readonly stop: AbortSignal; readonly force: boolean; readonly lost: () => void }) => void) | null;
  readonly setTimer: (run: () => void, ms: number) => () => void;
};

/** The server accepts at most this many topics per stream. */
const mostTopics = 50;
/** Topics are collected for this long before the stream is reopened: a screen subscribes to several at once. Milliseconds. */
const gatherMs = 50;
/** Delay before a stream that the server closed for good (401, 5xx) is retried, in milliseconds. */
const againMs = 5000;
/** How often a tab pings the leader, and how long it waits for the answer, in milliseconds. */
const pingMs = 15_000;
const answerMs = 3000;

export function makeLive(env: LiveEnvironment) {
  const tab = Math.random().toString(36).slice(2);
  const subscriptions = new Set<{ topics: Topics; hear: Hear }>();
  const others = new Map<string, Topics>();
  let channel: ReturnType<LiveEnvironment['openChannel']> = null;
  let stream: ReturnType<LiveEnvironment['openStream']> | null = null;
  let address = '';
  let leading = false;
  let stopLeading: (() => void) | null = null;
  let cancelTimer: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  let answered = true;
  /** State of the stream, whichever tab owns it. */
  let state: LiveState = 'connecting';
  const watchers = new Set<() => void>();
  /** Counts how often this tab has queued, so that the end of an earlier turn is not mistaken for that of the current one. */
  let turn = 0;

  const own = (): string[] => [...new Set([...subscriptions].flatMap((one) => one.topics))].sort();
  const send = (wire: Wire): void => channel?.postMessage(wire);

  const deliver = (signal: LiveSignal): void => {
    // A copy: callbacks may subscribe or unsubscribe.
    Array.from(subscriptions)
      .filter((one) => concerns(signal, one.topics))
      .forEach((one) => one.hear(signal));
  };
  const spread = (signal: LiveSignal): void => {
    deliver(signal);
    send({ kind: 'signal', signal });
  };

  const become = (next: LiveState): void => {
    if (next === state) return;
    state = next;
    if (leading) send({ kind: 'state', state });
    Array.from(watchers).forEach((hear) => hear());
  };

  const close = (): void => {
    stream?.close();
    stream = null;
    address = '';
    become('connecting');
  };

  const open = (): void => {
    const topics = [...new Set([...own(), ...[...others.values()].flat()])].sort().slice(0, mostTopics);
    if (!leading || topics.length === 0) return close();
    const next = `${liveCalls.stream.path}?${queryString({ topic: topics })}`;
    if (next === address && stream) return;
    close();
    address = next;
    const opened = env.openStream(next);
    stream = opened;
    opened.onopen = () => {
      if (stream === opened) become('open');
      spread({ type: 'resync' });
    };
    opened.onmessage = (event: MessageEvent<string>) => {
      const signal = parse(event.data);
      if (signal) spread(signal);
    };
    opened.onerror = () => {
      if (stream !== opened) return;
      become('connecting');
      // 0 and 1: the browser is reconnecting. 2: it has given up.
      if (opened.readyState !== 2) return;
      close();
      plan(againMs);
    };
  };

  function plan(ms = gatherMs): void {
    cancelTimer?.();
    cancelTimer = env.setTimer(open, ms);
  }

  const hearWire = (wire: Wire): void => {
    switch (wire.kind) {
      case 'signal':
        answered = true;
        return deliver(wire.signal);
      case 'state':
        return leading ? undefined : become(wire.state);
      case 'ask':
        return send({ kind: 'topics', tab, topics: own() });
      case 'ping':
        if (!leading) return;
        send({ kind: 'alive' });
        return send({ kind: 'state', state });
      case 'alive':
        answered = true;
        return;
      case 'gone':
        others.delete(wire.tab);
        return leading ? plan() : undefined;
      case 'topics':
        others.set(wire.tab, wire.topics);
        if (!leading) return;
        send({ kind: 'state', state });
        return plan();
    }
  };

  /** Queues for the lead and monitors the current leader. */
  const queue = (force = false): void => {
    const stop = new AbortController();
    const mine = (turn += 1);
    stopLeading = () => stop.abort();
    const takeOver = (): Promise<void> => {
      if (mine !== turn) return Promise.resolve();
      leading = true;
      cancelWatch?.();
      // The known state was that of the previous leader's stream.
      become('connecting');
      send({ kind: 'ask' });
      plan();
      return new Promise((resolve) => {
        stopLeading = resolve;
      });
    };
    const lost = (): void => {
      if (!leading || mine !== turn) return;
      leading = false;
      close();
      queue();
      send({ kind: 'topics', tab, topics: own() });
    };
    env.lead?.(takeOver, { stop: stop.signal, force, lost });
    if (!leading) watch();
  };

  function watch(): void {
    cancelWatch = env.setTimer(() => {
      answered = false;
      send({ kind: 'ping' });
      cancelWatch = env.setTimer(() => {
        if (answered) return watch();
        stopLeading?.();
        queue(true);
      }, answerMs);
    }, pingMs);
  }

  const begin = (): void => {
    channel = env.openChannel();
    if (channel) channel.onmessage = (event: MessageEvent<Wire>) => hearWire(event.data);
    if (!env.lead || !channel) {
      leading = true;
      return plan();
    }
    queue();
  };

  const end = (): void => {
    send({ kind: 'gone', tab });
    cancelTimer?.();
    cancelWatch?.();
    close();
    leading = false;
    turn += 1;
    stopLeading?.();
    stopLeading = null;
    channel?.close();
    channel = null;
    others.clear();
  };

  return {
    /** Receives the signals of `topics` until the returned function is called. */
    subscribe(topics: Topics, hear: Hear): () => void {
      const one = { topics, hear };
      subscriptions.add(one);
      if (subscriptions.size === 1) begin();
      send({ kind: 'topics', tab, topics: own() });
      if (leading) plan();
      return () => {
        subscriptions.delete(one);
        if (subscriptions.size === 0) return end();
        send({ kind: 'topics', tab, topics: own() });
        if (leading) plan();
      };
    },
    isLeading: () => leading,
    state: () => state,
    /** Calls `hear` when `state()` has changed, until the returned function is called. */
    watchState(hear: () => void): () => void {
      watchers.add(hear);
      return () => void watchers.delete(hear);
    },
  };
}

function concerns(signal: LiveSignal, topics: Topics): boolean {
  switch (signal.type) {
    case 'resync':
      return true;
    case 'site':
      return topics.includes('sites');
    case 'user':
      return topics.includes('user') || topics.includes('people');
    case 'sessionEnded':
      return topics.includes('user');
    case 'job':
      return topics.includes('jobs');
    case 'als':
      return topics.includes(`als:${signal.siteId}`);
    case 'records':
    case 'tables':
    case 'presence':
      return topics.includes(`table:${signal.siteId}`);
  }
}

function parse(text: string): LiveSignal | null {
  try {
    const value = JSON.parse(text) as LiveSignal;
    return typeof value === 'object' && value !== null && typeof value.type === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** The real browser environment. */
export const browserLive: LiveEnvironment = {
  openStream: (address) => new EventSource(address, { withCredentials: true }),
  openChannel: () => (typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('console:live')),
  lead:
    typeof navigator !== 'undefined' && 'locks' in navigator
      ? (whileLeading, { stop, force, lost }) => {
          // Stealing a lock rejects its holder's promise. `steal` and `signal` exclude each other.
          navigator.locks.request('console:live', force ? { steal: true } : { signal: stop }, whileLeading).catch(lost);
        }
      : null,
  setTimer: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
