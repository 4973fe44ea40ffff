import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { browserLive, makeLive } from './live';
import type { LiveSignal, LiveState } from './live';
import { sharedSecret } from './sharedLink';

let shared: ReturnType<typeof makeLive> | null = null;
const live = (): ReturnType<typeof makeLive> => (shared ??= makeLive(browserLive));

/**
 * Hears live changes while the component is on the screen. Topics: `sites`, `user`, `people`, `jobs`, `als:<siteId>`. Events carry ids, never data: fetch
 * what changed. On `resync` fetch everything: something may have been missed.
 */
export function useLive(topics: readonly string[], onSignal: (signal: LiveSignal) => void): void {
  const hear = useEffectEvent(onSignal);
  const key = topics.join(' ');
  useEffect(() => {
    // A guest with a link has no stream.
    if (key === '' || sharedSecret !== null || typeof EventSource === 'undefined') return;
    return live().subscribe(key.split(' '), (signal) => hear(signal));
  }, [key]);
}

const watchState = (hear: () => void): (() => void) => live().watchState(hear);
const readState = (): LiveState => live().state();

/** Whether live changes arrive at present; the stream is that of this browser, whichever tab has it. */
export const useLiveState = (): LiveState => useSyncExternalStore(watchState, readState);
