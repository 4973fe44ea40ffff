import type { createGovernor } from '../governor';

/** A host whose connections are in use is looked at this often, in ms. */
const lookEvery = 50;

export type Turns = ReturnType<typeof createTurns>;
/** Requests of pages wait here until the governor lets their host be requested; the crawl begins no other request to a host that some wait for. */
export function createTurns(governor: Pick<ReturnType<typeof createGovernor>, 'isReady' | 'readyAt' | 'start'>, now: () => number) {
  const waiting = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    clearTimeout(timer);
    const time = now();
    let at = time + lookEvery;
    for (const [host, requests] of waiting) {
      for (const begin of requests) {
        if (!governor.isReady(host, time)) break;
        governor.start(host, time);
        requests.delete(begin);
        begin();
      }
      if (requests.size === 0) waiting.delete(host);
      else at = Math.min(at, governor.readyAt(host));
    }
    if (waiting.size > 0) timer = setTimeout(look, Math.max(1, at - time));
  }

  return {
    look,
    waitsFor: (host: string): boolean => waiting.has(host),
    /** Resolves when the request has begun, as the governor sees it. Rejects if the signal aborts before. */
    next: (host: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.get(host)?.delete(begin);
          if (waiting.get(host)?.size === 0) waiting.delete(host);
          reject(new Error('aborted'));
        };
        const begin = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        if (signal.aborted) return reject(new Error('aborted'));
        signal.addEventListener('abort', leave, { once: true });
        const requests = waiting.get(host);
        if (requests === undefined) waiting.set(host, new Set([begin]));
        else requests.add(begin);
        look();
      }),
  };
}
