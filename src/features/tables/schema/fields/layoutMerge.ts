import type { FormLayout, LayoutWidth } from '@contract/tables/schemas';

/** Merges two people's versions of a form. Sections have no ids: they are matched by title, or else by their fields. */

type Head = { readonly title: string; readonly note: string; readonly collapsed: boolean };
type Shape = {
  readonly style: FormLayout['style'];
  /** Keys of the sections in order; sections of the base have the same keys on both sides. */ readonly keys: readonly string[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly zones: ReadonlyMap<string, string>;
  readonly widths: ReadonlyMap<string, LayoutWidth>;
};
/** Where a field outside all sections is. */
export const looseZones = { rest: 'rest', hidden: 'hidden' } as const;

export type LayoutDifference = {
  readonly of: 'style' | 'section' | 'title' | 'note' | 'collapsed' | 'sections' | 'zone' | 'width' | 'order';
  /** Id of the field, or title of the section (`section`), that differs. */ readonly field: string | null;
  readonly section: string | null;
  /** `sections` and `order`: lists; `zone`: a title, or the keys of `looseZones` under `at`. */ readonly mine: Side;
  readonly theirs: Side;
  /** Whether both have changed it. */ readonly clash: boolean;
};
export type Side = { readonly value: string | readonly string[]; readonly at?: 'section' | 'rest' | 'hidden'; readonly changed: boolean };
/** `merged` is null where both changed the same place. */
export type Merge = { readonly differences: readonly LayoutDifference[]; readonly merged: FormLayout | null };

type Section = FormLayout['sections'][number];
const idsIn = ({ fields }: Section): string[] => fields.map(({ field }) => field);

/** Matches sections of `other` to those of `base`, by index. */
function known(base: readonly Section[], other: readonly Section[]): Map<number, number> {
  const pairs = base.flatMap((one, i) =>
    other.map((two, j) => {
      const shared = idsIn(one).filter((id) => idsIn(two).includes(id)).length;
      const called = one.title === two.title ? (one.title === '' ? Number(i === j) : 1000) : 0;
      return { i, j, score: called + 2 * shared };
    }),
  );
  const found = new Map<number, number>();
  const matchedIndexes = new Set<number>();
  for (const { i, j, score } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (score === 0 || found.has(j) || matchedIndexes.has(i)) continue;
    found.set(j, i);
    matchedIndexes.add(i);
  }
  return found;
}

function shapeOf({ style, sections, hidden }: FormLayout, fields: readonly string[], keys: readonly string[]): Shape {
  const placed = sections.flatMap((section, at) => section.fields.map(({ field, width }) => ({ field, width, key: keys[at] ?? '' })));
  const zones = new Map<string, string>(fields.map((id) => [id, looseZones.rest]));
  for (const { field, key } of placed) zones.set(field, key);
  for (const id of hidden) zones.set(id, looseZones.hidden);
  return {
    style,
    keys,
    heads: new Map(sections.map(({ title, note, collapsed }, at) => [keys[at] ?? '', { title, note, collapsed }])),
    lists: new Map(sections.map((section, at) => [keys[at] ?? '', idsIn(section)])),
    zones,
    widths: new Map(placed.map(({ field, width }) => [field, width])),
  };
}

const within = (list: readonly string[], others: readonly string[]): string[] => list.filter((one) => others.includes(one));
const equal = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one, at) => one === b[at]);
const reordered = (before: readonly string[], after: readonly string[]): boolean => !equal(within(before, after), within(after, before));

/** `members` in the order of `first`; those only in `second` follow their predecessor there. */
function ordered(members: ReadonlySet<string>, first: readonly string[], second: readonly string[]): string[] {
  const list = first.filter((one) => members.has(one));
  for (const [at, one] of second.entries()) {
    if (!members.has(one) || list.includes(one)) continue;
    const before = second.slice(0, at).findLast((other) => list.includes(other));
    list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, one);
  }
  return list;
}

type Shapes = { readonly base: Shape; readonly mine: Shape; readonly theirs: Shape };
type Differences = { readonly differences: readonly LayoutDifference[] };

const difference = (one: Omit<LayoutDifference, 'clash'>, clash = one.mine.changed && one.theirs.changed): LayoutDifference => ({ ...one, clash });
/** The merged value: that of the side that changed it. */
const pick = <T>(before: T | undefined, mine: T, theirs: T): T => (mine === before ? theirs : mine);
const titleOf = ({ base, mine, theirs }: Shapes, key: string): string => (theirs.heads.get(key) ?? mine.heads.get(key) ?? base.heads.get(key))?.title ?? '';

