/** What a site decides about its visits (settings of measuring). */
export type VisitRules = {
  /** A longer pause between two hits ends a visit. */
  readonly gapMs: number;
  /** A page view with another campaign begins another visit. */
  readonly campaignCuts: boolean;
  /** A visit of one page is no bounce when it was looked at for so long; 0: it always is. */
  readonly engagedBounceMs: number;
};

export const defaultVisitRules: VisitRules = { gapMs: 30 * 60 * 1000, campaignCuts: false, engagedBounceMs: 0 };

/** Half an hour: where a site has not decided otherwise. */
export const gapMs = defaultVisitRules.gapMs;
/** A site may choose no longer pause. */
export const longestGapMs = 4 * 3600 * 1000;

/** Bounds of one visit: what comes later in the same run of hits begins another. A row must stay small enough to be written often. */
export const maxHits = 5000;
/** Characters of addresses, titles and properties. */
export const maxText = 512 * 1024;
export const maxSpanMs = 24 * 3600 * 1000;
