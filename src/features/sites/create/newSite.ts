import { z } from 'zod';
import type { FieldCode } from '@contract/errors';
import { starters } from '@contract/sites/starters';
import { SiteInput, SiteUrl, identityModes, sitePurposes } from '@contract/sites/schemas';

const { name, slug, defaultLang, timeZone, identity } = SiteInput.shape;
const common = { name, defaultLang: defaultLang.removeDefault(), timeZone: timeZone.removeDefault(), identity: identity.removeDefault() };

/** What a site that is built here begins with: a starter, or the settings of another site. */
export const starterChoices = [...starters, 'copy'] as const;
export type StarterChoice = (typeof starterChoices)[number];

/** The wizard's input: all fields, whichever kind of site is created. */
export type NewSiteDraft = {
  purpose: (typeof sitePurposes)[number];
  starter: StarterChoice;
  /** Id of the site to copy. */
  copyFrom: string;
  name: string;
  slug: string;
  url: string;
  defaultLang: string;
  timeZone: string;
  identity: (typeof identityModes)[number];
};

/** The contract's `SiteInput` by kind: a site built here needs its slug, an external one its address; the other field is dropped. */
export const NewSite: z.ZodType<SiteInput, NewSiteDraft> = z.discriminatedUnion('purpose', [
  z
    .object({
      ...common,
      purpose: z.literal('built'),
      slug: slug.unwrap(),
      url: z.string().transform(() => null),
      starter: z.enum(starterChoices),
      copyFrom: z.string(),
    })
    .refine(({ starter, copyFrom }) => starter !== 'copy' || copyFrom !== '', { path: ['copyFrom'], message: 'required' satisfies FieldCode })
    .transform(({ starter, copyFrom, ...rest }) => (starter === 'copy' ? { ...rest, copyFrom } : { ...rest, starter })),
  z
    .object({ ...common, purpose: z.literal('external'), url: SiteUrl, slug: z.string(), starter: z.enum(starterChoices), copyFrom: z.string() })
    .transform(({ slug: _slug, starter: _starter, copyFrom: _copyFrom, ...rest }) => rest),
]);

export const steps = ['purpose', 'details', 'settings', 'summary'] as const;
export type Step = (typeof steps)[number];

/** The fields of each step: a step can be completed only if its fields are valid. */
export const fieldsOf: Readonly<Record<Step, readonly (keyof NewSiteDraft)[]>> = {
  purpose: ['purpose', 'starter', 'copyFrom'],
  details: ['name', 'url', 'slug'],
  settings: ['defaultLang', 'timeZone', 'identity'],
  summary: [],
};

const loopback = /^(localhost|[^/?#@]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/?#]|$)/i;

/** People type `example.com` or `localhost:8080`; a URL needs a scheme. A host before a port is not a scheme. */
export function withScheme(url: string): string {
  const typed = url.trim();
  if (typed === '' || /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(typed)) return typed;
  return `${loopback.test(typed) ? 'http' : 'https'}://${typed}`;
}

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** A restored draft, or the defaults if it is missing or from another release. */
export function draftFrom(restored: unknown, defaults: NewSiteDraft): NewSiteDraft {
  const found = (typeof restored === 'object' && restored !== null ? restored : {}) as Partial<Record<keyof NewSiteDraft, unknown>>;
  return {
    purpose: sitePurposes.find((one) => one === found.purpose) ?? defaults.purpose,
    starter: starterChoices.find((one) => one === found.starter) ?? defaults.starter,
    copyFrom: text(found.copyFrom, defaults.copyFrom),
    name: text(found.name, defaults.name),
    slug: text(found.slug, defaults.slug),
    url: text(found.url, defaults.url),
    defaultLang: text(found.defaultLang, defaults.defaultLang),
    timeZone: text(found.timeZone, defaults.timeZone),
    identity: identityModes.find((one) => one === found.identity) ?? defaults.identity,
  };
}
