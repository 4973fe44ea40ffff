import type { FormLayout, LayoutWidth } from './schemas';

/** A section of the form as rendered: `title` null is the section of fields missing from the layout, labelled “Other” in the reader's language. */
export type LaidSection<F> = {
  /** Unique within the form. */
  readonly key: string;
  readonly title: string | null;
  readonly note: string;
  readonly collapsed: boolean;
  readonly fields: readonly { readonly field: F; readonly width: LayoutWidth }[];
};
export type LaidForm<F> = {
  /** `groups`: stacked, with headings. */
  readonly style: 'groups' | 'tabs';
  readonly sections: readonly LaidSection<F>[];
  /** The same fields, from top to bottom. */
  readonly fields: readonly F[];
};

/** Ids of the fields that the layout places. */
export const placedIn = (layout: FormLayout | null): ReadonlySet<string> =>
  new Set(layout?.sections.flatMap(({ fields }) => fields.map(({ field }) => field)) ?? []);

/**
 * The form of a table for `fields`: those that the reader sees and fills in, after access rules, conditions and the view. Sections without fields are
 * omitted. Fields missing from the layout, because they were added later, come last in their own section (`title` null); removed fields do not appear,
 * and return to their position when restored. Hidden fields (`hidden`) are always omitted. Without a layout all fields form one section without a title,
 * in the given order.
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
    // A single section needs no heading.
    sections.push({ key: 'rest', title: sections.length === 0 ? '' : null, note: '', collapsed: false, fields: rest });
  }
  return { style: layout?.style ?? 'groups', sections, fields: sections.flatMap((section) => section.fields.map(({ field }) => field)) };
}
