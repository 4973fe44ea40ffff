import { useEffect, useRef, useState } from 'react';
import { prettyJson } from '@/features/tables/prettyJson';
import type { CallRequest, Caller } from './callRequest';

/** The server's response; `status` 0: no response. */
export type CallResponse = {
  readonly status: number;
  readonly statusText: string;
  /** Time until the complete response had arrived. */
  readonly ms: number;
  readonly bytes: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
};

/** Sends a request outside the store: its response is shown, and does not affect the console's cache. */
export function useCallRequest() {
  const [response, setResponse] = useState<CallResponse | null>(null);
  const [busy, setBusy] = useState(false);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const send = async (request: CallRequest, caller: Caller): Promise<void> => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setBusy(true);
    const start = performance.now();
    try {
      const result = await fetch(location.origin + request.path, {
        method: request.method,
        headers: {
          ...request.headers,
          ...(caller.kind === 'session' ? { 'x-requested-with': 'console' } : {}),
          ...(caller.kind === 'token' ? { authorization: `Bearer ${caller.value.trim()}` } : {}),
        },
        credentials: caller.kind === 'session' ? 'same-origin' : 'omit',
        cache: 'no-store',
        signal: controller.signal,
        ...(request.body === null ? {} : { body: request.body }),
      });
      const text = await result.text();
      setResponse({
        status: result.status,
        statusText: result.statusText,
        ms: performance.now() - start,
        bytes: new TextEncoder().encode(text).length,
        headers: [...result.headers],
        text: result.headers.get('content-type')?.includes('json') === true ? prettyJson(text) : text,
      });
    } catch {
      if (!controller.signal.aborted) setResponse({ status: 0, statusText: '', ms: performance.now() - start, bytes: 0, headers: [], text: '' });
    }
    if (current.current === controller) setBusy(false);
  };
  const stop = () => {
    current.current?.abort();
    setBusy(false);
  };
  return { response, busy, send, stop };
}
