import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { mayOnSite } from '../../../../contract/permissions';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { PasteInput } from '../../../../contract/tables/recordEndpoints';
import type { PasteResult, RowPlan } from '../../../../contract/tables/records';
import type { BatchOrigin } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { failField } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf } from '../../audit';
import type { Actor } from '../../audit';
import { requireGrant } from '../core/access';
import { newRecordId } from '../core/ids';
import { tableOf } from '../core/model';
import type { FieldModel, TableModel } from '../core/model';
import { isWritable } from '../core/values/check';
import { inWrite, writeContextOf, originAt } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { Hashed, withHashes } from '../core/write/passwords';
import type { TableContext } from '../core/tableContext';
import type { BatchResult, Change, WriteTx } from '../core/write/types';
import { lookupsFor, readCells } from '../core/write/cellTexts';
import type { Column, CellRow, CellError } from '../core/write/cellTexts';
import { makeChoices, noteChoices } from '../core/write/choices';
import { errorText } from '../core/values/errorTexts';

type Input = z.output<typeof PasteInput>;
type PasteResponse = z.output<typeof PasteResult>;
/** Maximum number of rows in a response. */
const shownRows = 200;

/** Rolls back a paste with errors; carries the response. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly response: PasteResponse;
  constructor(response: PasteResponse) {
    super('faults');
    this.response = response;
  }
}

/**
 * `POST …/records/paste`: texts into cells. All or nothing: one row with an error prevents the whole paste, and the response names the rows and errors,
 * unless the caller asks for such rows to be skipped. A null cell leaves its value unchanged, an empty one clears it; computed columns and empty new
 * rows are skipped.
 */
export function registerPaste(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.pasteRecords, async (call) => {
    const { body, site, session, locale } = call;
    const context = await writeContextOf(ctx, call);
    requireGrant(context.table, context.reader, 'read');
    const designs = mayOnSite(site.role, 'tables.design') && (session.token === null || session.token.scopes.includes('tables:design'));
    const passwords = await passwordsOf(context, body);
    const how: How = { input: body, passwords, designs, actor: actorOf(call), origin: originAt(session, 'paste'), locale };
    const work = async (w: WriteTx): Promise<PasteResponse> => {
      const response = await paste(w, context, how);
      if (response.failed > 0 && !body.leaveOut && !body.dryRun)
        throw new Refused({ ...response, batchId: null, created: 0, updated: 0, unchanged: 0, ids: [] });
      return response;
    };
    try {
      const response = await inWrite(ctx, call, work, { dryRun: body.dryRun });
      return body.dryRun ? { ...response, batchId: null, ids: [] } : response;
    } catch (error) {
      if (error instanceof Refused) return error.response;
      throw error;
    }
  });
}

type How = {
  readonly input: Input;
  /** Hashed passwords of each row, by field. */ readonly passwords: readonly Readonly<Record<string, unknown>>[];
  /** May add choices. */ readonly designs: boolean;
  readonly actor: Actor;
  readonly origin: BatchOrigin;
  readonly locale: Locale;
};

