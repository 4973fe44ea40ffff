import { useEffect, useEffectEvent, useState } from 'react';

/** Milliseconds without typing before the address is updated. */
const settleMs = 200;

/**
 * Typed text that is stored elsewhere (`value`, `put`: the address bar, which follows with a delay). Typing shows immediately and is never
 * overwritten by its own echo; an outside change, such as "back", replaces it.
 */
export function useTyped(value: string, put: (value: string) => void): readonly [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const [external, setExternal] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== external) {
    setExternal(value);
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
