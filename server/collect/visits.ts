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
 * Derives visits from the hits of one visitor. The result is a pure function of the set of hits, so that hits may arrive late, repeatedly and in any order, and
 * a visit can be derived again at any time with the same result.
 *
 * - A hit is identified by (view, seq); of several copies the first received counts.
 * - A visit continues as long as no gap between its hits is longer than the site allows (`VisitRules`), by event time. It is not split at hours or midnight,
 *   and at a campaign only if the site's settings say so.
 * - A `view` or an `event` begins a visit; an `engage` ping only extends one. A tab that is viewed again after an hour without a click is not a new visit.
 * - `pv` counts `view` hits by view id, so the page views of all visits equal the page views of all hits. A view whose `view` hit never arrived is not counted:
 *   its other hits extend the visit, and its events and engaged time count.
 * - A visit has at most `maxHits` hits and `maxText` characters: more is a bot, and the size of a row must be limited. Hits of one millisecond stay together,
 *   up to twice the limits; further hits of the same millisecond are in no visit.
 * - A visit spans at most `maxSpanMs`; later hits begin another one. `visits` is ordered by start, so this limit lets a report find every visit that reaches
 *   into its range without reading all earlier ones: it scans those with `start >= from - maxSpanMs`. No person reads a site for a day without a break; open
 *   tabs and bots do.
 * - Hits of a visitor that were set aside as a flood (`flood.ts`) belong to no visit, and the visits that the visitor began on that day are marked as a bot's.
 */

/** Earlier visits: their number, and the start of the last one (epoch ms, 0 if there is none). */
export type Before = { readonly count: number; readonly start: number };

const hitName = (hit: HitRow): string => `${hit.view_id}${hit.seq}`;

/** All hits of both lists without copies; the first received copy is kept. The result is unordered. */
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
 * The visits derived from `hits`, oldest first. `hits`: all hits of one visitor without copies (`mergeHits`), from a time that is more than a gap after the
 * last visit counted in `before`. `floods`: days of a flood, if earlier hits contain flood marks.
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

/** The derived visits as rows. */
export const deriveVisits = (visitorId: string, hits: readonly HitRow[], before: Before, rules: VisitRules = defaultVisitRules): VisitRow[] =>
  deriveDrafts(hits, before, rules).map((draft) => visitRow(draft, visitorId, rules));