/** The shape of one side; new sections get keys from their titles, so that a section added by both is the same. */
function sideOf(layout: FormLayout, base: FormLayout, fields: readonly string[]): Shape {
  const old = known(base.sections, layout.sections);
  const newKey = (section: Section, at: number): string =>
    section.title !== '' && layout.sections.findIndex(({ title }) => title === section.title) === at
      ? `n ${section.title}`
      : `n${String(at)} ${idsIn(section).join(' ')}`;
  const keys = layout.sections.map((section, at) => {
    const before = old.get(at);
    return before === undefined ? newKey(section, at) : `b${String(before)}`;
  });
  return shapeOf(layout, fields, keys);
}

const isHeadChanged = (before: Head | undefined, now: Head | undefined): boolean =>
  !before || !now || before.title !== now.title || before.note !== now.note || before.collapsed !== now.collapsed;

/** A section that only one side has: added there, or removed on the other. */
function loneSection(shapes: Shapes, key: string): LayoutDifference {
  const [before, mine, theirs] = [shapes.base.heads.get(key), shapes.mine.heads.get(key), shapes.theirs.heads.get(key)];
  const edited = before !== undefined && isHeadChanged(before, mine ?? theirs);
  const side = (head: Head | undefined): Side => {
    if (!before) return { value: head ? 'added' : 'none', changed: head !== undefined };
    if (!head) return { value: 'removed', changed: true };
    return { value: edited ? 'edited' : 'present', changed: edited };
  };
  return difference({ of: 'section', field: null, section: titleOf(shapes, key), mine: side(mine), theirs: side(theirs) });
}

/** Sections of the merged form by key, without those that either side removed. */
function mergedHeads(shapes: Shapes): Differences & { readonly heads: ReadonlyMap<string, Head> } {
  const { base, mine, theirs } = shapes;
  const differences: LayoutDifference[] = [];
  const heads = new Map<string, Head>();
  for (const key of new Set([...base.keys, ...mine.keys, ...theirs.keys])) {
    const [before, m, t] = [base.heads.get(key), mine.heads.get(key), theirs.heads.get(key)];
    const lone = m ?? t;
    if (!m || !t) {
      if (!lone) continue;
      if (!before) heads.set(key, lone);
      differences.push(loneSection(shapes, key));
      continue;
    }
    heads.set(key, {
      title: pick(before?.title, m.title, t.title),
      note: pick(before?.note, m.note, t.note),
      collapsed: pick(before?.collapsed, m.collapsed, t.collapsed),
    });
    for (const part of ['title', 'note', 'collapsed'] as const) {
      const side = (head: Head): Side => ({ value: String(head[part]), changed: head[part] !== before?.[part] });
      if (m[part] !== t[part]) differences.push(difference({ of: part, field: null, section: before?.title ?? t.title, mine: side(m), theirs: side(t) }));
    }
  }
  return { heads, differences };
}

/** Keys of the merged sections in order: that of the side that changed it. */
function mergedOrder({ base, mine, theirs }: Shapes, heads: ReadonlyMap<string, Head>): Differences & { readonly keys: readonly string[] } {
  const [first, second] = reordered(base.keys, mine.keys) ? [mine.keys, theirs.keys] : [theirs.keys, mine.keys];
  const side = (shape: Shape): Side => ({
    value: shape.keys.map((key) => shape.heads.get(key)?.title ?? ''),
    changed: reordered(base.keys, shape.keys),
  });
  return {
    keys: ordered(new Set(heads.keys()), first, second),
    differences: reordered(mine.keys, theirs.keys) ? [difference({ of: 'sections', field: null, section: null, mine: side(mine), theirs: side(theirs) })] : [],
  };
}

