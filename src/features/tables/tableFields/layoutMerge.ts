import type { FormLayout, LayoutWidth } from '@contract/tables/schemas';

/** What two people made of one form, place by place. Sections have no ids: one is told again by its title, else by the fields in it. */

type Head = { readonly title: string; readonly note: string; readonly collapsed: boolean };
type Shape = {
  readonly style: FormLayout['style'];
  /** Of sections in their order; those that the form had before are called the same on both sides. */ readonly keys: readonly string[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly zones: ReadonlyMap<string, string>;
  readonly widths: ReadonlyMap<string, LayoutWidth>;
};
/** Where a field is that stands in no section. */
export const loose = { rest: 'rest', hidden: 'hidden' } as const;

export type LayoutDifference = {
  readonly of: 'style' | 'section' | 'title' | 'note' | 'collapsed' | 'sections' | 'zone' | 'width' | 'order';
  /** The field, or the section by what it is called. */ readonly field: string | null;
  readonly section: string | null;
  /** `sections` and `order`: lists; `zone`: a title, or what `loose` says under `at`. */ readonly mine: Side;
  readonly theirs: Side;
  /** Both have changed it. */ readonly clash: boolean;
};
export type Side = { readonly value: string | readonly string[]; readonly at?: 'section' | 'rest' | 'hidden'; readonly changed: boolean };
/** `merged` is null where both changed the same. */
export type Merge = { readonly differences: readonly LayoutDifference[]; readonly merged: FormLayout | null };

type Section = FormLayout['sections'][number];
const idsIn = ({ fields }: Section): string[] => fields.map(({ field }) => field);

/** Sections of `other` by those of `base` that they were: by index. */
function known(base: readonly Section[], other: readonly Section[]): Map<number, number> {
  const pairs = base.flatMap((one, i) =>
    other.map((two, j) => {
      const shared = idsIn(one).filter((id) => idsIn(two).includes(id)).length;
      const called = one.title === two.title ? (one.title === '' ? Number(i === j) : 1000) : 0;
      return { i, j, score: called + 2 * shared };
    }),
  );
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { i, j, score } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (score === 0 || found.has(j) || taken.has(i)) continue;
    found.set(j, i);
    taken.add(i);
  }
  return found;
}

function shapeOf({ style, sections, hidden }: FormLayout, fields: readonly string[], keys: readonly string[]): Shape {
  const placed = sections.flatMap((section, at) => section.fields.map(({ field, width }) => ({ field, width, key: keys[at] ?? '' })));
  const zones = new Map<string, string>(fields.map((id) => [id, loose.rest]));
  for (const { field, key } of placed) zones.set(field, key);
  for (const id of hidden) zones.set(id, loose.hidden);
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

/** `members` as `first` has them, those that only `second` knows behind whom they follow there. */
function ordered(members: ReadonlySet<string>, first: readonly string[], second: readonly string[]): string[] {
  const list = first.filter((one) => members.has(one));
  for (const [at, one] of second.entries()) {
    if (!members.has(one) || list.includes(one)) continue;
    const before = second.slice(0, at).findLast((other) => list.includes(other));
    list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, one);
  }
  return list;
}

/**
 * How my form and theirs differ, both made of `base`, and one that has the changes of both where none touches the other's. `fields`: ids of all there are.
 */
