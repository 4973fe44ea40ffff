import type { BatchOrigin, RecordAction } from '../../../../contract/tables/terms';
import { fail } from '../../../http/failure';
import { grantOf, requireGrant } from '../core/access';
import { permitted } from '../core/write/lookups';
import { withHashes } from '../core/write/passwords';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteTx } from '../core/write/types';
import { consequencesOf } from './consequences';
import { withoutValue } from './queries';

/** An action applied equally to many records. Times are ISO 8601; in a schedule, omitted values stay. */
export type Act =
  | { readonly kind: 'change'; readonly values: Readonly<Record<string, unknown>>; readonly locale?: string | undefined }
  | { readonly kind: 'trash' | 'unpublish' }
  | { readonly kind: 'publish' | 'schedule'; readonly publishAt?: string | null | undefined; readonly unpublishAt?: string | null | undefined };

const actions: Record<Act['kind'], RecordAction> = { change: 'update', trash: 'delete', publish: 'publish', schedule: 'publish', unpublish: 'publish' };
export const actionOf = (act: Act): RecordAction => actions[act.kind];
export const originOf = (act: Act, viaToken: boolean): BatchOrigin => (viaToken ? 'api' : act.kind === 'change' ? 'bulk' : 'console');

/**
 * Throws `forbidden` without permission, and `conflict` if the table does not support the action: publishing without drafts, deleting the record of a
 * singleton.
 */
export function requireAct({ table, reader }: TableContext, act: Act): void {
  requireGrant(table, reader, actionOf(act));
  if (actionOf(act) === 'publish' && !table.drafts) fail('conflict');
  if (act.kind === 'trash' && table.kind === 'singleton') fail('conflict');
}

const moment = (text: string | null | undefined): Date | null | undefined => (typeof text === 'string' ? new Date(text) : text);
type Values = Readonly<Record<string, unknown>>;
/** Values that an action writes to the records, with passwords hashed before a transaction begins. */
export async function valuesFor(
  context: TableContext,
  act: Act,
  ids: readonly string[],
  hash?: (password: string) => Promise<string>,
): Promise<Map<string, Values>> {
  if (act.kind !== 'change') return new Map();
  const all = ids.map(() => act.values);
  const values = await withHashes(context, 'update', all, hash);
  return new Map(ids.map((id, at) => [id, values[at] ?? act.values]));
}

/** The action as record changes, with its side effects. `values`: from `valuesFor`; `revisions`: those that the changes are based on. */
export async function changesOf(
  w: WriteTx,
  context: TableContext,
  act: Act,
  ids: readonly string[],
  values: ReadonlyMap<string, Values>,
  revisions: ReadonlyMap<string, number> | null = null,
): Promise<Change[]> {
  switch (act.kind) {
    case 'change':
      return ids.map((id): Change => {
        const revision = revisions?.get(id);
        return { kind: 'update', id, values: values.get(id) ?? act.values, ...(revision === undefined ? {} : { revision }) };
      });
    case 'trash':
      return [...ids.map((id): Change => ({ kind: 'trash', id })), ...(await consequencesOf(w, context, await binnable(w, context, ids)))];
    case 'unpublish':
      return ids.map((id): Change => ({ kind: 'unpublish', id }));
    case 'publish':
    case 'schedule': {
      const [publishAt, unpublishAt] = [moment(act.publishAt), moment(act.unpublishAt)];
      const times = { ...(publishAt === undefined ? {} : { publishAt }), ...(unpublishAt === undefined ? {} : { unpublishAt }) };
      // Times first, so that the record counts as published afterwards rather than as changed since.
      return [
        ...(act.kind === 'publish' ? await slugsMissing(w, context, ids) : []),
        ...(Object.keys(times).length > 0 ? ids.map((id): Change => ({ kind: 'schedule', id, ...times })) : []),
        ...(act.kind === 'publish' ? ids.map((id): Change => ({ kind: 'publish', id })) : []),
      ];
    }
  }
}

/** Records without a generated slug must not be published. */
async function slugsMissing(w: WriteTx, context: TableContext, ids: readonly string[]): Promise<Change[]> {
  const slugs = context.table.fields.filter((field) => field.type === 'slug' && field.options.from !== undefined);
  const changes = await Promise.all(
    slugs.map(async (field) =>
      (await withoutValue(w.tx, context.model.siteId, context.table.id, field.id, ids)).map((id): Change => ({
        kind: 'update',
        id,
        values: { [field.id]: null },
        system: true,
      })),
    ),
  );
  return changes.flat();
}

/** Records that the caller may delete; the reasons why others cannot be deleted are not disclosed. */
async function binnable(w: WriteTx, context: TableContext, ids: readonly string[]): Promise<string[]> {
  const grants = (['read', 'delete'] as const).map((action) => grantOf(context.table, context.reader, action));
  return [...(await permitted(w, context, context.table, ids, { grants }))];
}
