import { z } from 'zod';

/** A host, including its subdomains. */
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

/** Referrers that count as spam: those of the built-in list and `hosts`, except `exceptions`. */
export const ReferrerSpam = z.strictObject({ on: z.boolean(), hosts: Hosts, exceptions: Hosts });
export type ReferrerSpam = z.output<typeof ReferrerSpam>;

export const defaultReferrerSpam: ReferrerSpam = { on: true, hosts: [], exceptions: [] };
