import { HOUR, MINUTE } from '../../zone';

const second = 1000;
/** How often a hostname that is being set up is checked: fast while somebody is waiting, then ever slower; a week in all. */
const phases = [
  { times: 6, every: 10 * second },
  { times: 10, every: 30 * second },
  { times: 24, every: 5 * MINUTE },
  { times: 166, every: HOUR },
];
const activeEvery = 6 * HOUR;
/** After a wrong answer, a working hostname is looked at again soon: three of them in a row are reported. */
const wrongEvery = 15 * MINUTE;

/** Milliseconds until the next check; null: none until somebody asks for one. `checks`: those since it was added, or since somebody asked for one. */
export function nextCheckIn(hostname: { readonly active: boolean; readonly checks: number; readonly wrongAnswers: number }): number | null {
  const { active, checks, wrongAnswers } = hostname;
  if (active) return wrongAnswers > 0 && wrongAnswers < 3 ? wrongEvery : activeEvery;
  let before = 0;
  for (const { times, every } of phases) {
    before += times;
    if (checks < before) return every;
  }
  return null;
}
