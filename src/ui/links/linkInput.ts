import { z } from 'zod';

/** Common fields of the forms for read-only links: lifetime and password. */

export const lifetimes = ['never', 'd7', 'd30', 'd90', 'd365', 'keep'] as const;
const dayMs = 86_400_000;

/** `keep`: the current expiry. An empty `password` keeps the current one, or removes it with `drop`. */
export const linkShape = {
  lifetime: z.enum(lifetimes),
  password: z
    .string()
    .max(200)
    .refine((value) => value === '' || value.length >= 6),
  drop: z.boolean(),
};
export type LinkInput = z.output<z.ZodObject<typeof linkShape>>;

/** Initial form values for a link; null: a new one. */
export const initialLinkInput = (link: { readonly expiresAt: string | null } | null): LinkInput => ({
  lifetime: link === null || link.expiresAt === null ? 'never' : 'keep',
  password: '',
  drop: false,
});

const endOf = (lifetime: LinkInput['lifetime']): string | null =>
  lifetime === 'never' || lifetime === 'keep' ? null : new Date(Date.now() + Number(lifetime.slice(1)) * dayMs).toISOString();

/** Expiry and password of a new link. */
export const newLinkBody = ({ lifetime, password }: LinkInput) => ({ expiresAt: endOf(lifetime), password: password === '' ? null : password });
/** For an existing link: only what changes. */
export const changedLinkBody = ({ lifetime, password, drop }: LinkInput) => ({
  ...(lifetime === 'keep' ? {} : { expiresAt: endOf(lifetime) }),
  ...(password === '' ? (drop ? { password: null } : {}) : { password }),
});
