/** What is collected in memory and stored from time to time. */
export type Flush = {
  /** Stores what was added before the call. */
  readonly flush: () => Promise<void>;
  /** Flushes for the last time. */
  readonly close: () => Promise<void>;
};

/** Calls `store` every `every` milliseconds and on demand, one call after the other. `store` takes everything that waits and never rejects. */
export function startFlush(store: () => Promise<void>, every = 5000): Flush {
  let storing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => (storing = storing.then(store));
  const timer = setInterval(() => void flush(), every);
  timer.unref();
  return {
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
