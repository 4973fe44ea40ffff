import { useCallback, useEffect, useState } from 'react';
import type { Outline } from './outline';

const parts = {
  province: async () => (await import(/* webpackChunkName: "map-china" */ './china')).china,
  country: async () => (await import(/* webpackChunkName: "map-world" */ './world')).world,
} as const;

/** The outline of a map, which is a lazy part; `failed` until `retry` succeeds. */
export const useOutline = (by: keyof typeof parts): { readonly outline: Outline | null; readonly failed: boolean; readonly retry: () => void } => {
  const [found, setFound] = useState<{ readonly by: string; readonly outline: Outline | null } | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    parts[by]().then(
      (outline) => current && setFound({ by, outline }),
      () => current && setFound({ by, outline: null }),
    );
    return () => {
      current = false;
    };
  }, [by, round]);
  const retry = useCallback(() => {
    setFound(null);
    setRound((n) => n + 1);
  }, []);
  const mine = found?.by === by ? found : null;
  return { outline: mine?.outline ?? null, failed: mine !== null && mine.outline === null, retry };
};
