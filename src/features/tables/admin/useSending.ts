import { useEffect, useRef, useState } from 'react';
import type { As, Asked } from './operations';

/** What came back; `status` 0: nothing did. */
export type Heard = {
  readonly status: number;
  readonly statusText: string;
  /** Until the whole answer was there. */
  readonly ms: number;
  readonly bytes: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
};

const pretty = (text: string, type: string): string => {
  if (!type.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Makes a call as it stands, outside of the store: what it answers is shown and not believed. */
export function useSending() {
  const [heard, setHeard] = useState<Heard | null>(null);
  const [busy, setBusy] = useState(false);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const send = async (asked: Asked, as: As): Promise<void> => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setBusy(true);
    const start = performance.now();
    try {
      const answer = await fetch(location.origin + asked.path, {
        method: asked.method,
        headers: {
          ...asked.headers,
          ...(as.kind === 'session' ? { 'x-requested-with': 'console' } : {}),
          ...(as.kind === 'token' ? { authorization: `Bearer ${as.value.trim()}` } : {}),
        },
        credentials: as.kind === 'session' ? 'same-origin' : 'omit',
        cache: 'no-store',
        signal: mine.signal,
        ...(asked.body === null ? {} : { body: asked.body }),
      });
      const text = await answer.text();
      setHeard({
        status: answer.status,
        statusText: answer.statusText,
        ms: performance.now() - start,
        bytes: new TextEncoder().encode(text).length,
        headers: [...answer.headers],
        text: pretty(text, answer.headers.get('content-type') ?? ''),
      });
    } catch {
      if (!mine.signal.aborted) setHeard({ status: 0, statusText: '', ms: performance.now() - start, bytes: 0, headers: [], text: '' });
    }
    if (control.current === mine) setBusy(false);
  };
  const stop = () => {
    control.current?.abort();
    setBusy(false);
  };
  return { heard, busy, send, stop };
}
