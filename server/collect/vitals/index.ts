import path from 'node:path';
import { verdictBounds } from '../../../contract/analytics/terms';
import type { RefusalCode } from '../../../contract/collect/schemas';
import { isOpen } from '../../../contract/sites/terms';
import type { SiteIndex } from '../../areas/sites';
import type { Context } from '../../context';
import { addressGroup } from '../../http/address';
import { refuse } from '../accept';
import type { AcceptResponse } from '../accept';
import { botSignals, deviceOf, hintsOf, placeOf, usableAddress } from '../classify';
import { wishOf } from '../hits';
import type { CollectRequest } from '../hits';
import { hostAllowed } from '../hosts';
import { JournalFull, openJournal } from '../journal';
import { createLimiter } from '../limiter';
import { siteId as idPattern } from '../validate';
import { startVitalsDrain } from './drain';
import { encodeVitals, metricId, vitalColumns } from './row';
import type { VitalRow } from './row';
import { validateVitals } from './validate';
import type { ValidVitals } from './validate';

export type VitalsIntake = {
  /** Takes one request; resolves when its values are durable. */
  readonly accept: (request: CollectRequest) => Promise<AcceptResponse>;
  /** The share of page loads from which a site collects vitals; 0: none, also for a site that does not exist. `address`: of the client, whose look-ups of unknown sites are limited. */
  readonly rateOf: (siteId: string, address: string) => Promise<number>;
  /** Resolves when everything accepted before the call is stored. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** There are fewer vitals than hits: the journal is a buffer while ClickHouse is away, and must leave the disk to the hits. */
const mostJournalBytes = 256 * 1024 * 1024;

type Site = NonNullable<ReturnType<SiteIndex['get']>>;

/**
 * The way of a web vital: accepted by the rules of hits into a journal of its own, drained into `web_vitals`. The journal is separate because a vital neither
 * belongs to a visit nor has a visitor: no id of the browser is sent, and none is derived.
 */
export async function startVitals(ctx: Context, sites: SiteIndex, processName: string): Promise<VitalsIntake> {
  const log = ctx.log.child({ part: 'vitals' });
  const folder = path.join(ctx.config.dataDir, 'vitals', processName);
  let wake = (): void => undefined;
  const maxBytes = Math.min(ctx.config.journalMaxBytes, mostJournalBytes);
  const journal = await openJournal({ folder, maxBytes, columns: vitalColumns, log, onDurable: () => wake() });
  const drain = startVitalsDrain({ journal, clickhouse: ctx.clickhouse, log });
  ({ wake } = drain);
  const limiter = createLimiter();
  const nextVersion = createVersions(ctx.now);
  const find = async (siteId: string): Promise<Site | null> => sites.get(siteId) ?? (await sites.find(siteId));
  const shareOf = ({ measuring: { vitals } }: Site): number => (vitals.on ? vitals.percent / 100 : 0);

  function rowsOf(request: CollectRequest, site: Site, body: ValidVitals): VitalRow[] {
    const { addresses } = site.measuring;
    const address = usableAddress(request.address, addresses);
    const { country, province } = placeOf(address);
    const device = deviceOf(request.userAgent, hintsOf(request.headers, null));
    return body.values.map((value) => ({
      site_id: site.id,
      metric: value.metric,
      metric_id: metricId(value.metric, value.name),
      version: nextVersion(),
      view_id: value.view,
      at: value.at,
      value: value.value,
      host: value.host,
      path: value.path,
      family: value.family,
      device: device.deviceType,
      os: device.os,
      browser: device.browser,
      country,
      province: addresses === 'two' ? '' : province,
      connection: body.connection,
      navigation: value.navigation,
      attribution: value.attribution,
    }));
  }

  /** null if the values may be stored. */
  function refusalFor(request: CollectRequest, site: Site | null): RefusalCode | null {
    if (site === null || site.state === 'deleted') return 'unknown_site';
    if (!isOpen(site.state)) return 'site_not_active';
    return shareOf(site) === 0 || wishOf(request.headers, site.measuring) === 'refuse' ? 'opted_out' : null;
  }

  return {
    rateOf: async (siteId, address) => {
      const mayFind = idPattern.test(siteId) && (sites.get(siteId) !== null || limiter.take(addressGroup(address), 1, ctx.now()));
      const site = mayFind ? await find(siteId) : null;
      return site === null || !isOpen(site.state) ? 0 : shareOf(site);
    },
    async accept(request) {
      const now = ctx.now();
      const body = validateVitals(request.body, now);
      if (body === null) return refuse('malformed');
      if (!limiter.take(addressGroup(request.address), body.values.length + body.refused.length, now)) return refuse('rate_limited');
      const site = await find(body.siteId);
      const code = refusalFor(request, site);
      if (site === null || code !== null) return refuse(code ?? 'unknown_site');
      const values = body.values.filter(({ host }) => hostAllowed(host, site));
      const refused = body.refused.map((index) => ({ index, code: 'malformed' as const }));
      if (values.length === 0 && body.values.length > 0) return refuse('wrong_host');
      const { userAgent, address, headers } = request;
      const { score } = botSignals({ userAgent, ip: usableAddress(address, site.measuring.addresses), headers, webdriver: body.webdriver });
      // Programs see other pages than people do, so their values are dropped; they get the same response.
      const response: AcceptResponse = { status: 202, body: { accepted: values.length, refused } };
      if (score >= verdictBounds.suspected || values.length === 0) return response;
      try {
        const at = await journal.append(encodeVitals(rowsOf(request, site, { ...body, values })));
        if (ctx.config.ack === 'clickhouse') await drain.stored(at);
      } catch (error) {
        if (error instanceof JournalFull) return refuse('journal_full');
        throw error;
      }
      return response;
    },
    flush: () => drain.stored(journal.end()),
    async close() {
      await drain.close();
      await journal.close();
    },
  };
}

/** Numbers that grow with every call and with time, also across restarts. */
function createVersions(now: () => number): () => number {
  let last = 0;
  return () => (last = Math.max(last + 1, now() * 1000));
}
