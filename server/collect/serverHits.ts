import { botReasonPoints, ServerHit, serverHitLimits } from '../../contract/measuring/schemas';
import type { serverHitCodes } from '../../contract/measuring/schemas';
import { limits } from '../../contract/collect/schemas';
import type { IndexedSite } from '../areas/sites';
import type { Secrets } from '../secrets';
import { usableAddress } from './classify';
import type { createHitMaker, Named } from './hits';
import { hostAllowed } from './hosts';
import type { Identity } from './identity';
import { noId } from './row';
import type { HitRow } from './row';
import { cleanText } from './text';
import { cleanProps, readAddress } from './validate';
import type { ValidHit } from './validate';

export type ServerHitCode = (typeof serverHitCodes)[number];
export type ServerHitsResult = {
  readonly accepted: number;
  readonly refused: { index: number; id: string | null; code: ServerHitCode }[];
  /** Older than a browser's hits may be. */ readonly late: number;
};

/**
 * Converts hits sent by a site's server (contract/measuring/schemas.ts) to rows to be stored and a list of refusals. The same id always identifies the same
 * hit, and ids and visitors of servers never coincide with those of browsers: both are keyed hashes with a separate purpose.
 */
export function createServerHitMaker(
  secrets: Secrets,
  identity: Identity,
  makeHits: ReturnType<typeof createHitMaker>,
): (site: IndexedSite, value: readonly unknown[], now: number) => { rows: HitRow[] } & ServerHitsResult {
  const hex16 = (what: string, text: string): string =>
    Buffer.from(secrets.mac(`server hits ${what}`, text), 'base64url')
      .toString('hex')
      .slice(0, 16);

  /** The visitor of a hit; null if visitors cannot be distinguished. On a site without ids, the sender's visitor id is valid for one day only. */
  function visitorOf(site: IndexedSite, hit: ServerHit, at: number): Omit<Named, 'origin'> | null {
    const known = hit.visitorId === undefined ? hit.userId : `visitor\n${hit.visitorId}`;
    const own = known === undefined ? undefined : hit.visitorId === undefined ? `user\n${known}` : known;
    if (own !== undefined && site.identity === 'first_party') return { visitor: hex16('visitor', `${site.id}\n${own}`), alt: noId };
    const address = usableAddress(hit.address ?? '', site.measuring.addresses);
    if (own === undefined && (hit.address === undefined || hit.userAgent === undefined)) return null;
    const sender = { address: own === undefined ? `server\n${address}` : 'server', userAgent: own ?? hit.userAgent ?? '' };
    const named = identity.visitorOf(site, sender, at, 'server');
    return { visitor: named.id, alt: named.alt };
  }

  function one(site: IndexedSite, value: unknown, index: number, now: number): { row: HitRow; at: number } | ServerHitCode {
    const parsed = ServerHit.safeParse(value);
    if (!parsed.success) return 'malformed';
    const hit = parsed.data;
    const at = hit.at === undefined ? now : Date.parse(hit.at);
    if (at > now + serverHitLimits.aheadMs) return 'in_future';
    if (at < now - serverHitLimits.ageMs) return 'too_old';
    const place = readAddress(hit.url);
    if (place === null || (hit.type === 'event' && cleanText(hit.name ?? '', limits.eventName) === '')) return 'malformed';
    if (!hostAllowed(place.host, site)) return 'wrong_host';
    const named = visitorOf(site, hit, at);
    if (named === null) return 'no_visitor';
    const valid: ValidHit = {
      kind: hit.type,
      index,
      view: hex16('hit', `${site.id}\n${hit.id}`),
      seq: 0,
      at: Math.min(at, now),
      ...place,
      title: cleanText(hit.title ?? '', limits.title),
      referrer: cleanText(hit.referrer ?? '', limits.referrer),
      screenW: hit.screen?.width ?? 0,
      screenH: hit.screen?.height ?? 0,
      lang: cleanText(hit.language ?? '', 35),
      engagedMs: Math.round(Math.min(limits.engagedMs, hit.engagedMs ?? 0)),
      scroll: 0,
      name: hit.type === 'event' ? cleanText(hit.name ?? '', limits.eventName) : '',
      props: hit.type === 'event' && hit.props ? cleanProps(hit.props) : '',
      webdriver: false,
    };
    // A missing language or user agent in a server hit is no signal of a bot.
    const request = { body: '', address: hit.address ?? '', userAgent: hit.userAgent ?? '', headers: { 'accept-language': hit.language || '*' } };
    const [row] = makeHits(request, site, { visitor: null, hits: [valid] }, now, { ...named, origin: 'server' });
    if (row === undefined) return 'malformed';
    return { row: hit.userAgent === undefined ? { ...row, ...onlySpam(row) } : row, at: valid.at };
  }

  return (site, value, now) => {
    const rows: HitRow[] = [];
    const refused: ServerHitsResult['refused'] = [];
    let late = 0;
    for (const [index, raw] of value.entries()) {
      const hit = one(site, raw, index, now);
      if (typeof hit === 'string') refused.push({ index, id: idIn(raw), code: hit });
      else {
        rows.push(hit.row);
        if (hit.at < now - limits.ageMs) late += 1;
      }
    }
    return { rows, accepted: rows.length, refused, late };
  };
}

/** The bot signals that apply if nothing is known of the visitor. */
const onlySpam = ({ bot_reasons: reasons }: HitRow): Pick<HitRow, 'bot_score' | 'bot_reasons'> =>
  reasons.includes('spam') ? { bot_score: botReasonPoints.spam, bot_reasons: ['spam'] } : { bot_score: 0, bot_reasons: [] };

const idIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id.slice(0, 200) : null;
