import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Of a row of links that scrolls sideways on a narrow screen: has the one of the open page in the middle. */
export function useCurrentLink(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const scroll = (): void => {
      const box = row.current;
      const link = box?.querySelector<HTMLElement>('[aria-current]');
      if (box && link) box.scrollLeft = link.offsetLeft - (box.clientWidth - link.offsetWidth) / 2;
    };
    scroll();
    window.addEventListener('resize', scroll);
    return () => window.removeEventListener('resize', scroll);
  }, [current]);
  return row;
}
