export type BetterDirection = 'more' | 'less' | 'neither';
export type Difference =
  | { readonly kind: 'none' }
  /** From zero to a value: no percentage can express that. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'change';
      /** 0.12 is +12 %. */ readonly ratio: number;
      readonly tone: 'good' | 'bad' | 'neutral';
      /** Too little data to be meaningful. */ readonly thin: boolean;
    };

/** With fewer visits than this in either period a percentage is noise (look.md). */
export const smallSampleVisits = 30;

/** The change of a value; `sample` is the smaller number of visits behind the two values. */
export const differenceOf = (now: number | null, before: number | null, better: BetterDirection, sample: number | null = null): Difference => {
  if (now === null || before === null) return { kind: 'none' };
  if (before === 0) return now === 0 ? { kind: 'change', ratio: 0, tone: 'neutral', thin: false } : { kind: 'new' };
  const ratio = (now - before) / Math.abs(before);
  const thin = sample !== null && sample < smallSampleVisits;
  // Less than half a per cent is shown as 0 % without a colour.
  const flat = Math.abs(ratio) < 0.005;
  const tone = thin || flat || better === 'neither' ? 'neutral' : ratio > 0 === (better === 'more') ? 'good' : 'bad';
  return { kind: 'change', ratio, tone, thin };
};
