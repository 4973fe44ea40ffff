/**
 * A second, deliberately simple and slow implementation of the definition of a visit. It shares no code with the
 * product: where both agree, they implement the description in server/collect/visits.ts.
 */
/** `About`: attributes of the whole visit from its opening page (source, device, place…); the definition of a visit does not use them. */
export type OracleHit<About = object> = {
  visitor: string;
  /** The visitor's id under yesterday's salt, if the hit has one. */
  yesterday: string | null;
  view: string;
  seq: number;
  kind: 'view' | 'event' | 'engage';
  at: number;
  received: number;
  host: string;
  path: string;
  title: string;
  search: string;
  engaged: number;
  scroll: number;
  name: string;
  props: string;
  origin: string;
  source: string;
  about: About;
  botScore: number;
  botReasons: string[];
  /** The campaign that a page was opened by; '' or absent: none. */
  campaign?: string;
};
export type OracleView = {
  id: string;
  at: number;
  host: string;
  path: string;
  title: string;
  search: string;
  engaged: number;
  scroll: number;
  events: number;
};
/** `view`: the number of its page view, from 1; 0 if that was opened before this visit. */
export type OracleEvent = { at: number; name: string; props: string; view: number };
export type OracleVisit<About = object> = {
  visitor: string;
  start: number;
  last: number;
  views: OracleView[];
  paths: number;
  events: OracleEvent[];
  engaged: number;
  bounce: boolean;
  entry: string;
  exit: string;
  origin: string;
  source: string;
  about: About;
  botScore: number;
  botReasons: string[];
  number: number;
  previous: number;
};

/** Settings of the site: the longest pause (ms), whether a new campaign starts a new visit, and the engaged time (ms) from which a single page is no bounce (0: never). */
export type OracleDefinition = { pause: number; campaigns: boolean; engaged: number };
const usual: OracleDefinition = { pause: 30 * 60_000, campaigns: false, engaged: 0 };
const longest = 24 * 60 * 60_000;

/** Actions of the reader: the site's own events, outbound links and downloads. The program's other events (`$…`) do not count. */
const isAct = (event: { name: string }): boolean =>
  event.name === '$outbound' || event.name === '$download' || event.name === '$form' || !event.name.startsWith('$');

export function oracleVisits<About>(sent: OracleHit<About>[], definition: OracleDefinition = usual): OracleVisit<About>[] {
  const visits: OracleVisit<About>[] = [];
  for (const [person, hits] of people(sent, definition)) {
    let previous = 0;
    for (const [i, visit] of stretches(withoutCopies(hits), definition).entries()) {
      const description = describe(visit, definition);
      const cameBackByEvent = description.views.length === 0 && i > 0 && description.source === 'direct';
      visits.push({ ...description, source: cameBackByEvent ? 'internal' : description.source, visitor: person, number: i + 1, previous });
      previous = visit[0]!.at;
    }
  }
  return visits.sort((a, b) => a.start - b.start || (a.visitor < b.visitor ? -1 : 1));
}

/** Merges visitor ids: an id with yesterday's id is the same visitor unless a longer pause separates the two. */
function people<About>(sent: OracleHit<About>[], { pause }: OracleDefinition): Map<string, OracleHit<About>[]> {
  const groups = new Map<string, OracleHit<About>[]>();
  for (const hit of sent) {
    const own = groups.get(hit.visitor);
    if (own) own.push(hit);
    else groups.set(hit.visitor, [hit]);
  }
  const nameOf = new Map<string, string>([...groups.keys()].map((id) => [id, id]));
  for (let changed = true; changed;) {
    changed = false;
    for (const hit of sent) {
      if (hit.yesterday === null || nameOf.get(hit.visitor) !== hit.visitor) continue;
      const other = nameOf.get(hit.yesterday);
      if (other === undefined || other === hit.visitor) continue;
      const latest = Math.max(...groups.get(other)!.map((one) => one.at));
      const earliestNaming = Math.min(
        ...groups
          .get(hit.visitor)!
          .filter((one) => one.yesterday !== null)
          .map((one) => one.at),
      );
      if (earliestNaming > latest + pause) continue;
      groups.set(other, [...groups.get(other)!, ...groups.get(hit.visitor)!]);
      groups.delete(hit.visitor);
      for (const [id, name] of nameOf) if (name === hit.visitor) nameOf.set(id, other);
      changed = true;
    }
  }
  return groups;
}

