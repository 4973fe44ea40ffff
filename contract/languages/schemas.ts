import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { LocaleTag } from '../text';
import { languageCalls } from './calls';
import { SiteLanguagesPart } from './part';

export const SiteLanguages = z.object({
  part: SiteLanguagesPart,
  revision: z.int(),
  /** Whether it differs from what is live. */
  unreleased: z.boolean(),
  /** Tables with languages that the site does not have. */
  tables: z.array(z.object({ table: z.string(), name: z.string(), tags: z.array(LocaleTag) })),
});
export type SiteLanguages = z.infer<typeof SiteLanguages>;

export const LanguagePlan = z.object({
  /** Addresses that change. */
  addresses: z.int(),
  examples: z.array(z.object({ from: z.string(), to: z.string() })).max(20),
  /** Redirects that saving adds to the working copy. */
  redirects: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Paths of pages that the address of a language would hide. */
  collisions: z.array(z.object({ tag: LocaleTag, path: z.string() })),
});
export type LanguagePlan = z.infer<typeof LanguagePlan>;

const P = z.object({ siteId: SiteId });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
const compose = { access: { site: 'site.compose' }, token: 'publishing:write' } as const;
const e = languageCalls;

export const languageEndpoints = {
  siteLanguages: endpoint(e.siteLanguages, {
    ...read,
    summary: 'Languages of a site, and tables with others',
    params: P,
    response: SiteLanguages,
  }),
  changeSiteLanguages: endpoint(e.changeSiteLanguages, {
    ...compose,
    ifMatch: 'required',
    summary: 'Change languages and addresses in the working copy (If-Match: revision)',
    params: P,
    /** `confirm`: the tag of each language that is removed though it has content. */
    body: z.strictObject({ part: SiteLanguagesPart, confirm: z.array(LocaleTag).default([]) }),
    response: SiteLanguages,
    errors: ['stale_revision', 'invalid_fields', 'confirm_mismatch'],
  }),
  planSiteLanguages: endpoint(e.planSiteLanguages, {
    ...compose,
    summary: 'Which addresses a change of languages would move',
    params: P,
    body: z.strictObject({ part: SiteLanguagesPart }),
    response: LanguagePlan,
    errors: ['invalid_fields'],
  }),
} as const;
