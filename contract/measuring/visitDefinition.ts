import { z } from 'zod';

/** A site's definition of a visit. It applies to all visits: when it changes, past visits are rebuilt. */
export const VisitDefinition = z.strictObject({
  /** A longer gap between two hits ends a visit. */
  gapMinutes: z.int().min(5).max(240),
  /** A page view with another campaign starts a new visit. */
  campaignCuts: z.boolean(),
  /** Engaged time in seconds from which a visit of one page is not a bounce; null: it is always a bounce, unless the visit has an event. */
  engagedSeconds: z.int().min(1).max(3600).nullable(),
});
export type VisitDefinition = z.output<typeof VisitDefinition>;

export const defaultVisitDefinition: VisitDefinition = { gapMinutes: 30, campaignCuts: false, engagedSeconds: null };
