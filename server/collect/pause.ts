export type Pause = {
  readonly wake: () => void;
  readonly stop: () => void;
  /** Resolves at the next `wake`, at once if it was called since the last time, or after `mostMs`. */
  readonly untilWoken: (mostMs?: number) => Promise<void>;
};

/** A wait that can be interrupted. A call of `wake` without a waiter is not lost. */
export function createPause(): Pause {
  let woken = false;
  let stopped = false;
  let goOn: (() => void) | null = null;
  return {
    wake() {
      woken = true;
      goOn?.();
    },
    stop() {
      stopped = true;
      goOn?.();
    },
    async untilWoken(mostMs) {
      if (!woken && !stopped)
        await new Promise<void>((resolve) => {
          const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
          timer?.unref();
          goOn = () => (clearTimeout(timer), resolve());
        });
      goOn = null;
      woken = false;
    },
  };
}
