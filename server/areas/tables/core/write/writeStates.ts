import type { RecordAction } from '../../../../../contract/tables/terms';
import type { FieldError } from '../../../../http/failure';
import { fail } from '../../../../http/failure';
import { grantOf, requireGrant } from '../access';
import type { FieldModel, TableModel } from '../model';
import { isEmpty } from '../values/check';
import { applyOps } from './apply';
import type { Op, Writing } from './apply';
import { judgedFields, throwErrors } from './item';
import { judge, liveLinks } from './judge';
import { permitted, recordsWith } from './lookups';
import { takenByPublished } from './publishedValues';
import type { Publishing } from './publishedValues';
import { lockRows } from './rows';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { Change, ChangeErrors, WriteOptions, WriteTx } from './types';
import type { Outcome, PartResult } from './item';

export type StateChange = Exclude<Change, { readonly kind: 'create' | 'update' }>;
type StateChanges = readonly { readonly at: number; readonly change: StateChange }[];

const actionOf: Readonly<Record<StateChange['kind'], RecordAction>> = {
  trash: 'delete',
  restore: 'delete',
  publish: 'publish',
  unpublish: 'publish',
  schedule: 'publish',
  move: 'update',
};

/** Deletes, restores, publishes, unpublishes, schedules or moves records of one table. */
export async function writeStates(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  changes: StateChanges,
  options: WriteOptions,
  writing: Writing,
): Promise<PartResult> {
  const { siteId } = context.model;
  const own = changes.filter(({ change }) => change.system !== true);
  for (const action of new Set(own.map(({ change }) => actionOf[change.kind]))) requireGrant(table, context.reader, action);
  if (table.kind === 'singleton' && changes.some(({ change }) => change.kind === 'trash')) fail('conflict');
  const kinds = new Set(changes.map(({ change }) => change.kind));
  const publishes = kinds.has('publish') && table.drafts;
  const unique = kinds.has('restore') || publishes ? table.fields.filter((field) => field.isUnique) : [];
  const fields = new Set([...(publishes ? judgedFields(table) : []), ...unique].filter((field) => field.type !== 'inverse'));
  const rows = await lockRows(
    w.tx,
    siteId,
    table,
    changes.map(({ change }) => change.id),
    { fields: [...fields], tr: false, published: publishes || kinds.has('trash') || kinds.has('unpublish') },
  );
  const errors = await missingOf(w, context, table, changes, rows);
  const addError = (at: number, name: string, found: FieldError): void => void errors.set(at, (errors.get(at) ?? new Map()).set(name, found));
  if (publishes) {
    const live = await liveLinks(
      w,
      context,
      table,
      [...rows.values()].map(({ values }) => values),
    );
    for (const { at, change } of changes) {
      const row = rows.get(change.id);
      if (change.kind !== 'publish' || !row || errors.has(at)) continue;
      judge(w, context, table, { values: live(row.values), written: null, isNew: false, complete: true }, (field, found) =>
        addError(at, field.key, typeof found === 'string' ? { code: found } : found),
      );
    }
  }
  for (const [id, field] of await takenByPublished(w.tx, siteId, table, publishingOf(changes, rows, errors)))
    for (const { at, change } of changes) if (change.id === id && change.kind === 'publish') addError(at, field.key, { code: 'taken' });
  const back = changes.filter(({ at, change }) => change.kind === 'restore' && !errors.has(at));
  for (const field of unique) {
    const restoredValues = back.flatMap(({ at, change }) => {
      const value = rows.get(change.id)?.values.get(field.id);
      return isEmpty(value) ? [] : [{ at, value: String(value) }];
    });
    const held = await recordsWith(w.tx, siteId, table.id, field, [...new Set(restoredValues.map(({ value }) => value))]);
    const again = new Set<string>();
    for (const { at, value } of restoredValues) {
      if (held.has(value) || again.has(value)) addError(at, field.key, { code: 'taken' });
      again.add(value);
    }
  }
  if (options.errors !== 'collect')
    throwErrors(
      options,
      Array.from(errors, ([at, found]) => ({ at, errors: found })),
    );
  const good = changes.filter(({ at }) => !errors.has(at));
  const ops = good.flatMap(({ change }): Op[] => {
    const row = rows.get(change.id);
    return row ? [{ id: row.id, kind: change.kind, set: setOf(w, table, change, row) }] : [];
  });
  const applied = new Map((await applyOps(w, writing, table, rows, ops)).map((one) => [one.id, one]));
  const outcomes = changes.map(({ at, change }): Outcome => {
    const row = rows.get(change.id);
    const found = errors.get(at);
    const said: ChangeErrors | null = found ? Object.fromEntries(found) : null;
    return { at, id: change.id, n: row?.n ?? 0, revision: row?.rev ?? 0, applied: said ? null : (applied.get(change.id) ?? null), errors: said };
  });
  return { outcomes, others: [] };
}

