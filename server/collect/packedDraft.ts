import { leadColumns } from './visitRow';
import type { VisitLead } from './visitRow';
import { leadOf } from './visitDraft';
import type { EventDraft, ViewDraft, VisitDraft } from './visitDraft';

const plainFields = [
  'start',
  'number',
  'previousStart',
  'leadView',
  'leadPath',
  'leadSource',
  'firstName',
  'last',
  'lastPath',
  'receivedAt',
  'hits',
  'text',
  'hitBytes',
  'interactive',
  'campaign',
  'botScore',
  'botReasons',
] as const satisfies readonly (keyof VisitDraft)[];
const viewFields = [
  'id',
  'number',
  'at',
  'host',
  'path',
  'search',
  'title',
  'titleSeq',
  'engaged',
  'scroll',
  'events',
  'leastEngaged',
  'mostEngaged',
  'copies',
] as const satisfies readonly (keyof ViewDraft)[];

const valuesOf = <T extends object>(fields: readonly (keyof T)[], from: T): unknown[] => fields.map((field) => from[field]);

/** Creates objects from values in the order of `fields`. Each is a copy that already has all properties: adding them one by one takes several times as long. */
function objectsOf<T>(fields: readonly (keyof T & string)[]): (values: readonly unknown[]) => T {
  const empty = Object.fromEntries(fields.map((field) => [field, null]));
  return (values) => {
    const draft: Record<string, unknown> = { ...empty };
    for (const [i, field] of fields.entries()) draft[field] = values[i];
    return draft as T;
  };
}
const leadWith = objectsOf<VisitLead>(leadColumns);
const plainWith = objectsOf<Omit<VisitDraft, 'lead' | 'views' | 'opened' | 'events'>>(plainFields);
const viewWith = objectsOf<ViewDraft>(viewFields);

type Packed = { readonly lead: unknown[]; readonly plain: unknown[]; readonly views: unknown[][]; readonly events: unknown[][] };

/** The draft in the most compact JSON form. */
export function packDraft(draft: VisitDraft): unknown {
  const views = [...draft.views.values()];
  const placeOf = new Map(views.map((view, place) => [view, place]));
  return {
    lead: valuesOf(leadColumns, draft.lead),
    plain: valuesOf(plainFields, draft),
    views: views.map((view) => valuesOf(viewFields, view)),
    events: draft.events.map(({ at, name, props, view }) => [at, name, props, placeOf.get(view)]),
  } satisfies Packed;
}

export function unpackDraft(packed: unknown): VisitDraft {
  const { lead, plain, views: viewValues, events } = packed as Packed;
  const views = viewValues.map(viewWith);
  return {
    ...plainWith(plain),
    lead: leadOf(leadWith(lead)),
    views: new Map(views.map((view) => [view.id, view])),
    opened: views.filter((view) => view.number > 0).sort((a, b) => a.number - b.number),
    events: events.map(([at, name, props, place]) => ({ at, name, props, view: views[place as number] }) as EventDraft),
  };
}
