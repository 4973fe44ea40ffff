import { useEffect, useState } from 'react';

/** The time in epoch ms, renewed every half minute: for how long somebody has waited. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
