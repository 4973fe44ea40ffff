import fc from 'fast-check';
import type { ContentTable, FieldInput, TableField } from '../../contract/tables/schemas';
import { readModel } from '../../server/areas/tables/core/model';
import type { TestApp } from '../support/app';
import { storage } from './tablesSchemaSupport';
import type { Designing } from './tablesSchemaSupport';

/** Random changes of a table's definition for the property of `tablesSchemaHistory.test.ts`, each with the outcome that the documentation promises. */
const validSteps = ['add', 'rename', 'remove', 'restore', 'revert', 'drafts', 'binTable', 'binOther', 'order'] as const;
/** Steps that are refused whatever came before. */
export const invalidSteps = ['takenKey', 'takenName', 'unknownField', 'unknownOrder', 'unknownTarget', 'wrongType', 'oldRevision', 'notInBin'] as const;
export type Step = { readonly do: (typeof validSteps)[number] | (typeof invalidSteps)[number]; readonly pick: number };
export const isInvalid = (step: Step['do']): step is (typeof invalidSteps)[number] => (invalidSteps as readonly string[]).includes(step);
export const steps = fc.array(
  fc.record<Step>({ do: fc.constantFrom(...validSteps, 'add', 'remove', 'revert', ...invalidSteps), pick: fc.nat({ max: 1000 }) }),
  { minLength: 5, maxLength: 18 },
);

/** `fields`: error codes by path. */
export type Refusal = { readonly status: number; readonly code: string; readonly fields?: Readonly<Record<string, string>> };
export type StepRequest = {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly revision?: number;
  /** Undefined: it must be accepted. */
  readonly refusal?: Refusal;
};
const invalid = (path: string, code: string): Refusal => ({ status: 422, code: 'invalid_fields', fields: { [path]: code } });
const notFound: Refusal = { status: 404, code: 'not_found' };

export type StepContext = {
  readonly call: Designing;
  /** Number of the step, for unique titles. */ readonly number: number;
  /** The live tables of the site. */ readonly tables: readonly ContentTable[];
  /** The table that is changed, and one that it links to. */ readonly table: ContentTable;
  readonly otherId: string;
  readonly pick: number;
};

const types: readonly FieldInput['type'][] = ['text', 'integer', 'tags', 'relation', 'relations', 'image', 'autonumber', 'switch'];
const namesOf = (fields: readonly TableField[]): string[] => fields.flatMap(({ key, aliases }) => [key, ...aliases]);

function addition({ table, otherId, number, pick }: StepContext): StepRequest {
  const type = types[pick % types.length] ?? 'text';
  const linked = type === 'relation' || type === 'relations';
  const body = {
    type,
    title: `字段 ${number}`,
    options: linked ? { to: pick % 2 ? otherId : table.id } : {},
    ...(linked && pick % 3 ? { inverseTitle: `反 ${number}` } : {}),
  };
  return { method: 'POST', path: `/tables/${table.id}/fields`, body };
}

function renaming({ table, number, pick }: StepContext, field: TableField): StepRequest {
  const key = `k_${pick % 4}`;
  const keyInUse = namesOf(table.fields.filter((other) => other.id !== field.id)).includes(key);
  const request = { method: 'PATCH', path: `/tables/${table.id}/fields/${field.id}`, body: { key, title: `新 ${number}` }, revision: table.revision } as const;
  return keyInUse ? { ...request, refusal: invalid('key', 'taken') } : request;
}

/** A field of the bin; refused while what it links to is in the bin too, or its relation has another inverse. */
async function restoring({ call, table, tables, pick }: StepContext): Promise<StepRequest | null> {
  const binned = await call.get<TableField[]>(`/tables/${table.id}/deleted-fields`);
  const field = binned[pick % Math.max(1, binned.length)];
  if (!field) return null;
  const { to, of } = field.options;
  const live = tables.flatMap(({ fields }) => fields);
  const ready =
    field.type === 'inverse'
      ? live.some(({ id }) => id === of) && !live.some(({ type, options }) => type === 'inverse' && options.of === of)
      : to === undefined || tables.some(({ id }) => id === to);
  const request = { method: 'POST', path: `/tables/${table.id}/fields/${field.id}/restore` } as const;
  return ready ? request : { ...request, refusal: { status: 409, code: 'conflict' } };
}