function withoutCopies<About>(hits: OracleHit<About>[]): OracleHit<About>[] {
  const distinctHits: OracleHit<About>[] = [];
  for (const hit of [...hits].sort((a, b) => a.received - b.received || a.at - b.at)) {
    if (!distinctHits.some((one) => one.view === hit.view && one.seq === hit.seq)) distinctHits.push(hit);
  }
  return distinctHits;
}

/** Hits belong to one visit while pauses are short enough, for a day at most, and under one campaign if configured; only views and events start a visit. */
function stretches<About>(hits: OracleHit<About>[], { pause, campaigns }: OracleDefinition): OracleHit<About>[][] {
  const rest = [...hits].sort(
    (a, b) => a.at - b.at || (a.kind === 'engage' ? 1 : 0) - (b.kind === 'engage' ? 1 : 0) || a.view.localeCompare(b.view) || a.seq - b.seq,
  );
  const found: OracleHit<About>[][] = [];
  while (rest.length > 0) {
    while (rest[0]?.kind === 'engage') rest.shift();
    const one: OracleHit<About>[] = [];
    while (rest.length > 0 && (one.length === 0 || (rest[0]!.at <= one.at(-1)!.at + pause && rest[0]!.at <= one[0]!.at + longest))) {
      const next = rest[0]!;
      const current = one.filter((hit) => hit.kind === 'view' && campaignOf(hit) !== '').at(-1);
      const another = next.kind === 'view' && campaignOf(next) !== '' && campaignOf(next) !== (current === undefined ? '' : campaignOf(current));
      // Hits of the same millisecond belong together.
      if (campaigns && one.length > 0 && another && next.at > one.at(-1)!.at) break;
      one.push(rest.shift()!);
    }
    if (one.length > 0) found.push(one);
  }
  return found;
}

const campaignOf = (hit: OracleHit<unknown>): string => hit.campaign ?? '';

function describe<About>(hits: OracleHit<About>[], definition: OracleDefinition): Omit<OracleVisit<About>, 'visitor' | 'number' | 'previous'> {
  const start = hits[0]!.at;
  const opening = hits.filter((hit, i) => hit.kind === 'view' && !hits.slice(0, i).some((one) => one.kind === 'view' && one.view === hit.view));
  const views = opening.map((open) => {
    const mine = hits.filter((hit) => hit.view === open.view);
    return {
      id: open.view,
      at: open.at,
      host: open.host,
      path: open.path,
      // Applications set the title after changing the address, so the last title counts.
      title: mine.filter((hit) => hit.title !== '').sort((a, b) => b.seq - a.seq)[0]?.title ?? '',
      search: open.search,
      engaged: Math.max(...mine.map((hit) => hit.engaged)),
      scroll: Math.max(...mine.map((hit) => hit.scroll)),
      events: mine.filter((hit) => hit.kind === 'event').length,
    };
  });
  let engaged = 0;
  for (const view of views) engaged += view.engaged;
  const elsewhere = [...new Set(hits.map((hit) => hit.view))].filter((id) => !views.some((view) => view.id === id));
  for (const id of elsewhere) {
    const pings = hits.filter((hit) => hit.view === id && hit.kind === 'engage').map((hit) => hit.engaged);
    if (pings.length > 0) engaged += Math.max(...pings) - Math.min(...pings);
  }
  const lead = opening[0] ?? hits[0]!;
  const events = hits.filter((hit) => hit.kind === 'event');
  return {
    start,
    last: hits.at(-1)!.at,
    views,
    paths: new Set(views.map((view) => view.path)).size,
    events: events.map(({ at, name, props, view }) => ({ at, name, props, view: views.findIndex((one) => one.id === view) + 1 })),
    engaged,
    bounce: views.length === 1 && !events.some(isAct) && !(definition.engaged > 0 && engaged >= definition.engaged),
    entry: lead.path,
    exit: (opening.at(-1) ?? hits.at(-1)!).path,
    origin: lead.origin,
    source: lead.source,
    about: lead.about,
    botScore: Math.max(...hits.map((hit) => hit.botScore)),
    botReasons: [...new Set(hits.flatMap((hit) => hit.botReasons))].sort(),
  };
}
