import type { RefusalCode } from '../../contract/collect/schemas';
import type { Counts } from './counts';

export type Refusal = { readonly code: RefusalCode; count: number; lastAt: number; readonly host: string };
export type Refusals = {
  /** `hits`: number of hits in a refused request, if known. */
  readonly add: (siteId: string, code: RefusalCode, host: string, now: number, hits?: number) => void;
  /** Refusals of a site since the program started, newest first. */
  readonly of: (siteId: string) => Refusal[];
  readonly total: () => number;
};

/** Limits, because both come from untrusted input. */
const mostSites = 1000;
const mostPerSite = 50;

/** Counts refusals by site, code and host, for the installation check. In memory: it explains why no hits arrive now; `counts` stores the sums permanently. */
export function countRefusals(counts?: Pick<Counts, 'add'>): Refusals {
  const sites = new Map<string, Map<string, Refusal>>();
  let total = 0;
  return {
    add(siteId, code, host, now, hits = 1) {
      total += hits;
      counts?.add(siteId, code, hits, now);
      let known = sites.get(siteId);
      if (known === undefined) {
        if (sites.size >= mostSites) sites.delete(sites.keys().next().value as string);
        sites.set(siteId, (known = new Map()));
      }
      const key = `${code} ${host}`;
      const refusal = known.get(key) ?? { code, count: 0, lastAt: now, host };
      refusal.count += hits;
      refusal.lastAt = now;
      known.delete(key);
      known.set(key, refusal);
      if (known.size > mostPerSite) known.delete(known.keys().next().value as string);
    },
    of: (siteId) => [...(sites.get(siteId)?.values() ?? [])].map((one) => ({ ...one })).reverse(),
    total: () => total,
  };
}
