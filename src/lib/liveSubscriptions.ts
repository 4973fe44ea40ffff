import type { LiveListener, LiveSignal, LiveState, Topics } from './liveEnvironment';

export type LiveSubscriptions = {
  /** Returns the way to remove it again. */
  readonly add: (topics: Topics, onSignal: LiveListener) => () => void;
  readonly count: () => number;
  /** Topics of all subscriptions, each once, in order. */
  readonly topics: () => string[];
  /** Passes a signal to those whom it concerns. */
  readonly deliver: LiveListener;
};

/** Who in this tab listens to what. */
export function createLiveSubscriptions(): LiveSubscriptions {
  const subscriptions = new Set<{ topics: Topics; onSignal: LiveListener }>();
  return {
    add(topics, onSignal) {
      const one = { topics, onSignal };
      subscriptions.add(one);
      return () => void subscriptions.delete(one);
    },
    count: () => subscriptions.size,
    topics: () => [...new Set([...subscriptions].flatMap((one) => one.topics))].sort(),
    deliver(signal) {
      // A copy: callbacks may subscribe or unsubscribe.
      Array.from(subscriptions)
        .filter((one) => concerns(signal, one.topics))
        .forEach((one) => one.onSignal(signal));
    },
  };
}

/** State of the stream, whichever tab owns it. `onChange` runs before those who watch. */
export function createLiveState(onChange: (state: LiveState) => void) {
  const watchers = new Set<() => void>();
  let state: LiveState = 'connecting';
  return {
    state: () => state,
    become(next: LiveState): void {
      if (next === state) return;
      state = next;
      onChange(state);
      Array.from(watchers).forEach((onStateChange) => onStateChange());
    },
    /** Calls `onStateChange` when `state()` has changed, until the returned function is called. */
    watchState(onStateChange: () => void): () => void {
      watchers.add(onStateChange);
      return () => void watchers.delete(onStateChange);
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
    case 'notice':
      return topics.includes('user');
    case 'job':
      return topics.includes('jobs');
    case 'records':
    case 'tables':
    case 'presence':
      return topics.includes(`table:${signal.siteId}`);
    default:
      // `supportTyping` and the like belong to the topic `support`.
      return topics.includes(`${signal.type.startsWith('support') ? 'support' : signal.type}:${signal.siteId}`);
  }
}
