import { z } from 'zod';
import { FilterText, dimensions } from '../analytics/schemas';
import { publicLinkCalls } from './calls';
import { publicLinkPresets, publicScreens, viewParameters } from './terms';
import { endpoint } from '../endpoint';
import { linkChangeFields, linkFacts, newLinkFields } from '../links';
import { Site, SiteId } from '../sites/schemas';
import { rowId, safeName } from '../text';

export * from './terms';

/** The view that a link begins with, as the query of a report's address (`range=lastMonth&compare=year`); '' for the preset alone. */
const ViewText = z
  .string()
  .max(1000)
  .refine((text) => [...new URLSearchParams(text).keys()].every((name) => (viewParameters as readonly string[]).includes(name)));

/** A public link: a read-only link to some report screens of one site, for people without an account. */
export const PublicLink = z.object({
  id: z.uuid(),
  name: z.string(),
  /** URL to hand on. */
  url: z.string(),
  screens: z.array(z.enum(publicScreens)),
  /** Filters that always apply, in addition to those of the reader. */
  filters: z.array(z.string()),
  preset: z.enum(publicLinkPresets),
  view: z.string(),
  /** URL of the card to embed; null when it is switched off. */
  card: z.string().nullable(),
  ...linkFacts,
});
export type PublicLink = z.infer<typeof PublicLink>;

const fields = {
  name: safeName(60),
  screens: z.array(z.enum(publicScreens)).min(1).max(publicScreens.length),
  filters: z.array(FilterText).max(10),
  preset: z.enum(publicLinkPresets),
  view: ViewText,
  /** Whether the embeddable card is on. A card cannot prompt for a password, so a link has either a card or a password. */
  card: z.boolean(),
};
export const NewPublicLink = z.strictObject({
  ...fields,
  filters: fields.filters.default([]),
  preset: fields.preset.default('last30'),
  view: fields.view.default(''),
  card: fields.card.default(false),
  ...newLinkFields,
});
export type NewPublicLink = z.input<typeof NewPublicLink>;
export const PublicLinkChange = z.strictObject(fields).partial().extend(linkChangeFields);
export type PublicLinkChange = z.input<typeof PublicLinkChange>;

/** First response to a reader of the link. `site` is null until the password has been given. */
export const OpenReports = z.object({
  name: z.string(),
  needsPassword: z.boolean(),
  site: Site.nullable(),
  screens: z.array(z.enum(publicScreens)),
  /** Dimensions available for rows and filters. */
  dimensions: z.array(z.enum(dimensions)),
  preset: z.enum(publicLinkPresets),
  view: z.string(),
  expiresAt: z.iso.datetime().nullable(),
});
export type OpenReports = z.infer<typeof OpenReports>;

const Params = z.object({ siteId: SiteId });
export const publicLinkEndpoints = {
  publicLinks: endpoint(publicLinkCalls.publicLinks, {
    access: { site: 'analytics.configure' },
    summary: 'Links to reports of the site, newest first',
    params: Params,
    response: z.array(PublicLink),
  }),
  addPublicLink: endpoint(publicLinkCalls.addPublicLink, {
    access: { site: 'analytics.configure' },
    summary: 'Make a read-only link to some screens',
    params: Params,
    body: NewPublicLink,
    response: PublicLink,
    errors: ['conflict'],
  }),
  changePublicLink: endpoint(publicLinkCalls.changePublicLink, {
    ifMatch: 'required',
    access: { site: 'analytics.configure' },
    summary: 'Change a link; its address stays',
    params: Params.extend({ id: rowId }),
    body: PublicLinkChange,
    response: PublicLink,
    errors: ['not_found', 'stale_revision'],
  }),
  removePublicLink: endpoint(publicLinkCalls.removePublicLink, {
    access: { site: 'analytics.configure' },
    summary: 'End a link at once; it can be restored for an hour',
    params: Params.extend({ id: rowId }),
    errors: ['not_found'],
  }),
  restorePublicLink: endpoint(publicLinkCalls.restorePublicLink, {
    access: { site: 'analytics.configure' },
    summary: 'Restore an ended link; it works again at the same address',
    params: Params.extend({ id: rowId }),
    response: PublicLink,
    errors: ['not_found', 'conflict'],
  }),
  takeOverPublicLink: endpoint(publicLinkCalls.takeOverPublicLink, {
    access: { site: 'analytics.configure' },
    summary: 'Take over a link that has stopped with the rights of its maker; its address stays',
    params: Params.extend({ id: rowId }),
    response: PublicLink,
    errors: ['not_found', 'conflict'],
  }),
  openReports: endpoint(publicLinkCalls.openReports, {
    access: 'public',
    summary: 'What a link shows; its secret comes in the header `X-Share`',
    response: OpenReports,
    errors: ['link_ended'],
    ratePerMinute: 120,
  }),
  unlockReports: endpoint(publicLinkCalls.unlockReports, {
    access: 'public',
    summary: 'Give the password of a link; the pass goes behind the secret in `X-Share`, a full stop between, for twelve hours',
    body: z.strictObject({ password: z.string().max(200) }),
    response: z.object({ pass: z.string() }),
    errors: ['link_ended', 'bad_credentials', 'too_many_requests'],
    ratePerMinute: 60,
  }),
} as const;
