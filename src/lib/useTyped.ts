import { useEffect, useEffectEvent, useState } from 'react';

/** Milliseconds without a key before the address follows. */
const settleMs = 200;

/**
 * Text that is typed here and kept elsewhere (`value`, `put`: the address bar, which follows slowly). What is typed shows at once and is never
 * overtaken by its own echo; a change from outside, such as "back", replaces it.
 */
export function useTyped(value: string, put: (value: string) => void): readonly [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) {
      setTyped(value);
      setSent(value);
    }
  }
  const send = useEffectEvent(() => {
    setSent(typed);
    put(typed);
  });
  useEffect(() => {
    if (typed === sent) return;
    const timer = setTimeout(() => send(), settleMs);
    return () => clearTimeout(timer);
  }, [typed, sent]);
  return [typed, setTyped];
}