async function paste(w: WriteTx, context: TableContext, { input, passwords, designs, actor, origin, locale }: How): Promise<PasteResponse> {
  const columns = columnsOf(context, input.fields);
  const lookups = await lookupsFor(w, context, columns, input.rows);
  const missing = new Map<FieldModel, Set<string>>();
  let now = context;
  let lines = readCells(context.timeZone, columns, lookups, input.rows, missing);
  let createdChoices: Awaited<ReturnType<typeof makeChoices>>['addedChoices'] = {};
  if (missing.size > 0 && input.addChoices && designs) {
    const done = await makeChoices(w, context, actor, missing);
    createdChoices = done.addedChoices;
    now = { ...context, model: done.model, table: tableOf(done.model, context.table.id) };
    lines = readCells(context.timeZone, columnsOf(now, input.fields), lookups, input.rows, new Map());
  }
  const written = lines.filter((line) => line.errors.length === 0 && Object.keys(line.values).length > 0);
  const changes = written.map((line): Change => {
    const values = { ...line.values, ...passwords[line.row] };
    return line.id === null ? { kind: 'create', id: newRecordId(w.now.getTime()), values } : { kind: 'update', id: line.id, values };
  });
  const result = await writeBatch(w, now, changes, { origin, errors: 'collect', locale: input.locale });
  if (result.batchId !== null && Object.keys(createdChoices).length > 0) await noteChoices(w, result.batchId, createdChoices);
  const byRow = new Map(written.map((line, at) => [line.row, result.results[at]]));
  const plans = lines.map((line) => planOf(line, byRow.get(line.row), now.table, locale));
  return {
    batchId: result.batchId,
    created: result.created,
    updated: result.updated,
    unchanged: lines.length - result.created - result.updated - plans.filter(({ outcome }) => outcome === 'fail').length,
    rows: failuresFirst(plans),
    failed: plans.filter(({ outcome }) => outcome === 'fail').length,
    newChoices: designs ? Object.fromEntries(Array.from(missing, ([field, titles]) => [field.id, [...titles]])) : {},
    ids: result.results.filter(({ outcome }) => outcome === 'created').map(({ id }) => id),
  };
}

/** Cells of password columns, hashed before a transaction begins; empty for rows without one. */
async function passwordsOf(context: TableContext, { fields, rows }: Input): Promise<Record<string, unknown>[]> {
  const columns = fields.flatMap((name, at) => {
    const field = context.table.byName.get(name);
    return field?.type === 'password' ? [{ id: field.id, at }] : [];
  });
  if (columns.length === 0) return [];
  const passwordValues: Readonly<Record<string, unknown>>[] = rows.map(({ cells }) =>
    Object.fromEntries(columns.flatMap(({ id, at }) => (cells[at] ? [[id, cells[at]]] : []))),
  );
  return (await withHashes(context, 'create', await withHashes(context, 'update', passwordValues))).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value instanceof Hashed)),
  );
}

/** Writable columns; `at`: index of their cells. */
function columnsOf({ model, table, reader }: TableContext, ids: readonly string[]): Column[] {
  const { covers } = requireGrant(table, reader, 'read');
  return ids.flatMap((id, at): Column[] => {
    const field = table.byName.get(id);
    if (!field || !covers(field)) return failField(`fields.${at}`, 'unknown_field');
    if (ids.indexOf(id) !== at) return failField(`fields.${at}`, 'duplicate');
    return isWritable(model, field) ? [{ field, at }] : [];
  });
}

function planOf({ row, id, errors }: CellRow, result: BatchResult['results'][number] | undefined, table: TableModel, locale: Locale): RowPlan {
  const said = ({ field, error, missing = [] }: CellError): RowPlan['errors'][number] => {
    const text = errorText(error, locale, field === null ? undefined : table.byName.get(field)?.type);
    const titles = missing.slice(0, 5).join(locale === 'en' ? ', ' : '、');
    return { field, code: error.code, text: titles === '' ? text : locale === 'en' ? `${text}: ${titles}` : `${text}：${titles}` };
  };
  if (errors.length > 0) return { row, outcome: 'fail', id, errors: errors.map(said) };
  if (!result) return { row, outcome: 'skip', id, errors: [] };
  if (result.errors) {
    const found = Object.entries(result.errors).map(([name, error]): CellError => ({ field: name === '' ? null : (name.split('.')[0] ?? null), error }));
    return { row, outcome: 'fail', id, errors: found.map(said) };
  }
  const outcome = result.outcome === 'created' ? 'insert' : result.outcome === 'updated' ? 'update' : 'skip';
  return { row, outcome, id: result.outcome === 'created' ? null : id, errors: [] };
}

/** Rows with errors first, then rows that change. */
function failuresFirst(plans: readonly RowPlan[]): RowPlan[] {
  const failed = plans.filter(({ outcome }) => outcome === 'fail');
  return [...failed, ...plans.filter(({ outcome }) => outcome === 'insert' || outcome === 'update')].slice(0, shownRows);
}
