import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { browserLive, makeLive } from './live';
import type { LiveSignal, LiveState } from './live';
import { publicLinkSecret } from './publicLink';

let shared: ReturnType<typeof makeLive> | null = null;
const live = (): ReturnType<typeof makeLive> => (shared ??= makeLive(browserLive));

/**
 * Subscribes to live changes while mounted. Topics: `sites`, `user`, `people`, `jobs`, `als:<siteId>`, `table:<siteId>`. Events carry ids, never data:
 * refetch what changed. On `resync` refetch everything: events may have been missed.
 */
export function useLive(topics: readonly string[], onSignal: (signal: LiveSignal) => void): void {
  const onLiveSignal = useEffectEvent(onSignal);
  const key = topics.join(' ');
  useEffect(() => {
    // A reader of a public link has no stream.
    if (key === '' || publicLinkSecret !== null || typeof EventSource === 'undefined') return;
    return live().subscribe(key.split(' '), (signal) => onLiveSignal(signal));
  }, [key]);
}

const watchState = (onChange: () => void): (() => void) => live().watchState(onChange);
const readState = (): LiveState => live().state();

/** Whether the stream of this browser is connected, whichever tab owns it. */
export const useLiveState = (): LiveState => useSyncExternalStore(watchState, readState);