/** The zone and width of each field in the merged form. A field whose section has been removed is a conflict. */
function mergedPlaces(
  { base, mine, theirs }: Shapes,
  heads: ReadonlyMap<string, Head>,
  fields: readonly string[],
): Differences & Pick<Shape, 'zones' | 'widths'> {
  const differences: LayoutDifference[] = [];
  const zones = new Map<string, string>();
  const widths = new Map<string, LayoutWidth>();
  const isLoose = (zone: string): zone is keyof typeof looseZones => zone === looseZones.rest || zone === looseZones.hidden;
  for (const field of fields) {
    const [before, m, t] = [base.zones.get(field), mine.zones.get(field) ?? looseZones.rest, theirs.zones.get(field) ?? looseZones.rest];
    const zone = pick(before, m, t);
    zones.set(field, zone);
    const lost = !isLoose(zone) && !heads.has(zone);
    const side = (shape: Shape, at: string): Side => ({ value: shape.heads.get(at)?.title ?? '', at: isLoose(at) ? at : 'section', changed: at !== before });
    if (m !== t || lost)
      differences.push(
        difference({ of: 'zone', field, section: null, mine: side(mine, m), theirs: side(theirs, t) }, lost || (m !== before && t !== before && m !== t)),
      );
    const oldWidth = base.widths.get(field) ?? 'full';
    const [myWidth, theirWidth] = [mine.widths.get(field) ?? oldWidth, theirs.widths.get(field) ?? oldWidth];
    widths.set(field, pick(oldWidth, myWidth, theirWidth));
    const widthSide = (width: LayoutWidth): Side => ({ value: width, changed: width !== oldWidth });
    if (myWidth !== theirWidth) differences.push(difference({ of: 'width', field, section: null, mine: widthSide(myWidth), theirs: widthSide(theirWidth) }));
  }
  return { zones, widths, differences };
}

/** The fields of each merged section in order: that of the side that changed it. */
function mergedLists(shapes: Shapes, keys: readonly string[], zones: Shape['zones']): Differences & Pick<Shape, 'lists'> {
  const differences: LayoutDifference[] = [];
  const lists = new Map<string, readonly string[]>();
  for (const key of keys) {
    const [before, m, t] = [shapes.base.lists.get(key) ?? [], shapes.mine.lists.get(key) ?? [], shapes.theirs.lists.get(key) ?? []];
    const side = (list: readonly string[]): Side => ({ value: list, changed: reordered(before, list) });
    if (reordered(m, t)) differences.push(difference({ of: 'order', field: null, section: titleOf(shapes, key), mine: side(m), theirs: side(t) }));
    const members = new Set([...zones].filter(([, zone]) => zone === key).map(([field]) => field));
    const [first, second] = reordered(before, m) ? [m, t] : [t, m];
    lists.set(key, ordered(members, first, second));
  }
  return { lists, differences };
}

/**
 * The differences between two forms that are both based on `before`, and a form with the changes of both where they do not conflict. `fields`: ids of all
 * fields.
 */
export function mergedLayout(before: FormLayout, my: FormLayout, their: FormLayout, fields: readonly string[]): Merge {
  const baseKeys = before.sections.map((_, at) => `b${String(at)}`);
  const shapes: Shapes = { base: shapeOf(before, fields, baseKeys), mine: sideOf(my, before, fields), theirs: sideOf(their, before, fields) };
  const { base, mine, theirs } = shapes;
  const styleSide = ({ style }: Shape): Side => ({ value: style, changed: style !== base.style });
  const ofStyle =
    mine.style === theirs.style ? [] : [difference({ of: 'style', field: null, section: null, mine: styleSide(mine), theirs: styleSide(theirs) })];
  const ofHeads = mergedHeads(shapes);
  const ofOrder = mergedOrder(shapes, ofHeads.heads);
  const ofPlaces = mergedPlaces(shapes, ofHeads.heads, fields);
  const ofLists = mergedLists(shapes, ofOrder.keys, ofPlaces.zones);
  const differences = [...ofStyle, ...ofHeads.differences, ...ofOrder.differences, ...ofPlaces.differences, ...ofLists.differences];
  if (differences.some(({ clash }) => clash) || ofOrder.keys.length === 0) return { differences, merged: null };
  const merged: FormLayout = {
    style: pick(base.style, mine.style, theirs.style),
    sections: ofOrder.keys.map((key) => ({
      title: '',
      note: '',
      collapsed: false,
      ...ofHeads.heads.get(key),
      fields: (ofLists.lists.get(key) ?? []).map((field) => ({ field, width: ofPlaces.widths.get(field) ?? 'full' })),
    })),
    hidden: fields.filter((field) => ofPlaces.zones.get(field) === looseZones.hidden),
  };
  return { differences, merged };
}
