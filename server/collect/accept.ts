import type { CollectResponse, RefusalCode } from '../../contract/collect/schemas';
import { isOpen } from '../../contract/sites/terms';
import type { SiteIndex } from '../areas/sites';
import { addressGroup } from '../http/address';
import { wishOf } from './hits';
import type { CollectRequest, createHitMaker } from './hits';
import { hostAllowed } from './hosts';
import { JournalFull } from './journal';
import type { Journal } from './journal';
import type { Position } from './checkpoint';
import { createHitOrder } from './hitOrder';
import { createLimiter } from './limiter';
import type { Refusals } from './refusals';
import { encodeHits } from './row';
import type { HitRow } from './row';
import { validateBody } from './validate';
import type { ValidHit } from './validate';

/** Response to a sender. With an error code nothing of the request was stored; `retryAfter` (seconds): when to try again. */
export type AcceptResponse = {
  readonly status: number;
  readonly body: CollectResponse | { readonly error: string; readonly code: RefusalCode };
  readonly retryAfter?: number;
};

/** The tracker retries on 408, 429 and from 500 on. */
const statusOf: Record<RefusalCode, number> = {
  malformed: 400,
  too_large: 413,
  too_many: 413,
  unknown_site: 404,
  site_not_active: 403,
  wrong_host: 403,
  too_old: 422,
  journal_full: 503,
  rate_limited: 429,
  opted_out: 202,
};
const retryAfter: Partial<Record<RefusalCode, number>> = { journal_full: 10, rate_limited: 60 };

export function refuse(code: RefusalCode): AcceptResponse {
  const wait = retryAfter[code];
  return { status: statusOf[code], body: { error: code, code }, ...(wait === undefined ? {} : { retryAfter: wait }) };
}

export type AcceptParts = {
  readonly sites: Pick<SiteIndex, 'get' | 'find'>;
  readonly makeHits: ReturnType<typeof createHitMaker>;
  readonly journal: Journal;
  /** Marks hits of a visitor above the daily limit; returns the number marked. */
  readonly setAside: (rows: readonly HitRow[]) => number;
  readonly refusals: Refusals;
  readonly now: () => number;
  /** Waits until everything before a position is in ClickHouse; null if the journal is trusted. */
  readonly stored: ((upTo: Position) => Promise<void>) | null;
  /**
   * `hits` of a site are durable; `flood` of them are set aside, `spam` of them have a spam referrer; `repeated`: further hits of the request that were copies.
   */
  readonly onAccepted: (
    siteId: string,
    hits: { readonly hits: number; readonly repeated: number; readonly spam: number; readonly flood: number },
    at: number,
  ) => void;
};

/** Responds to a request after its hits are durable. Rejects only on a disk error. */
export function createAccept(parts: AcceptParts): (request: CollectRequest) => Promise<AcceptResponse> {
  const { sites, makeHits, journal, setAside, refusals, now, stored, onAccepted } = parts;
  const limiter = createLimiter();
  const inOrder = createHitOrder();

  return async (request) => {
    const receivedAt = now();
    const body = validateBody(request.body, receivedAt);
    if (typeof body === 'string') {
      refusals.add(siteIn(request.body), body, '', receivedAt);
      return refuse(body);
    }
    const host = body.hits[0]?.host ?? '';
    const refuseAll = (code: RefusalCode): AcceptResponse => {
      refusals.add(body.siteId, code, host, receivedAt, body.hits.length + body.refused.length);
      return refuse(code);
    };
    if (!limiter.take(addressGroup(request.address), body.hits.length + body.refused.length, receivedAt)) return refuseAll('rate_limited');
    const site = sites.get(body.siteId) ?? (await sites.find(body.siteId));
    if (site === null || site.state === 'deleted') return refuseAll('unknown_site');
    if (!isOpen(site.state)) return refuseAll('site_not_active');

    const refused = [...body.refused];
    const takes = (hit: ValidHit): boolean => hostAllowed(hit.host, site);
    const wrong = site.measuring.hosts.length > 0 && !body.hits.every(takes);
    const optedOut = wishOf(request.headers, site.measuring) === 'refuse';
    const hits = optedOut ? [] : wrong ? body.hits.filter(takes) : body.hits;
    if (hits.length < body.hits.length)
      for (const hit of body.hits) if (!hits.includes(hit)) refused.push({ index: hit.index, code: optedOut ? 'opted_out' : 'wrong_host' });
    for (const { code } of refused) refusals.add(site.id, code, host, receivedAt);
    const result: CollectResponse = { accepted: hits.length, refused };
    if (hits.length === 0) return { status: 202, body: result };
    const rows = inOrder(makeHits(request, site, { ...body, hits }, receivedAt), body.sentAt);
    const flood = setAside(rows);
    const spam = countSpam(rows);
    try {
      const at = await journal.append(encodeHits(rows));
      await stored?.(at);
    } catch (error) {
      if (error instanceof JournalFull) return refuseAll('journal_full');
      throw error;
    }
    onAccepted(site.id, { hits: hits.length, repeated: body.repeated, spam, flood }, receivedAt);
    return { status: 202, body: result };
  };
}

export const countSpam = (rows: readonly HitRow[]): number => rows.filter((row) => row.bot_reasons.includes('spam')).length;

/** The site id in an unparsable request, so that the site's installation check can report it. */
function siteIn(text: string): string {
  return /"s"\s*:\s*"([a-z2-7]{12})"/.exec(text.slice(0, 2000))?.[1] ?? '';
}
