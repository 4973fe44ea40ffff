import { liveCalls } from '@contract/live/calls';
import type { LiveEnvironment, LiveSignal, LiveState, Topics } from './liveEnvironment';
import { queryString } from './queryString';

/** The server accepts at most this many topics per stream. */
const mostTopics = 50;
/** Topics are collected for this long before the stream is reopened: a screen subscribes to several at once. Milliseconds. */
const gatherMs = 50;
/** Delay before a stream that the server closed for good (401, 5xx) is retried, in milliseconds. */
const againMs = 5000;

export type LiveStream = {
  /** Connects soon for the topics of then, unless it is connected for them already; without topics it closes. */
  readonly plan: () => void;
  /** Disconnects; what is planned stays. */
  readonly close: () => void;
  /** Disconnects for good. */
  readonly end: () => void;
};

type StreamParts = {
  readonly onState: (state: LiveState) => void;
  readonly onSignal: (signal: LiveSignal) => void;
  /** What to connect for, in any order. */
  readonly topics: () => Topics;
};

/** The `EventSource` of the tab that leads. */
export function createLiveStream(env: Pick<LiveEnvironment, 'openStream' | 'setTimer'>, { onState, onSignal, topics }: StreamParts): LiveStream {
  let stream: ReturnType<LiveEnvironment['openStream']> | null = null;
  /** The stream of the topics before, which serves until the new one is open: what changes meanwhile is not missed. */
  let previous: ReturnType<LiveEnvironment['openStream']> | null = null;
  let address = '';
  let cancelTimer: (() => void) | null = null;

  const close = (): void => {
    previous?.close();
    stream?.close();
    previous = stream = null;
    address = '';
    onState('connecting');
  };

  function open(): void {
    const topicsNow = [...new Set(topics())].sort().slice(0, mostTopics);
    if (topicsNow.length === 0) return close();
    const next = `${liveCalls.stream.path}?${queryString({ topic: topicsNow })}`;
    if (next === address && stream) return;
    if (previous) stream?.close();
    else previous = stream;
    address = next;
    const opened = env.openStream(next);
    stream = opened;
    opened.onopen = () => {
      if (stream === opened) {
        previous?.close();
        previous = null;
        onState('open');
      }
      onSignal({ type: 'resync' });
    };
    opened.onmessage = (event: MessageEvent<string>) => {
      const signal = parse(event.data);
      if (signal) onSignal(signal);
    };
    opened.onerror = () => {
      if (stream !== opened) return;
      onState('connecting');
      // 0 and 1: the browser is reconnecting. 2: it has given up.
      if (opened.readyState !== 2) return;
      close();
      plan(againMs);
    };
  }

  function plan(ms = gatherMs): void {
    cancelTimer?.();
    cancelTimer = env.setTimer(open, ms);
  }

  return {
    plan: () => plan(),
    close,
    end() {
      cancelTimer?.();
      close();
    },
  };
}

function parse(text: string): LiveSignal | null {
  try {
    const value = JSON.parse(text) as LiveSignal;
    return typeof value === 'object' && value !== null && typeof value.type === 'string' ? value : null;
  } catch {
    return null;
  }
}
