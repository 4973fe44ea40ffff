import { createHash } from 'node:crypto';
import { mayOnSite } from '../../../contract/permissions';
import type { listEndpoints as endpoints, FiguresOfSites, SiteFigures } from '../../../contract/sites/list';
import type { Site } from '../../../contract/sites/schemas';
import type { Context } from '../../context';
import type { CallOf } from '../../http/route';
import type { SessionInfo } from '../../http/access';
import type { SiteFigureSource } from '../area';

type Found = Awaited<ReturnType<SiteFigureSource['read']>>;
type Certificate = SiteFigures['certificate'];

/** The figures of this many sites are read anew after a second, those of ten times as many after ten seconds: reading them takes longer. */
const sitesPerSecond = 500;
const longestMs = 15_000;
/** Results of different readers; a person who sees all sites shares theirs with the others who do. */
const mostResults = 20;

const read = { siteId: '', visits: null, uptime: null, certificate: null, issues: null, unread: null } satisfies SiteFigures;

/** The worse of two certificates: one that failed, else the one that ends first. */
export function worseCertificate(a: Certificate, b: Certificate): Certificate {
  if (a === null || b === null) return a ?? b;
  const ends = [a.until, b.until].filter((until) => until !== null).sort();
  return { until: ends[0] ?? null, failed: a.failed || b.failed };
}

/** Reads of the figures of many sites, which several readers share while they run and shortly afterwards. */
function createShortCache() {
  const results = new Map<string, { readonly found: Promise<Found>; until: number }>();
  return (key: string, sites: number, work: () => Promise<Found>): Promise<Found> => {
    const known = results.get(key);
    if (known !== undefined && performance.now() < known.until) return known.found;
    const found = work();
    const result = { found, until: Infinity };
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > mostResults && oldest !== undefined) results.delete(oldest);
    found.then(
      () => (result.until = performance.now() + Math.min(longestMs, Math.floor(sites / sitesPerSecond) * 1000)),
      () => (result.until = 0),
    );
    return found;
  };
}

/** Figures of the sites that a caller sees, from all areas that have some. Rights are read with every call; only what the sources say about sites is shared. */
export function createFigures(ctx: Context, sources: readonly SiteFigureSource[]) {
  const shared = createShortCache();
  const mayRead = (session: SessionInfo, { action, token }: SiteFigureSource, site: Site): boolean =>
    mayOnSite(site.role, action) && (!session.token || session.token.scopes.includes(token));

  return async (session: SessionInfo, sites: readonly Site[]): Promise<FiguresOfSites> => {
    const failed: FiguresOfSites['failed'] = [];
    const bySite = new Map<string, SiteFigures>(sites.map(({ id }) => [id, { ...read, siteId: id }]));
    await Promise.all(
      sources.map(async (source) => {
        const readable = sites.filter((site) => mayRead(session, source, site));
        if (readable.length === 0) return;
        try {
          const key = [source.source, ...readable.map(({ id, timeZone, state, visibility }) => `${id}${timeZone}${state}${visibility}`)].join(' ');
          const found = await shared(key, readable.length, () => source.read(ctx, readable));
          for (const [siteId, { certificate, ...others }] of found) {
            const figures = bySite.get(siteId);
            if (figures) Object.assign(figures, others, { certificate: worseCertificate(figures.certificate, certificate ?? null) });
          }
        } catch (error) {
          ctx.log.warn('Figures of the list of sites could not be read', { source: source.source, error });
          failed.push(source.source);
        }
      }),
    );
    return { sites: [...bySite.values()], failed };
  };
}

/** Lets programs that poll skip an answer they have (`If-None-Match`). */
export function tagged({ request, reply }: Pick<CallOf<typeof endpoints.figures>, 'request' | 'reply'>, figures: FiguresOfSites): FiguresOfSites {
  const tag = `W/"${createHash('sha256').update(JSON.stringify(figures)).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim());
  if (known.includes(tag)) void reply.code(304);
  return figures;
}
