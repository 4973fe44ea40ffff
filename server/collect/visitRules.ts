import { defaultVisitDefinition } from '../../contract/measuring/visitDefinition';
import type { VisitDefinition } from '../../contract/measuring/visitDefinition';

/** What a site decides about its visits (settings of measuring). */
export type VisitRules = {
  /** A longer pause between two hits ends a visit. */
  readonly gapMs: number;
  /** A page view with another campaign begins another visit. */
  readonly campaignCuts: boolean;
  /** A visit of one page is no bounce when it was looked at for so long; 0: it always is. */
  readonly engagedBounceMs: number;
};

export const visitRulesOf = ({ gapMinutes, campaignCuts, engagedSeconds }: VisitDefinition): VisitRules => ({
  gapMs: gapMinutes * 60 * 1000,
  campaignCuts,
  engagedBounceMs: (engagedSeconds ?? 0) * 1000,
});
/** Where a site has not decided otherwise. */
export const defaultVisitRules = visitRulesOf(defaultVisitDefinition);

/** A site may choose no longer pause. */
export const longestGapMs = 4 * 3600 * 1000;

/** Bounds of one visit: what comes later in the same run of hits begins another. A row must stay small enough to be written often. */
export const maxHits = 5000;
/** Characters of addresses, titles and properties. */
export const maxText = 512 * 1024;
/** Hits of one millisecond stay in one visit, so it may get larger; but no larger than this. */
export const mostHits = 2 * maxHits;
export const mostText = 2 * maxText;
export const maxSpanMs = 24 * 3600 * 1000;
