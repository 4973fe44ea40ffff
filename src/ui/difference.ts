export type Better = 'more' | 'less' | 'neither';
export type Difference =
  | { readonly kind: 'none' }
  /** From zero to something: no per cent can say that. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'change';
      /** 0.12 is +12 %. */ readonly ratio: number;
      readonly tone: 'good' | 'bad' | 'neutral';
      /** Too little data to mean anything. */ readonly thin: boolean;
    };

/** Below so many visits in either period a per cent is noise (look.md). */
export const thinVisits = 30;

/** How a value changed; `sample` is the smaller number of visits behind the two values. */
export const differenceOf = (now: number | null, before: number | null, better: Better, sample: number | null = null): Difference => {
  if (now === null || before === null) return { kind: 'none' };
  if (before === 0) return now === 0 ? { kind: 'change', ratio: 0, tone: 'neutral', thin: false } : { kind: 'new' };
  const ratio = (now - before) / Math.abs(before);
  const thin = sample !== null && sample < thinVisits;
  // Below half a per cent it is shown as 0 % and has no colour.
  const flat = Math.abs(ratio) < 0.005;
  const tone = thin || flat || better === 'neither' ? 'neutral' : ratio > 0 === (better === 'more') ? 'good' : 'bad';
  return { kind: 'change', ratio, tone, thin };
};
