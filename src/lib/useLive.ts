import { useEffect, useEffectEvent } from 'react';
import { browserLive, makeLive } from './live';
import type { LiveSignal } from './live';

let shared: ReturnType<typeof makeLive> | null = null;

/**
 * Hears live changes while the component is on the screen. Topics: `sites`, `user`, `jobs`, `als:<siteId>`. Events carry ids, never data: fetch
 * what changed. On `resync` fetch everything: something may have been missed.
 */
export function useLive(topics: readonly string[], onSignal: (signal: LiveSignal) => void): void {
  const hear = useEffectEvent(onSignal);
  const key = topics.join(' ');
  useEffect(() => {
    if (key === '' || typeof EventSource === 'undefined') return;
    shared ??= makeLive(browserLive);
    return shared.subscribe(key.split(' '), (signal) => hear(signal));
  }, [key]);
}