async function reverting({ call, table, pick }: StepContext): Promise<StepRequest | null> {
  const changes = (await call.history(table.id)).filter(({ revertible, op }) => revertible && op !== 'table_added');
  const change = changes[pick % Math.max(1, changes.length)];
  return change ? { method: 'POST', path: `/tables/${table.id}/history/${change.id}/revert` } : null;
}

/** The requests of a step; none if the table has nothing that it needs. */
export async function requestsOf(step: Step, context: StepContext): Promise<readonly StepRequest[]> {
  const { table, otherId, number, pick } = context;
  const path = `/tables/${table.id}`;
  const { revision, fields } = table;
  const field = fields[pick % Math.max(1, fields.length)];
  const another = fields.find(({ id }) => id !== field?.id);
  const added = { type: 'text', title: `字段 ${number}` } as const;
  switch (step.do) {
    case 'add':
      return [addition(context)];
    case 'rename':
      return field ? [renaming(context, field)] : [];
    case 'remove':
      return field ? [{ method: 'DELETE', path: `${path}/fields/${field.id}` }] : [];
    case 'restore':
      return [await restoring(context)].filter((request) => request !== null);
    case 'revert':
      return [await reverting(context)].filter((request) => request !== null);
    case 'drafts':
      return [{ method: 'PATCH', path, body: { drafts: !table.drafts }, revision }];
    case 'binTable':
      return [{ method: 'DELETE', path }];
    case 'binOther':
      return [
        { method: 'DELETE', path: `/tables/${otherId}` },
        { method: 'POST', path: `/tables/${otherId}/restore` },
      ];
    case 'order':
      return [{ method: 'PUT', path: `${path}/order`, body: { fields: fields.map(({ id }) => id).reverse() }, revision }];
    case 'takenKey':
      return field ? [{ method: 'POST', path: `${path}/fields`, body: { ...added, key: field.key }, refusal: invalid('key', 'taken') }] : [];
    case 'takenName':
      return field && another
        ? [{ method: 'PATCH', path: `${path}/fields/${field.id}`, body: { title: another.title }, revision, refusal: invalid('title', 'taken') }]
        : [];
    case 'unknownField':
      return [{ method: 'PATCH', path: `${path}/fields/gone`, body: { title: added.title }, revision, refusal: notFound }];
    case 'unknownOrder':
      return [{ method: 'PUT', path: `${path}/order`, body: { fields: [otherId.replace('t_', 'f_')] }, revision, refusal: invalid('fields.0', 'unknown') }];
    case 'unknownTarget':
      return [
        { method: 'POST', path: `${path}/fields`, body: { ...added, type: 'relation', options: { to: 'nowhere' } }, refusal: invalid('options.to', 'unknown') },
      ];
    case 'wrongType':
      return field
        ? [
            {
              method: 'POST',
              path: `${path}/fields/${field.id}/conversion`,
              body: { type: 'formula', options: { formula: '1' } },
              revision,
              refusal: invalid('type', 'wrong_type'),
            },
          ]
        : [];
    case 'oldRevision':
      return [{ method: 'PATCH', path, body: { drafts: !table.drafts }, revision: revision + 1, refusal: { status: 409, code: 'stale_revision' } }];
    case 'notInBin':
      return field ? [{ method: 'POST', path: `${path}/fields/${field.id}/restore`, refusal: notFound }] : [];
  }
}

/** Everything that a refused step must leave as it is: definitions with the bin, columns, and the number of recorded changes. */
export async function definitionsOf(program: TestApp, siteId: string): Promise<object> {
  const { db, pool } = program.ctx.postgres;
  const { tables, deletedTables } = await readModel(db, siteId, 0);
  const { real: columns } = await storage(program, siteId);
  const { rows: changes } = await pool.query('SELECT count(*) FROM content_changes WHERE site_id = $1', [siteId]);
  return { tables, deletedTables, columns, changes };
}
