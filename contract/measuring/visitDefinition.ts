import { z } from 'zod';

/** What a site calls a visit. All visits are made by it, those of the past included: they are made again when it changes. */
export const VisitDefinition = z.strictObject({
  /** A longer pause between two hits ends a visit. */
  gapMinutes: z.int().min(5).max(240),
  /** A page view with another campaign begins another visit. */
  campaignCuts: z.boolean(),
  /** A visit of one page is no bounce when it was looked at for so long; null: it always is one, unless the visitor did something. */
  engagedSeconds: z.int().min(1).max(3600).nullable(),
});
export type VisitDefinition = z.output<typeof VisitDefinition>;

export const defaultVisitDefinition: VisitDefinition = { gapMinutes: 30, campaignCuts: false, engagedSeconds: null };
