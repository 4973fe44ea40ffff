import type { VisitorName } from './queries';
import { keyOf, noId } from './row';
import type { HitRow } from './row';

/** The hits of each visitor, in the given order. */
export function groupByVisitor(hits: readonly HitRow[]): HitRow[][] {
  const groups = new Map<string, HitRow[]>();
  for (const hit of hits) {
    const key = keyOf(hit.site_id, hit.visitor_id);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

/** All visitors that hits refer to: their own ids, and the ids of the previous day. */
export function* namesIn(hits: readonly HitRow[]): Generator<VisitorName> {
  for (const hit of hits) {
    yield { siteId: hit.site_id, id: hit.visitor_id };
    if (hit.visitor_alt !== noId) yield { siteId: hit.site_id, id: hit.visitor_alt };
  }
}
