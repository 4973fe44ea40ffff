import { z } from 'zod';

/** What read-only links have in common, whatever they show: to reports (`shares.ts`), to saved views of content tables (`tableShares.ts`). */

/** Why a link has stopped: who made it has no account any more, does not see the site, or may no longer make such a link. */
export const linkStops = ['account', 'access', 'role'] as const;
export type LinkStop = (typeof linkStops)[number];

/** Of a link that is there. */
export const linkFacts = {
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** null: it works until it expires. Whoever may make such a link can take it over; its address stays. */
  stopped: z.enum(linkStops).nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** How often it was opened. */
  opened: z.int(),
  revision: z.int(),
};
const password = z.string().min(6).max(200).nullable();
/** Of a new one. */
export const newLinkFields = { expiresAt: linkFacts.expiresAt.default(null), password: password.default(null) };
/** Of a change. `password`: absent keeps it, null takes it away. */
export const linkChangeFields = { expiresAt: linkFacts.expiresAt.optional(), password: password.optional() };
