import type { Readable, Writable } from 'node:stream';

/** The part of the Chrome DevTools Protocol that rendering needs, over a pipe: messages in JSON, each ended by a zero byte. */
export type Values = Readonly<Record<string, unknown>>;
export type DevtoolsEvent = { readonly method: string; readonly params: Values };
type Received = {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Values;
  readonly result?: Values;
  readonly error?: { readonly message: string };
};
type Waiting = { readonly resolve: (result: Values) => void; readonly reject: (error: Error) => void };

/** Characters of one message; the longest is the text of a document, escaped. */
const longestMessage = 64 * 2 ** 20;

/** The browser has ended, or no longer speaks. */
export class BrowserGone extends Error {}

/** The event of every session when the browser has ended. */
export const goneEvent = 'gone';

export type Devtools = {
  /** Rejects if the browser refuses, and with `BrowserGone` if it ends. */
  readonly send: (method: string, params?: Values, sessionId?: string) => Promise<Values>;
  /** Events of a session, until the returned function is called. */
  readonly listen: (sessionId: string, listener: (event: DevtoolsEvent) => void) => () => void;
  readonly close: () => void;
};

/** `onBroken`: what arrives is no message. */
export function createDevtools(input: Writable, output: Readable, onBroken: () => void): Devtools {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (event: DevtoolsEvent) => void>();
  let parts: Buffer[] = [];
  let size = 0;
  let last = 0;
  let isClosed = false;

  function receive({ id, sessionId, method, params = {}, result = {}, error }: Received): void {
    if (id === undefined) {
      if (method !== undefined) listeners.get(sessionId ?? '')?.({ method, params });
      return;
    }
    const found = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) found?.resolve(result);
    else found?.reject(new Error(error.message));
  }
  function close(): void {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new BrowserGone());
    waiting.clear();
    const open = [...listeners.values()];
    listeners.clear();
    for (const listener of open) listener({ method: goneEvent, params: {} });
  }
  function read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const text = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8');
      [parts, size] = [[], 0];
      rest = rest.subarray(end + 1);
      receive(JSON.parse(text) as Received);
    }
    if (rest.length === 0) return;
    parts.push(rest);
    size += rest.length;
    if (size > longestMessage) throw new Error('too long');
  }

  output.on('data', (chunk: Buffer) => {
    try {
      if (!isClosed) read(chunk);
    } catch {
      close();
      onBroken();
    }
  });
  // A browser that has ended is noticed by its end.
  for (const stream of [input, output]) stream.on('error', () => undefined);

  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new BrowserGone());
        last += 1;
        waiting.set(last, { resolve, reject });
        input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
      }),
    listen(sessionId, listener) {
      listeners.set(sessionId, listener);
      return () => void listeners.delete(sessionId);
    },
    close,
  };
}
