import type { LiveEvent } from '@contract/live/schemas';

/** What a tab receives: an event of the server, or that events may have been missed. Some events are for other processes only. */
export type LiveSignal = Exclude<LiveEvent, { readonly type: 'countries' | 'use' }> | { readonly type: 'resync' };
/** Whether the stream is connected. */
export type LiveState = 'open' | 'connecting';
export type Topics = readonly string[];
export type LiveListener = (signal: LiveSignal) => void;

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
