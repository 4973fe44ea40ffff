import { type RefObject, useLayoutEffect, useState } from 'react';

/** Width of the element in CSS pixels, kept current; `assumed` until it is measured or where measuring is unavailable. */
export const useWidth = (element: RefObject<HTMLElement | null>, assumed: number): number => {
  const [width, setWidth] = useState(assumed);
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    const measure = (): void => {
      const found = Math.round(node.getBoundingClientRect().width);
      if (found > 0) setWidth(found);
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return width;
};
