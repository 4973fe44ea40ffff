import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { publishingLimits } from '../publishing/terms';
import { safeText } from '../text';
import { Path, Released, SiteParams, edit, figures, read } from './common';
import { redirectCalls } from './redirectCalls';
import { redirectOrigins } from './terms';

const DateTime = z.iso.datetime();
const e = redirectCalls;

export const RedirectRow = z.strictObject({
  from: Path,
  to: z.string().max(2000),
  status: z.literal([301, 302, 307, 308, 410]).default(301),
  origin: z.enum(redirectOrigins).default('person'),
  note: safeText(200).default(''),
  /** After this day it no longer applies. */
  expiresOn: z.iso.date().nullable().default(null),
});
export type RedirectRow = z.output<typeof RedirectRow>;
const RedirectProblem = z.object({
  index: z.int(),
  code: z.enum(['duplicate', 'loop', 'endless', 'chain']),
  locations: z.array(z.string()),
  target: z.string().nullable(),
});
const RedirectList = z.array(RedirectRow).max(publishingLimits.redirects);
const Trail = z.object({
  hops: z.array(z.object({ from: z.string().nullable(), location: z.string() })),
  end: z.enum(['page', 'gone', 'elsewhere', 'loop', 'endless']),
  exists: z.boolean().nullable(),
});

export const NotFoundPath = z.object({
  path: z.string(),
  people: z.int(),
  bots: z.int(),
  firstAt: DateTime,
  lastAt: DateTime,
  /** The page with a link to it that most people came from; empty: none known. */
  referrer: z.string(),
  ignored: z.boolean(),
  /** The most similar page. */
  suggestion: z.string().nullable(),
});

export const redirectEndpoints = {
  redirects: endpoint(e.redirects, {
    ...read,
    summary: 'Redirects of the working copy, with hits',
    params: SiteParams,
    query: z.object({ ...pageQuery, q: z.string().max(200).optional(), origin: z.enum(redirectOrigins).optional() }),
    response: Released.extend({
      rows: z.array(RedirectRow.extend({ index: z.int(), hits: z.int(), lastHitOn: z.iso.date().nullable(), problem: RedirectProblem.nullable() })),
      total: z.int(),
    }),
  }),
  changeRedirects: endpoint(e.changeRedirects, {
    ...edit,
    ifMatch: 'required',
    summary: 'Replace the redirects of the working copy; loops are refused (If-Match: revision)',
    params: SiteParams,
    body: z.strictObject({ rows: RedirectList, flatten: z.boolean().default(true) }),
    bodyLimit: 16 * 1024 ** 2,
    response: Released.extend({ problems: z.array(RedirectProblem) }),
    errors: ['stale_revision', 'invalid_fields'],
  }),
  checkRedirects: endpoint(e.checkRedirects, {
    ...read,
    summary: 'Chains, loops and duplicates among redirects',
    params: SiteParams,
    body: z.strictObject({ rows: RedirectList }),
    bodyLimit: 16 * 1024 ** 2,
    response: z.object({ problems: z.array(RedirectProblem) }),
    errors: ['invalid_fields'],
    ratePerMinute: 60,
  }),
  readRedirects: endpoint(e.readRedirects, {
    ...edit,
    summary: 'Read redirects from CSV, .htaccess or nginx; nothing is saved',
    params: SiteParams,
    body: z.strictObject({ format: z.enum(['csv', 'htaccess', 'nginx']), text: z.string().max(4_000_000) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({
      rows: RedirectList,
      skipped: z.array(z.object({ line: z.int(), text: z.string(), reason: z.enum(['syntax', 'not_supported', 'not_this_site']) })),
    }),
    errors: ['too_large', 'invalid_fields'],
    ratePerMinute: 20,
  }),
  testRedirect: endpoint(e.testRedirect, {
    ...read,
    summary: 'Where an address leads, hop by hop',
    params: SiteParams,
    body: z.strictObject({ address: z.string().trim().min(1).max(2000), rows: RedirectList.optional() }),
    bodyLimit: 16 * 1024 ** 2,
    response: Trail,
    errors: ['invalid_fields'],
  }),
  notFoundPaths: endpoint(e.notFoundPaths, {
    ...figures,
    summary: 'Paths without a page, the most requested first',
    params: SiteParams,
    query: z.object({
      ...pageQuery,
      q: z.string().max(200).optional(),
      ignored: z.enum(['true', 'false']).default('false'),
      by: z.enum(['people', 'bots']).default('people'),
    }),
    response: Page(NotFoundPath),
  }),
  changeNotFound: endpoint(e.changeNotFound, {
    ...edit,
    summary: 'Ignore paths without a page, or list them again',
    params: SiteParams,
    body: z.strictObject({ paths: z.array(Path).min(1).max(500), ignored: z.boolean() }),
    response: z.object({ changed: z.int() }),
  }),
  suggestTargets: endpoint(e.suggestTargets, {
    ...read,
    summary: 'Pages that are similar to a path',
    params: SiteParams,
    query: z.object({ path: Path }),
    response: z.object({ rows: z.array(z.object({ path: z.string(), title: z.string(), score: z.number() })).max(10) }),
  }),
} as const;
