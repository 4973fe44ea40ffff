import { useEffect, useEffectEvent, useRef } from 'react';
import type { Lines } from './lines';
import type { RowSource } from './types';
import type { View } from './useGridView';

/** ms: what is passed quickly is not asked for; what is scrolled slowly is asked for on the way. */
const pause = 90;
const often = 160;

/** Tells the source which rows are looked at, once scrolling slows down. */
export function useWanted(source: RowSource, lines: Lines, { first, last }: View, version: unknown): void {
  const timer = useRef(0);
  const asked = useRef({ from: -1, to: -1, time: -Infinity });
  const ask = useEffectEvent(() => {
    let from = Infinity;
    let to = -1;
    for (let line = first; line < last; line += 1) {
      const one = lines.at(line);
      if (one?.kind !== 'row') continue;
      from = Math.min(from, one.index);
      to = Math.max(to, one.index + 1);
    }
    asked.current = { from: first, to: last, time: performance.now() };
    if (to > 0) source.want(from, to);
  });
  const plan = useEffectEvent(() => {
    clearTimeout(timer.current);
    const { from, to, time } = asked.current;
    const slow = first < to && last > from && performance.now() - time > often;
    if (asked.current.from === -1 || slow) ask();
    else timer.current = window.setTimeout(() => ask(), pause);
  });
  useEffect(() => plan(), [source, lines, first, last]);
  // Something known may have become unknown, such as after a change of the order.
  const again = useEffectEvent(() => {
    for (let line = first; line < last; line += 1) {
      const one = lines.at(line);
      if (one?.kind === 'row' && source.row(one.index) === undefined) return plan();
    }
  });
  useEffect(() => again(), [version]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
