import { useSyncExternalStore } from 'react';

/**
 * One check for the whole page of whether the console's server is reachable. The browser only knows whether the machine has a network, and a console
 * on the same machine needs none: when it reports "offline" the server is pinged repeatedly until it answers.
 */
let reachable = true;
let asking: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const askAgainMs = 3000;

function set(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const onChange of listeners) onChange();
}

async function ask(): Promise<void> {
  clearTimeout(asking);
  if (navigator.onLine) return set(true);
  // Any response will do, whatever its status.
  const replied = await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(askAgainMs) }).then(
    () => true,
    () => false,
  );
  const back = replied && !reachable;
  set(replied || navigator.onLine);
  // Listeners for the network (RTK Query refetches then) receive the standard event.
  if (back) dispatchEvent(new Event('online'));
  if (!navigator.onLine && listeners.size > 0) asking = setTimeout(() => void ask(), askAgainMs);
}

const check = (): void => void ask();

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  if (listeners.size === 1) {
    addEventListener('online', check);
    addEventListener('offline', check);
    check();
  }
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0) return;
    removeEventListener('online', check);
    removeEventListener('offline', check);
    clearTimeout(asking);
  };
}

/** True while the server is reachable. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => reachable);
