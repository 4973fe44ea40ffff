import { isOpen } from '../../contract/sites/terms';
import type { IndexedSite, SiteIndex } from '../areas/sites';
import type { Context } from '../context';
import { countSpam, createAccept } from './accept';
import type { AcceptResponse } from './accept';
import type { Position } from './checkpoint';
import type { Counts } from './counts';
import { createFloodGuard } from './flood';
import { createHitMaker } from './hits';
import type { CollectRequest } from './hits';
import type { Identity } from './identity';
import type { Journal } from './journal';
import type { Refusals } from './refusals';
import { encodeHits } from './row';
import { createServerHitMaker } from './serverHits';
import type { ServerHitsResult } from './serverHits';

export type IntakeParts = {
  readonly identity: Identity;
  readonly sites: Pick<SiteIndex, 'get' | 'find'>;
  readonly journal: Journal;
  readonly refusals: Refusals;
  readonly counts: Pick<Counts, 'add'>;
  /** Waits until everything before a place is in ClickHouse; null when the journal is trusted. */
  readonly stored: ((upTo: Position) => Promise<void>) | null;
};

export type Intake = {
  readonly accept: (request: CollectRequest) => Promise<AcceptResponse>;
  readonly acceptFromServer: (siteId: string, hits: readonly unknown[]) => Promise<ServerHitsResult | null>;
  /** Hits accepted since the start. */
  readonly accepted: () => number;
};

/** Hits of browsers and of servers on their way into the journal, classified by the same rules and counted for the completeness report. */
export function createIntake(ctx: Pick<Context, 'secrets' | 'now'>, { identity, sites, journal, refusals, counts, stored }: IntakeParts): Intake {
  const makeHits = createHitMaker(identity);
  const setAside = createFloodGuard();
  const readServerHits = createServerHitMaker(ctx.secrets, identity, makeHits);
  let accepted = 0;

  function countAccepted(siteId: string, spam: number, flood: number, at: number): void {
    if (spam > 0) counts.add(siteId, 'spam', spam, at);
    if (flood > 0) counts.add(siteId, 'flood', flood, at);
  }

  return {
    accepted: () => accepted,
    accept: createAccept({
      makeHits,
      sites,
      journal,
      setAside,
      refusals,
      now: ctx.now,
      stored,
      onAccepted(siteId, { hits, repeated, spam, flood }, at) {
        accepted += hits;
        counts.add(siteId, 'received', hits + repeated, at);
        countAccepted(siteId, spam, flood, at);
      },
    }),
    async acceptFromServer(siteId, hits) {
      const at = ctx.now();
      const site: IndexedSite | null = sites.get(siteId) ?? (await sites.find(siteId));
      if (site === null || !isOpen(site.state)) return null;
      const { rows, ...response } = readServerHits(site, hits, at);
      if (rows.length > 0) {
        const flood = setAside(rows);
        const end = await journal.append(encodeHits(rows));
        if (stored !== null) await stored(end);
        accepted += rows.length;
        // Not `received`: that is held against what browsers have numbered, and the rest is repeats.
        counts.add(siteId, 'late', response.late, at);
        countAccepted(siteId, countSpam(rows), flood, at);
      }
      return response;
    },
  };
}
