import type { ValueKind } from '../../../../contract/tableTerms';
import type { SiteModel } from '../model';

export type Shape = { readonly yields: ValueKind; /** Why it cannot be read, else null. */ readonly problem: string | null };

/** What each computed field of a site yields, by id; called once when definitions have changed. */
export function shapesOf(model: SiteModel): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const { field } of model.fieldById.values()) if (field.type === 'button') shapes.set(field.id, { yields: 'text', problem: null });
  return shapes;
}
