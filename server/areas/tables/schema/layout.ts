import type { FormLayout } from '../../../../contract/tables/schemas';
import type { DefinitionErrors } from './definitionErrors';

type Ids = { readonly has: (id: string) => boolean };

/** Validates a layout: unknown names, repeated fields, and collapsible sections without a title. */
export function checkLayout(layout: FormLayout, known: Ids, errors: DefinitionErrors): void {
  const seenIds = new Set<string>();
  const check = (id: string, path: string): void => {
    if (!known.has(id)) errors.add(path, 'unknown');
    else if (seenIds.has(id)) errors.add(path, 'duplicate');
    seenIds.add(id);
  };
  for (const [i, section] of layout.sections.entries()) {
    if (section.title === '' && (layout.style === 'tabs' || section.collapsed)) errors.add(`sections.${i}.title`, 'required');
    for (const [j, { field }] of section.fields.entries()) check(field, `sections.${i}.fields.${j}.field`);
  }
  for (const [i, id] of layout.hidden.entries()) check(id, `hidden.${i}`);
}

/** Renames the fields of a layout (ids of a copy, keys of a file); null removes a field. */
export const renamedLayout = (layout: FormLayout, nameOf: (id: string) => string | null): FormLayout => ({
  style: layout.style,
  sections: layout.sections.map((section) => ({
    title: section.title,
    note: section.note,
    collapsed: section.collapsed,
    fields: section.fields.flatMap(({ field, width }) => {
      const name = nameOf(field);
      return name === null ? [] : [{ field: name, width }];
    }),
  })),
  hidden: layout.hidden.flatMap((id) => nameOf(id) ?? []),
});

/**
 * A layout as stored. Editors do not see fields in the bin (`binned`), so a new layout omits them: each is kept after the field that it followed, or
 * before the one that it preceded, and reappears when restored. Fields that are neither live nor in the bin are dropped.
 */
export function storedLayout(layout: FormLayout, before: FormLayout | null, live: Ids, binned: Ids): FormLayout {
  const next = renamedLayout(layout, (id) => (live.has(id) || binned.has(id) ? id : null));
  const named = new Set([...next.hidden, ...next.sections.flatMap(({ fields }) => fields.map(({ field }) => field))]);
  next.hidden.push(...(before?.hidden.filter((id) => binned.has(id) && !named.has(id)) ?? []));
  for (const { fields } of before?.sections ?? [])
    for (const [i, one] of fields.entries()) {
      if (!binned.has(one.field) || named.has(one.field)) continue;
      named.add(one.field);
      const beside = [
        ...fields
          .slice(0, i)
          .reverse()
          .map(({ field }) => [field, 1] as const),
        ...fields.slice(i + 1).map(({ field }) => [field, 0] as const),
      ];
      for (const [id, after] of beside) {
        const home = next.sections.find((section) => section.fields.some(({ field }) => field === id));
        if (!home) continue;
        home.fields.splice(home.fields.findIndex(({ field }) => field === id) + after, 0, one);
        break;
      }
    }
  return next;
}
