import { useEffect, useState } from 'react';

/**
 * `busy`, delayed and extended: true after `after` ms, then for at least `atLeast` ms, so that quick responses show no skeleton and slow ones do not
 * flicker.
 */
export function useDelayed(busy: boolean, after = 200, atLeast = 400): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (busy === visible) return;
    const timer = setTimeout(() => setVisible(busy), busy ? after : atLeast);
    return () => clearTimeout(timer);
  }, [busy, visible, after, atLeast]);
  return visible;
}
