import type { BatchDoor, RecordAction } from '../../../../contract/tables/terms';
import { fail } from '../../../http/failure';
import { grantOf, requireGrant } from '../core/access';
import { permitted } from '../core/write/lookups';
import { withHashes } from '../core/write/passwords';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteTx } from '../core/write/types';
import { consequencesOf } from './consequences';
import { withoutValue } from './queries';

/** What is done to many records alike. Moments are ISO 8601; of a schedule, what is left out stays. */
export type Act =
  | { readonly kind: 'change'; readonly values: Readonly<Record<string, unknown>>; readonly locale?: string | undefined }
  | { readonly kind: 'trash' | 'unpublish' }
  | { readonly kind: 'publish' | 'schedule'; readonly publishAt?: string | null | undefined; readonly unpublishAt?: string | null | undefined };

const actions: Record<Act['kind'], RecordAction> = { change: 'update', trash: 'delete', publish: 'publish', schedule: 'publish', unpublish: 'publish' };
export const actionOf = (act: Act): RecordAction => actions[act.kind];
export const doorOf = (act: Act, viaToken: boolean): BatchDoor => (viaToken ? 'api' : act.kind === 'change' ? 'bulk' : 'console');

/** Throws `forbidden` for who may not at all, and `conflict` for what this table does not know: publishing without drafts, a singleton without its record. */
export function requireAct({ table, reader }: TableContext, act: Act): void {
  requireGrant(table, reader, actionOf(act));
  if (actionOf(act) === 'publish' && !table.drafts) fail('conflict');
  if (act.kind === 'trash' && table.kind === 'singleton') fail('conflict');
}

const moment = (text: string | null | undefined): Date | null | undefined => (typeof text === 'string' ? new Date(text) : text);
type Values = Readonly<Record<string, unknown>>;
/** What an act writes into each of some records, passwords hashed: asked before a transaction begins. */
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

/** The act as changes of records, with what else it brings about. `values`: those of `valuesFor`; `revisions`: those that the changes were meant for. */
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
      return [...ids.map((id): Change => ({ kind: 'trash', id })), ...(await consequencesOf(w, context, await trashable(w, context, ids)))];
    case 'unpublish':
      return ids.map((id): Change => ({ kind: 'unpublish', id }));
    case 'publish':
    case 'schedule': {
      const [publishAt, unpublishAt] = [moment(act.publishAt), moment(act.unpublishAt)];
      const times = { ...(publishAt === undefined ? {} : { publishAt }), ...(unpublishAt === undefined ? {} : { unpublishAt }) };
      // Times first, so that a record counts as published afterwards and not as changed since.
      return [
        ...(act.kind === 'publish' ? await slugsMissing(w, context, ids) : []),
        ...(Object.keys(times).length > 0 ? ids.map((id): Change => ({ kind: 'schedule', id, ...times })) : []),
        ...(act.kind === 'publish' ? ids.map((id): Change => ({ kind: 'publish', id })) : []),
      ];
    }
  }
}

/** Records are not published without the slug that should have been made for them. */
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

/** Records whose removal is asked for rightly: what keeps the others from being removed is nobody's business. */
async function trashable(w: WriteTx, context: TableContext, ids: readonly string[]): Promise<string[]> {
  const grants = (['read', 'delete'] as const).map((action) => grantOf(context.table, context.reader, action));
  return [...(await permitted(w, context, context.table, ids, { grants }))];
}
