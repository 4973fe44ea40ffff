import { z } from 'zod';

/** What read-only links have in common, whatever they show: to reports (`shares.ts`), to saved views of content tables (`tableShares.ts`). */

/** Of a link that is there. */
export const linkFacts = {
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
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
