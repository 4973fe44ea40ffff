import { z } from 'zod';

/** A host; those below it are meant as well. */
const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .regex(/^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/);
const Hosts = z
  .array(Host)
  .max(200)
  .transform((list) => [...new Set(list)]);

/** Which referrers count as spam: those of the program's own list and `hosts`, but for `exceptions`. */
export const ReferrerSpam = z.strictObject({ on: z.boolean(), hosts: Hosts, exceptions: Hosts });
export type ReferrerSpam = z.output<typeof ReferrerSpam>;

export const defaultReferrerSpam: ReferrerSpam = { on: true, hosts: [], exceptions: [] };
