import { placedIn } from '@contract/tables/formLayout';
import type { ContentTable, FormLayout, LayoutWidth } from '@contract/tables/schemas';

type Shaped = Pick<ContentTable, 'layout' | 'fields'>;
export type DraftItem = { readonly field: string; readonly width: LayoutWidth };
export type DraftPart = {
  /** Exists only in this draft, to identify a section while it is moved. */ readonly uid: number;
  readonly title: string;
  readonly note: string;
  readonly collapsed: boolean;
  readonly items: readonly DraftItem[];
};
/** A layout being designed. Fields that are in no section and not hidden have no place (`rest`). */
export type LayoutDraft = { readonly style: FormLayout['style']; readonly parts: readonly DraftPart[]; readonly hidden: readonly string[] };
/** Where a field may be: in a section (`p:1`), among the fields without a place, or hidden from the form. */
export type Zone = `p:${number}` | 'rest' | 'hidden';
export const zoneOf = (part: DraftPart): Zone => `p:${part.uid}`;

/** The initial draft: the table's layout or, without one, a single section with all fields that lists show. */
export const draftOf = ({ layout, fields }: Shaped): LayoutDraft =>
  layout
    ? {
        style: layout.style,
        parts: layout.sections.map(({ fields: items, ...section }, uid) => ({ uid, ...section, items })),
        hidden: layout.hidden,
      }
    : {
        style: 'groups',
        parts: [
          { uid: 0, title: '', note: '', collapsed: false, items: fields.filter(({ hidden }) => !hidden).map(({ id }) => ({ field: id, width: 'full' })) },
        ],
        hidden: [],
      };

/** The layout that a draft describes, without fields that have since been removed from the table. */
export function layoutFrom({ style, parts, hidden }: LayoutDraft, { fields }: Pick<Shaped, 'fields'>): FormLayout {
  const live = new Set(fields.map(({ id }) => id));
  return {
    style,
    sections: parts.map(({ title, note, collapsed, items }) => ({
      title: title.trim(),
      note: note.trim(),
      // Tabs cannot be collapsed.
      collapsed: style === 'groups' && collapsed,
      fields: items.filter(({ field }) => live.has(field)).map(({ field, width }) => ({ field, width })),
    })),
    hidden: hidden.filter((id) => live.has(id)),
  };
}

/** Fields by zone, in display order: those of a section in its own order, the others in the table's. */
export function zonesOf(draft: LayoutDraft, { fields }: Pick<Shaped, 'fields'>): readonly (readonly [Zone, readonly string[]])[] {
  const layout = layoutFrom(draft, { fields });
  const placed = placedIn(layout);
  const out = new Set(layout.hidden);
  return [
    ...draft.parts.map((part, i) => [zoneOf(part), layout.sections[i]?.fields.map(({ field }) => field) ?? []] as const),
    ['rest', fields.map(({ id }) => id).filter((id) => !placed.has(id) && !out.has(id))],
    ['hidden', fields.map(({ id }) => id).filter((id) => out.has(id))],
  ];
}

/** Puts a field into a zone, before another field or (null) at its end; it keeps its width. */
export function putField(draft: LayoutDraft, field: string, zone: Zone, before: string | null): LayoutDraft {
  if (before === field) return draft;
  const width = draft.parts.flatMap(({ items }) => items).find((item) => item.field === field)?.width ?? 'full';
  return {
    ...draft,
    parts: draft.parts.map((part) => {
      const items = part.items.filter((item) => item.field !== field);
      if (zoneOf(part) !== zone) return items.length === part.items.length ? part : { ...part, items };
      const at = items.findIndex((item) => item.field === before);
      return { ...part, items: items.toSpliced(at < 0 ? items.length : at, 0, { field, width }) };
    }),
    hidden: [...draft.hidden.filter((id) => id !== field), ...(zone === 'hidden' ? [field] : [])],
  };
}

/** Moves a field one step up (−1) or down (1): within its section, and from the edge of a zone into the next one. Returns the same draft at either end. */
export function stepped(draft: LayoutDraft, table: Pick<Shaped, 'fields'>, field: string, by: -1 | 1): LayoutDraft {
  const zones = zonesOf(draft, table);
  const at = zones.findIndex(([, ids]) => ids.includes(field));
  const [zone, ids] = zones[at] ?? (['rest', []] as const);
  const place = ids.indexOf(field) + by;
  const ordered = zone !== 'rest' && zone !== 'hidden';
  if (ordered && place >= 0 && place < ids.length) return putField(draft, field, zone, ids[by < 0 ? place : place + 1] ?? null);
  const next = zones[at + by];
  return next ? putField(draft, field, next[0], by < 0 ? null : (next[1][0] ?? null)) : draft;
}

export const withPart = (draft: LayoutDraft, title: string): LayoutDraft => ({
  ...draft,
  parts: [...draft.parts, { uid: Math.max(...draft.parts.map(({ uid }) => uid)) + 1, title, note: '', collapsed: false, items: [] }],
});
export const partChanged = (draft: LayoutDraft, uid: number, change: Partial<Omit<DraftPart, 'uid'>>): LayoutDraft => ({
  ...draft,
  parts: draft.parts.map((part) => (part.uid === uid ? { ...part, ...change } : part)),
});
/** Removes a section; its fields go to the end of the previous section, or to the start of the next. The last section cannot be removed. */
export function withoutPart(draft: LayoutDraft, uid: number): LayoutDraft {
  const at = draft.parts.findIndex((part) => part.uid === uid);
  const gone = draft.parts[at];
  const heir = draft.parts[at > 0 ? at - 1 : 1];
  if (!gone || !heir) return draft;
  const items = at > 0 ? [...heir.items, ...gone.items] : [...gone.items, ...heir.items];
  return { ...draft, parts: draft.parts.filter((part) => part !== gone).map((part) => (part === heir ? { ...part, items } : part)) };
}
export function partMoved(draft: LayoutDraft, uid: number, by: -1 | 1): LayoutDraft {
  const at = draft.parts.findIndex((part) => part.uid === uid);
  const part = draft.parts[at];
  if (!part || at + by < 0 || at + by >= draft.parts.length) return draft;
  return { ...draft, parts: draft.parts.toSpliced(at, 1).toSpliced(at + by, 0, part) };
}
/** Sections that lack a required title, with their indexes: tabs, and sections that start collapsed, cannot be opened without one. */
export const untitledParts = ({ style, parts }: LayoutDraft): readonly { readonly part: DraftPart; readonly at: number }[] =>
  parts.map((part, at) => ({ part, at })).filter(({ part }) => part.title.trim() === '' && (style === 'tabs' || part.collapsed));