/** Upcoming published states, without records that have errors. */
function publishingOf(changes: StateChanges, rows: ReadonlyMap<string, Row>, errors: ReadonlyMap<number, unknown>): Publishing {
  const publishing = new Map<string, ((field: FieldModel) => unknown) | null>();
  for (const { at, change } of changes) {
    const row = rows.get(change.id);
    if (!row || errors.has(at)) continue;
    if (change.kind === 'publish') publishing.set(change.id, (field) => row.values.get(field.id));
    else if (change.kind === 'unpublish' || change.kind === 'trash') publishing.set(change.id, null);
  }
  return publishing;
}

/**
 * Errors for records that are not in the expected state or that the writer may not see. Throws `forbidden` for visible records that the writer may not
 * change.
 */
async function missingOf(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  changes: StateChanges,
  rows: ReadonlyMap<string, Row>,
): Promise<Map<number, Map<string, FieldError>>> {
  const errors = new Map<number, Map<string, FieldError>>();
  const read = grantOf(table, context.reader, 'read');
  for (const inBin of [false, true]) {
    const some = changes.filter(({ change }) => (change.kind === 'restore') === inBin);
    const userChanges = some.filter(({ change }) => change.system !== true);
    const ids = userChanges.map(({ change }) => change.id);
    const visibleIds = read.filter === null ? null : await permitted(w, context, table, ids, { grants: [read], inBin });
    const open = new Map<RecordAction, Set<string>>();
    for (const action of new Set(userChanges.map(({ change }) => actionOf[change.kind]))) {
      const grant = grantOf(table, context.reader, action);
      if (grant.filter !== null) open.set(action, await permitted(w, context, table, ids, { grants: [grant], inBin }));
    }
    for (const { at, change } of some) {
      const row = rows.get(change.id);
      const own = change.system !== true;
      if (!row || (row.deletedAt !== null) !== inBin || (own && visibleIds && !visibleIds.has(change.id))) errors.set(at, new Map([['', { code: 'unknown' }]]));
      else if (own && open.get(actionOf[change.kind])?.has(change.id) === false) fail('forbidden');
    }
  }
  return errors;
}

function setOf(w: WriteTx, table: TableModel, change: StateChange, row: Row): Map<string, unknown> {
  switch (change.kind) {
    case 'trash':
      return new Map<string, unknown>([
        ['$deletedAt', w.now.toISOString()],
        ['$publishAt', null],
        ['$unpublishAt', null],
        ...(table.drafts ? [['$published', null] as const] : []),
      ]);
    case 'restore':
      return new Map([['$deletedAt', null]]);
    case 'publish': {
      if (!table.drafts) return new Map();
      const due = new Map<string, unknown>([['$publishAt', null]]);
      return row.published !== null && row.publishedRev === row.rev ? due : due.set('$published', 'now');
    }
    case 'unpublish':
      return new Map<string, unknown>(
        table.drafts
          ? [
              ['$published', null],
              ['$unpublishAt', null],
            ]
          : [],
      );
    case 'schedule':
      return new Map<string, unknown>([
        ...(change.publishAt === undefined ? [] : [['$publishAt', change.publishAt?.toISOString() ?? null] as const]),
        ...(change.unpublishAt === undefined ? [] : [['$unpublishAt', change.unpublishAt?.toISOString() ?? null] as const]),
      ]);
    case 'move':
      return new Map([['$ord', change.ord]]);
  }
}