export function mergedLayout(before: FormLayout, my: FormLayout, their: FormLayout, fields: readonly string[]): Merge {
  const base = shapeOf(
    before,
    fields,
    before.sections.map((_, at) => `b${String(at)}`),
  );
  const sideOf = (layout: FormLayout): Shape => {
    const old = known(before.sections, layout.sections);
    // Both may have added the same.
    const newKey = (section: Section, at: number): string =>
      section.title !== '' && layout.sections.findIndex(({ title }) => title === section.title) === at
        ? `n ${section.title}`
        : `n${String(at)} ${idsIn(section).join(' ')}`;
    const keys = layout.sections.map((section, at) => {
      const was = old.get(at);
      return was === undefined ? newKey(section, at) : `b${String(was)}`;
    });
    return shapeOf(layout, fields, keys);
  };
  const [mine, theirs] = [sideOf(my), sideOf(their)];
  const differences: LayoutDifference[] = [];
  let clashes = false;
  const titleOf = (key: string): string => (theirs.heads.get(key) ?? mine.heads.get(key) ?? base.heads.get(key))?.title ?? '';
  const note = (one: Omit<LayoutDifference, 'clash'>, clash = one.mine.changed && one.theirs.changed): void => {
    differences.push({ ...one, clash });
    clashes ||= clash;
  };
  /** What holds of two values: whoever changed it. */
  const pick = <T>(was: T | undefined, m: T, t: T): T => (m === was ? t : m);

  if (mine.style !== theirs.style) {
    const sides = { mine: { value: mine.style, changed: mine.style !== base.style }, theirs: { value: theirs.style, changed: theirs.style !== base.style } };
    note({ of: 'style', field: null, section: null, ...sides });
  }
  const all = [...new Set([...base.keys, ...mine.keys, ...theirs.keys])];
  const isChanged = (side: Shape, key: string): boolean => {
    const [was, is] = [base.heads.get(key), side.heads.get(key)];
    return !was || !is || was.title !== is.title || was.note !== is.note || was.collapsed !== is.collapsed;
  };
  const heads = new Map<string, Head>();
  for (const key of all) {
    const [was, m, t] = [base.heads.get(key), mine.heads.get(key), theirs.heads.get(key)];
    if (!m || !t) {
      const left = m ?? t;
      if (!left) continue;
      const touched = was !== undefined && isChanged(m ? mine : theirs, key);
      if (!was) heads.set(key, left);
      const say = (has: boolean): Side => ({
        value: was ? (has ? (touched ? 'edited' : 'kept') : 'removed') : has ? 'added' : 'none',
        changed: was ? !has || touched : has,
      });
      note({ of: 'section', field: null, section: titleOf(key), mine: say(m !== undefined), theirs: say(t !== undefined) });
      continue;
    }
    heads.set(key, {
      title: pick(was?.title, m.title, t.title),
      note: pick(was?.note, m.note, t.note),
      collapsed: pick(was?.collapsed, m.collapsed, t.collapsed),
    });
    for (const part of ['title', 'note', 'collapsed'] as const)
      if (m[part] !== t[part]) {
        const say = (head: Head): Side => ({ value: String(head[part]), changed: head[part] !== was?.[part] });
        note({ of: part, field: null, section: was?.title ?? t.title, mine: say(m), theirs: say(t) });
      }
  }
  const byTitle = (keys: readonly string[], side: Shape): string[] => keys.map((key) => side.heads.get(key)?.title ?? '');
  if (reordered(mine.keys, theirs.keys)) {
    const say = (side: Shape): Side => ({ value: byTitle(side.keys, side), changed: reordered(base.keys, side.keys) });
    note({ of: 'sections', field: null, section: null, mine: say(mine), theirs: say(theirs) });
  }
  const keys = ordered(new Set(heads.keys()), ...(reordered(base.keys, mine.keys) ? ([mine.keys, theirs.keys] as const) : ([theirs.keys, mine.keys] as const)));

  const zones = new Map<string, string>();
  const widths = new Map<string, LayoutWidth>();
  for (const field of fields) {
    const [was, m, t] = [base.zones.get(field), mine.zones.get(field) ?? loose.rest, theirs.zones.get(field) ?? loose.rest];
    const zone = pick(was, m, t);
    zones.set(field, zone);
    const lost = zone !== loose.rest && zone !== loose.hidden && !heads.has(zone);
    if (m !== t || lost) {
      const say = (side: Shape, at: string): Side => ({
        value: side.heads.get(at)?.title ?? '',
        at: at === loose.rest || at === loose.hidden ? at : 'section',
        changed: at !== was,
      });
      note({ of: 'zone', field, section: null, mine: say(mine, m), theirs: say(theirs, t) }, lost || (m !== was && t !== was && m !== t));
    }
    const old = base.widths.get(field) ?? 'full';
    const [mw, tw] = [mine.widths.get(field) ?? old, theirs.widths.get(field) ?? old];
    widths.set(field, pick(old, mw, tw));
    if (mw !== tw) note({ of: 'width', field, section: null, mine: { value: mw, changed: mw !== old }, theirs: { value: tw, changed: tw !== old } });
  }
  const lists = new Map<string, string[]>();
  for (const key of keys) {
    const [was, m, t] = [base.lists.get(key) ?? [], mine.lists.get(key) ?? [], theirs.lists.get(key) ?? []];
    if (reordered(m, t)) {
      const say = (list: readonly string[]): Side => ({ value: list, changed: reordered(was, list) });
      note({ of: 'order', field: null, section: titleOf(key), mine: say(m), theirs: say(t) });
    }
    const members = new Set(fields.filter((field) => zones.get(field) === key));
    lists.set(key, ordered(members, ...(reordered(was, m) ? ([m, t] as const) : ([t, m] as const))));
  }
  if (clashes || keys.length === 0) return { differences, merged: null };
  const merged: FormLayout = {
    style: pick(base.style, mine.style, theirs.style),
    sections: keys.map((key) => ({
      title: '',
      note: '',
      collapsed: false,
      ...heads.get(key),
      fields: (lists.get(key) ?? []).map((field) => ({ field, width: widths.get(field) ?? 'full' })),
    })),
    hidden: fields.filter((field) => zones.get(field) === loose.hidden),
  };
  return { differences, merged };
}
