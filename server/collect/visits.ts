import { floodDay, floodDays } from './flood';
import { addHit, belongs, compareHits, markFlood, openDraft, visitRow } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import { defaultVisitRules } from './visitRules';
import type { VisitRules } from './visitRules';
import type { VisitRow } from './visitRow';
import type { HitRow } from './row';

export { maxHits, maxSpanMs, mostHits } from './visitRules';
export type { VisitRow } from './visitRow';

/**
 * From the hits of one visitor to visits. The result is a pure function of the set of hits, so that hits may come
 * late, twice and in any order, and a visit can be derived again at any time with the same result.
 *
 * - A hit is named by (view, seq); of several copies the first received counts.
 * - A visit goes on as long as no gap between its hits is longer than the site says (`VisitRules`), on event time. No hour and no midnight
 *   cuts it, and a campaign only where the site says so.
 * - A `view` or an `event` begins a visit; an `engage` ping only carries one on. A tab that is looked at again after an
 *   hour without a click is not a new visit.
 * - `pv` counts `view` hits by view id, so the page views of all visits are the page views of all hits. A view whose
 *   `view` hit never came is not counted: its other hits carry the visit on, and its events and engaged time count.
 * - A visit holds at most `maxHits` hits and `maxText` characters: more is a program, and a row must stay bounded. Hits of one millisecond stay
 *   together, up to twice as much; of a millisecond that has still more the others are in no visit.
 * - A visit spans at most `maxSpanMs`; what comes later begins another. `visits` is ordered by beginning, so this is what
 *   lets a report find every visit that reaches into its range without reading all that came before: it scans those with
 *   `start >= from - maxSpanMs`. Nobody reads a site for a day without a pause; open tabs and programs do.
 * - Hits of a visitor that were set aside as a flood (`flood.ts`) belong to no visit, and the visits that it began on that day are a program's.
 */

/** What came before: number of visits, and the start of the last of them (epoch ms, 0 when there is none). */
export type Before = { readonly count: number; readonly start: number };

const hitName = (hit: HitRow): string => `${hit.view_id}${hit.seq}`;

/** All hits of both lists, each name once; the first received copy stays. The order of the answer means nothing. */
export function mergeHits(known: readonly HitRow[], added: readonly HitRow[]): HitRow[] {
  const byName = new Map<string, HitRow>();
  for (const hits of [known, added]) {
    for (const hit of hits) {
      const name = hitName(hit);
      const copy = byName.get(name);
      if (copy === undefined || hit.received_at < copy.received_at || (hit.received_at === copy.received_at && hit.at < copy.at)) byName.set(name, hit);
    }
  }
  return [...byName.values()];
}

/**
 * The visits that `hits` make, oldest first. `hits`: each hit once (`mergeHits`), all of one visitor from some moment on that lies
 * more than a gap behind the last visit counted in `before`. `floods`: days of a flood, where hits before these tell of some.
 */
export function deriveDrafts(
  hits: readonly HitRow[],
  before: Before,
  rules: VisitRules = defaultVisitRules,
  floods: ReadonlySet<number> = floodDays(hits),
): VisitDraft[] {
  const drafts: VisitDraft[] = [];
  let draft: VisitDraft | undefined;
  for (const hit of [...hits].sort(compareHits)) {
    if (hit.set_aside === 1) continue;
    if (draft !== undefined && belongs(draft, hit, rules)) addHit(draft, hit);
    else if (hit.kind !== 'engage') drafts.push((draft = openDraft(hit, before.count + drafts.length + 1, draft?.start ?? before.start)));
  }
  if (floods.size > 0) for (const one of drafts) if (floods.has(floodDay(one.start))) markFlood(one);
  return drafts;
}

/** The same as rows. */
export const deriveVisits = (visitorId: string, hits: readonly HitRow[], before: Before, rules: VisitRules = defaultVisitRules): VisitRow[] =>
  deriveDrafts(hits, before, rules).map((draft) => visitRow(draft, visitorId, rules));
