import { grantOf } from '../access';
import type { FieldModel, TableModel } from '../model';
import { linkEnds } from '../read/links';
import { permitted } from './lookups';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';

const idsIn = (value: unknown): string[] => [value].flat().filter((id): id is string => typeof id === 'string');
type LinkValue = { readonly field: FieldModel | undefined; readonly value: unknown };

/**
 * Values of relations (an id, or a list of ids) as a reader sees them: links to hidden records are removed and, unless `binned`, links to records in the
 * bin, which older values may contain. Values of other fields are unchanged; `values` are all values that will be looked up.
 */
export async function visibleLinks(
  w: Pick<WriteTx, 'ctx' | 'tx'>,
  context: TableContext,
  values: readonly LinkValue[],
  { binned = false }: { readonly binned?: boolean } = {},
): Promise<(field: FieldModel | undefined, value: unknown) => unknown> {
  const ids = new Map<TableModel, Set<string>>();
  const checked = new Set<string>();
  for (const { field, value } of values) {
    const target = field ? linkEnds(context, field)?.table : undefined;
    if (!field || !target) continue;
    const grant = grantOf(target, context.reader, 'read');
    if (binned && grant.allowed && grant.filter === null) continue;
    checked.add(field.id);
    const known = ids.get(target) ?? new Set();
    for (const id of idsIn(value)) known.add(id);
    ids.set(target, known);
  }
  const visibleIds = new Set<string>();
  for (const [target, some] of ids) {
    const grant = grantOf(target, context.reader, 'read');
    if (!grant.allowed) continue;
    for (const inBin of binned ? [false, true] : [false])
      for (const id of await permitted(w, context, target, [...some], { grants: [grant], inBin })) visibleIds.add(id);
  }
  return (field, value) => {
    if (!field || !checked.has(field.id)) return value;
    if (Array.isArray(value)) return (value as readonly unknown[]).filter((id) => typeof id !== 'string' || visibleIds.has(id));
    return typeof value === 'string' && !visibleIds.has(value) ? null : value;
  };
}
