const step = 100;
/** A page that never finishes loading does not hold back the rest forever. */
const longestWait = 8000;

const isUsable = (): boolean => document.querySelector('main > *') !== null && document.querySelector('main [aria-busy="true"]') === null;

/** Safari has no idle callbacks. */
const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: 1000 });
  else setTimeout(task, step);
};

/** Runs `task` when nothing on the page is loading and the browser has nothing else to do. Returns a function that cancels it. */
export function whenUsable(task: () => void): () => void {
  const start = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelled = false;
  const look = (): void => {
    if (isUsable() || performance.now() - start > longestWait) whenIdle(() => !cancelled && task());
    else timer = setTimeout(look, step);
  };
  look();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}
