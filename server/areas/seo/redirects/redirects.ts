import { normalizePath } from '../../../../contract/paths';
import { parts as partSchemas } from '../../../../contract/publishing/parts';
import { createRedirects, readablePath } from '../../../../contract/publishing/redirects';
import { publishingLimits } from '../../../../contract/publishing/terms';
import type { redirectEndpoints as endpoints } from '../../../../contract/seo/redirectSchemas';
import { seoLimits } from '../../../../contract/seo/terms';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { addDays, dayAt } from '../../../zone';
import { actorOf } from '../../audit';
import { liveSite, publishParts, putPart, redirectSiteOf, workingParts } from '../../publishing';
import { readIndexedSite } from '../../sites';
import { publishedPages } from '../knownPages';
import { livePages } from '../pages';
import * as queries from './queries';
import type { Suggester } from './suggest';
import type { Suggesters } from './suggesters';

/** Pages that suggestions are chosen from. */
const mostPages = 20_000;

/** How often redirects were used, and what the hostnames of the site do. */
export async function redirectUse(ctx: Context, { site }: CallOf<typeof endpoints.redirectUse>): Promise<ResponseOf<typeof endpoints.redirectUse>> {
  const since = addDays(dayAt(ctx.now(), site.row.timeZone), 1 - seoLimits.knownDays);
  const [served, hits] = await Promise.all([readIndexedSite(ctx, site.id), queries.hitsSince(ctx.postgres.db, site.id, since)]);
  const graph = served && redirectSiteOf(served);
  return {
    primary: graph?.primary ?? null,
    hosts: [...(graph?.hosts ?? [])].map(([host, { redirectsTo, keepPath }]) => ({ host, redirectsTo, keepPath })),
    hits,
  };
}

/** Reserved characters stay encoded in stored paths, but rules are compared with decoded ones. */
const decoded = (path: string): string => readablePath(path) ?? path;

type Site = CallOf<typeof endpoints.suggestTargets>['site'];
const suggesterOf = (ctx: Context, suggesters: Suggesters, { id, row }: Site, release: string | null): Promise<Suggester> =>
  suggesters.of(id, release, async () => publishedPages(await livePages(ctx, { ...row, id }), mostPages));

export async function notFoundPaths(
  ctx: Context,
  suggesters: Suggesters,
  { site, query }: CallOf<typeof endpoints.notFoundPaths>,
): Promise<ResponseOf<typeof endpoints.notFoundPaths>> {
  const { rows, total } = await queries.listNotFound(ctx.postgres.db, site.id, { ...query, ignored: query.ignored === 'true' });
  const live = await liveSite(ctx, site.id);
  const suggest = rows.length === 0 ? null : await suggesterOf(ctx, suggesters, site, live?.id ?? null);
  const redirects = createRedirects(live ? partSchemas.redirects.parse(live.parts.redirects) : []);
  return {
    rows: rows.map(({ path, people, bots, firstAt, lastAt, referrer, ignored }) => {
      const best = suggest?.(path, 1)[0];
      return {
        path,
        people,
        bots,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
        referrer,
        ignored,
        redirected: redirects(decoded(path), '') !== null,
        suggestion: best ? { path: best.path, title: best.title } : null,
      };
    }),
    total,
  };
}

export async function changeNotFound(ctx: Context, { site, body }: CallOf<typeof endpoints.changeNotFound>): Promise<{ changed: number }> {
  return { changed: await queries.ignorePaths(ctx.postgres.db, site.id, body.paths, body.ignored) };
}

export async function suggestTargets(
  ctx: Context,
  suggesters: Suggesters,
  { site, query }: CallOf<typeof endpoints.suggestTargets>,
): Promise<ResponseOf<typeof endpoints.suggestTargets>> {
  const live = await liveSite(ctx, site.id);
  return { rows: (await suggesterOf(ctx, suggesters, site, live?.id ?? null))(query.path, 10) };
}

/**
 * Adds a redirect of a path without a page, and publishes the redirects alone. Throws `stale_revision` if somebody else changes them meanwhile, `invalid_fields` if the
 * redirect would go round.
 */
export async function redirectNotFound(ctx: Context, call: CallOf<typeof endpoints.redirectNotFound>): Promise<ResponseOf<typeof endpoints.redirectNotFound>> {
  const { site, session, body } = call;
  const { db } = ctx.postgres;
  if (body.status !== 410 && body.to === '') failField('to', 'required');
  const { redirects } = await workingParts(db, { id: site.id, defaultLang: site.row.defaultLang });
  const from = decoded(body.path);
  const added = { from, to: body.status === 410 ? '' : body.to, status: body.status, origin: 'not_found', note: '', expiresOn: null };
  const others = redirects.content.filter((one) => one.from !== from);
  if (others.length >= publishingLimits.redirects) failField('path', 'too_long');
  const author = { site: site.row, userId: session.userId, actor: actorOf(call) };
  if (!(await putPart(ctx, author, 'redirects', [...others, added], redirects.revision))) fail('stale_revision');
  const release = await publishParts(ctx, call, ['redirects']);
  await queries.removePath(db, site.id, normalizePath(body.path));
  return { release: release.number };
}
