import { useEffect } from 'react';
import { buildOfThisPage } from '@/lib/build';
import { consolePath, discoveryLimits, makeMemory, manifestAddresses } from '@/lib/discovery';
import { newBuildDetected } from '@/store/events';
import { useAppDispatch } from '@/store/hooks';

type Answer = { version?: string; current?: boolean; patches?: Record<string, string[]> };

const memory = makeMemory();
const fetched = new Set<string>();

/** Puts a part's files into the browser's cache. They are immutable and from this origin, so `connect-src 'self'` is enough. */
function fetchAhead(files: readonly string[]): void {
  for (const file of files) {
    if (fetched.has(file) || performance.getEntriesByName(new URL(file, location.origin).href).length > 0) continue;
    fetched.add(file);
    fetch(file, { priority: 'low', credentials: 'same-origin' }).catch(() => fetched.delete(file));
  }
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Finds the links on the screen (and those hovered or focused), queries which parts they need and prefetches them. The same response reveals that the
 * server runs another build.
 */
export function useDiscovery(): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    const version = buildOfThisPage();
    if (version === '' || savesData()) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const ask = async (links: Iterable<HTMLAnchorElement>): Promise<void> => {
      const paths = memory.fresh([...links].map((link) => consolePath(link, location.origin)).filter((path) => path !== null));
      for (const address of manifestAddresses(paths, version, location.origin)) {
        const answer = await fetch(address, { signal: stop.signal });
        if (!answer.ok) continue;
        const { current, version: served, patches = {} } = (await answer.json()) as Answer;
        if (current === false && served !== undefined) dispatch(newBuildDetected(served));
        else for (const files of Object.values(patches)) fetchAhead(files);
      }
    };
    // Prefetching is optional: what fails here is loaded, and its error shown, when it is needed.
    const quietly = (links: Iterable<HTMLAnchorElement>) => void ask(links).catch(() => undefined);
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => quietly(document.querySelectorAll<HTMLAnchorElement>('a[href]')), discoveryLimits.debounceMs);
    };
    const point = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link) quietly([link]);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('pointerover', point, { passive: true, signal: stop.signal });
    addEventListener('focusin', point, { signal: stop.signal });
    look();
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      stop.abort();
    };
  }, [dispatch]);
}
