import type { FormLayout, LayoutWidth } from './schemas';

/** A part of the form as it is drawn: `title` null is the part of fields that the layout does not name, which the reader's language calls “Other”. */
export type LaidSection<F> = {
  /** Unlike any other of the same form. */
  readonly key: string;
  readonly title: string | null;
  readonly note: string;
  readonly collapsed: boolean;
  readonly fields: readonly { readonly field: F; readonly width: LayoutWidth }[];
};
export type LaidForm<F> = {
  /** `groups`: under each other, with headings. */
  readonly style: 'groups' | 'tabs';
  readonly sections: readonly LaidSection<F>[];
  /** The same fields, as they are met from top to bottom. */
  readonly fields: readonly F[];
};

/** Ids that the layout gives a place in the form. */
export const placedIn = (layout: FormLayout | null): ReadonlySet<string> =>
  new Set(layout?.sections.flatMap(({ fields }) => fields.map(({ field }) => field)) ?? []);

/**
 * The form of a table for `fields`: those that this reader sees and fills in, already without what rights, conditions or a view take away. Parts without any
 * of them are left out. A field that the layout does not know, because it was added since, comes last in a part of its own (`title` null); one that was
 * removed is simply not there, and is back in its place when it is restored. Fields that the form does not show (`hidden`) are left out, wherever they stand.
 * Without a layout all fields are one part without a title, in the order that they are given.
 */
export function layoutOf<F extends { readonly id: string }>({ layout }: { readonly layout: FormLayout | null }, fields: readonly F[]): LaidForm<F> {
  const left = new Map(fields.map((field) => [field.id, field]));
  for (const id of layout?.hidden ?? []) left.delete(id);
  const sections = (layout?.sections ?? []).flatMap((section, i): LaidSection<F>[] => {
    const own = section.fields.flatMap(({ field: id, width }) => {
      const field = left.get(id);
      left.delete(id);
      return field ? [{ field, width }] : [];
    });
    const { title, note, collapsed } = section;
    return own.length === 0 ? [] : [{ key: `section-${i}`, title, note, collapsed, fields: own }];
  });
  if (left.size > 0) {
    const rest = [...left.values()].map((field) => ({ field, width: 'full' as const }));
    // Alone it needs no heading.
    sections.push({ key: 'rest', title: sections.length === 0 ? '' : null, note: '', collapsed: false, fields: rest });
  }
  return { style: layout?.style ?? 'groups', sections, fields: sections.flatMap((section) => section.fields.map(({ field }) => field)) };
}
