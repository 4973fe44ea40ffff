import { z } from 'zod';

/** Common parts of public links: to reports (`publicLinks/schemas.ts`), and to saved views and forms of content tables (`tables/publicLinks.ts`). */

/** Why a link has stopped: its creator no longer has an account, no longer has access to the site, or may no longer create such a link. */
export const linkStops = ['account', 'access', 'role'] as const;
export type LinkStop = (typeof linkStops)[number];

/** Fields of an existing link. */
export const linkFacts = {
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** null: the link works until it expires. Anybody who may create such a link can take it over; its URL stays the same. */
  stopped: z.enum(linkStops).nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Number of times the link was opened. */
  opened: z.int(),
  revision: z.int(),
};
const password = z.string().min(6).max(200).nullable();
/** Fields of a new link. */
export const newLinkFields = { expiresAt: linkFacts.expiresAt.default(null), password: password.default(null) };
/** Fields of a change. `password`: absent leaves it unchanged, null removes it. */
export const linkChangeFields = { expiresAt: linkFacts.expiresAt.optional(), password: password.optional() };
