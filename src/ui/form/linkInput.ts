import { z } from 'zod';

/** What forms of read-only links have in common, whatever the link shows: how long it lasts and its password. */

export const lifetimes = ['never', 'd7', 'd30', 'd90', 'd365', 'keep'] as const;
const dayMs = 86_400_000;

/** `keep`: the end that it has. `password` empty: as it is, or none with `drop`. */
export const linkShape = {
  lifetime: z.enum(lifetimes),
  password: z
    .string()
    .max(200)
    .refine((value) => value === '' || value.length >= 6),
  drop: z.boolean(),
};
type LinkInput = z.output<z.ZodObject<typeof linkShape>>;

/** What the form begins with for a link; null: a new one. */
export const linkStart = (link: { readonly expiresAt: string | null } | null): LinkInput => ({
  lifetime: link === null || link.expiresAt === null ? 'never' : 'keep',
  password: '',
  drop: false,
});

const endOf = (lifetime: LinkInput['lifetime']): string | null =>
  lifetime === 'never' || lifetime === 'keep' ? null : new Date(Date.now() + Number(lifetime.slice(1)) * dayMs).toISOString();

/** For a new link. */
export const newLink = ({ lifetime, password }: LinkInput) => ({ expiresAt: endOf(lifetime), password: password === '' ? null : password });
/** For one that is there: only what changes. */
export const linkChange = ({ lifetime, password, drop }: LinkInput) => ({
  ...(lifetime === 'keep' ? {} : { expiresAt: endOf(lifetime) }),
  ...(password === '' ? (drop ? { password: null } : {}) : { password }),
});
