import { defaultVisitDefinition } from '../../contract/measuring/visitDefinition';
import type { VisitDefinition } from '../../contract/measuring/visitDefinition';

/** A site's settings for visits (measuring settings). */
export type VisitRules = {
  /** A longer gap between two hits ends a visit. */
  readonly gapMs: number;
  /** A page view with another campaign begins a new visit. */
  readonly campaignCuts: boolean;
  /** Engaged time from which a visit of one page is no bounce; 0: it always is. */
  readonly engagedBounceMs: number;
};

export const visitRulesOf = ({ gapMinutes, campaignCuts, engagedSeconds }: VisitDefinition): VisitRules => ({
  gapMs: gapMinutes * 60 * 1000,
  campaignCuts,
  engagedBounceMs: (engagedSeconds ?? 0) * 1000,
});
/** Used if a site has no settings of its own. */
export const defaultVisitRules = visitRulesOf(defaultVisitDefinition);

/** Maximum gap that a site may choose. */
export const longestGapMs = 4 * 3600 * 1000;

/** Limits of one visit: further hits begin another one. A row must stay small, because it is rewritten often. */
export const maxHits = 5000;
/** Characters of URLs, titles and properties. */
export const maxText = 512 * 1024;
/** Hits of one millisecond stay in one visit, which may exceed the limits; these are the absolute maximums. */
export const mostHits = 2 * maxHits;
export const mostText = 2 * maxText;
export const maxSpanMs = 24 * 3600 * 1000;
