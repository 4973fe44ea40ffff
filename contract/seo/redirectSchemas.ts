import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { RedirectTarget } from '../publishing/parts';
import { Path, SiteParams, edit, figures, operate, read } from './common';
import { redirectCalls } from './redirectCalls';

const DateTime = z.iso.datetime();
const e = redirectCalls;

const Host = z.object({ host: z.string(), redirectsTo: z.string().nullable(), keepPath: z.boolean() });
const NotFoundPath = z.object({
  path: z.string(),
  /** Requests by people, and by programs. */
  people: z.int(),
  bots: z.int(),
  firstAt: DateTime,
  lastAt: DateTime,
  /** The page with a link to it that most people came from; empty: none known. */
  referrer: z.string(),
  ignored: z.boolean(),
  /** A redirect that is live leads on from it by now. */
  redirected: z.boolean(),
  /** The most similar page. */
  suggestion: z.object({ path: z.string(), title: z.string() }).nullable(),
});
export type NotFoundPath = z.infer<typeof NotFoundPath>;

export const redirectEndpoints = {
  redirectUse: endpoint(e.redirectUse, {
    ...read,
    summary: 'How often redirects were used in 90 days, and the hostnames that they share addresses with',
    params: SiteParams,
    response: z.object({
      /** The host of the main address; null: the pages of the site are hosted elsewhere. */
      primary: z.string().nullable(),
      hosts: z.array(Host),
      hits: z.array(z.object({ from: z.string(), hits: z.int(), lastOn: z.iso.date() })),
    }),
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
    bodyLimit: 1024 ** 2,
    response: z.object({ changed: z.int() }),
  }),
  redirectNotFound: endpoint(e.redirectNotFound, {
    ...operate,
    summary: 'Redirect a path without a page, and publish the redirects alone',
    params: SiteParams,
    body: z.strictObject({ path: Path, to: RedirectTarget, status: z.literal([301, 302, 307, 308, 410]).default(301) }),
    response: z.object({ release: z.int() }),
    errors: ['invalid_fields', 'stale_revision', 'conflict'],
  }),
  suggestTargets: endpoint(e.suggestTargets, {
    ...read,
    summary: 'Pages that are similar to a path',
    params: SiteParams,
    query: z.object({ path: Path }),
    response: z.object({ rows: z.array(z.object({ path: z.string(), title: z.string(), score: z.number() })).max(10) }),
  }),
} as const;
