import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { buildOfThisPage } from '@/lib/build';
import { consolePath, discoveryLimits, makeMemory, manifestAddresses } from '@/lib/discovery';
import { allowsAhead, makeAllowance, sharedFiles } from '@/lib/fetchAhead';
import { whenUsable } from '@/lib/whenUsable';
import { newBuildDetected } from '@/store/events';
import { useAppDispatch } from '@/store/hooks';

type Discovery = { version?: string; current?: boolean; patches?: Record<string, string[]>; sizes?: Record<string, number> };

const memory = makeMemory();
const allowance = makeAllowance();
/** The files of each part that the server has named, by path, and the bytes of each file. */
const parts = new Map<string, readonly string[]>();
const sizes: Record<string, number> = {};

const isHere = (file: string): boolean => performance.getEntriesByName(new URL(file, location.origin).href).length > 0;

/** Puts files into the browser's cache, all or none. They are immutable and from this origin, so `connect-src 'self'` is enough. */
function fetchAhead(files: readonly string[]): void {
  for (const file of allowance.take(
    files.filter((one) => !isHere(one)),
    sizes,
  ))
    fetch(file, { priority: 'low', credentials: 'same-origin' }).catch(() => allowance.forget(file));
}

/** The links of the page first, then those of the frame around it: what a page leads to is the likelier next step. */
const linksOnScreen = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('main a[href]'),
  ...document.querySelectorAll<HTMLAnchorElement>('a[href]'),
];

/**
 * Finds the links on the screen once the page is usable (and those hovered or focused), queries which parts they need and prefetches as many as the
 * page's allowance covers; nothing on slow or metered connections. The same response reveals that the server runs another build.
 */
export function useDiscovery(): void {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  useEffect(() => allowance.renew(), [pathname]);
  useEffect(() => {
    const version = buildOfThisPage();
    if (version === '') return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancel = (): void => undefined;
    let cancelPointed = (): void => undefined;

    const discover = async (links: Iterable<HTMLAnchorElement>): Promise<void> => {
      const paths = [...new Set([...links].map((link) => consolePath(link, location.origin)).filter((path) => path !== null))];
      for (const address of manifestAddresses(memory.fresh(paths), version, location.origin)) {
        const response = await fetch(address, { signal: stop.signal });
        if (!response.ok) continue;
        const { current, version: served, patches = {}, sizes: bytes = {} } = (await response.json()) as Discovery;
        if (current === false && served !== undefined) {
          dispatch(newBuildDetected(served));
          continue;
        }
        Object.assign(sizes, bytes);
        for (const [path, files] of Object.entries(patches)) parts.set(path, files);
      }
      if (!allowsAhead()) return;
      const needed = paths.map((path) => parts.get(path)).filter((files) => files !== undefined);
      for (const file of sharedFiles(needed)) fetchAhead([file]);
      for (const files of needed) fetchAhead(files);
    };
    // Prefetching is optional: what fails here is loaded, and its error shown, when it is needed.
    const quietly = (links: Iterable<HTMLAnchorElement>) => void discover(links).catch(() => undefined);
    const look = () => {
      clearTimeout(timer);
      cancel();
      timer = setTimeout(() => {
        cancel = whenUsable(() => quietly(linksOnScreen()));
      }, discoveryLimits.debounceMs);
    };
    const point = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (!link) return;
      cancelPointed();
      cancelPointed = whenUsable(() => quietly([link]));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('pointerover', point, { passive: true, signal: stop.signal });
    addEventListener('focusin', point, { signal: stop.signal });
    look();
    return () => {
      clearTimeout(timer);
      cancel();
      cancelPointed();
      observer.disconnect();
      stop.abort();
    };
  }, [dispatch]);
}
