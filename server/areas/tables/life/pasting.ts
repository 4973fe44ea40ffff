import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { readText } from '../../../../contract/fieldText';
import type { ReadText } from '../../../../contract/fieldText';
import { mayOnSite } from '../../../../contract/permissions';
import { recordEndpoints as endpoints } from '../../../../contract/recordCalls';
import type { PasteAnswer, PasteInput } from '../../../../contract/recordCalls';
import type { RowPlan } from '../../../../contract/records';
import type { BatchDoor } from '../../../../contract/tableTerms';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { failField } from '../../../http/failure';
import type { FieldFault } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf } from '../../audit';
import type { Actor } from '../../audit';
import { requireGrant } from '../access';
import { newRecordId } from '../ids';
import { tableOf } from '../model';
import type { FieldModel } from '../model';
import { isWritable } from '../values/check';
import { inWrite } from '../write/call';
import { writeBatch } from '../write/engine';
import { sceneOf } from '../write/routes';
import type { BatchResult, Change, Scene, WriteTx } from '../write/types';
import { doorAt } from './acting';
import { makeChoices, noteChoices, titleFault } from './choices';
import { faultText } from './faultWords';
import { lookupFor } from './pasteLookups';
import type { Found } from './pasteLookups';

type Input = z.output<typeof PasteInput>;
type Answer = z.output<typeof PasteAnswer>;
/** How many rows an answer tells of. */
const shownRows = 200;

/** Thrown to take a paste back that has faults, with what there is to say about it. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('faults');
    this.answer = answer;
  }
}

/**
 * `POST …/records/paste`: texts into cells. All or nothing: one row with a fault is enough for nothing to be written, and the answer says which and why,
 * unless the caller asks for such rows to be left out. A cell that is null stays as it is, an empty one becomes empty; columns that are made when
 * reading are passed over, and so are new rows in which nothing stands.
 */
export function registerPaste(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.pasteRecords, async (call) => {
    const { body, site, session, locale } = call;
    const scene = await sceneOf(ctx, call);
    requireGrant(scene.table, scene.reader, 'read');
    const designs = mayOnSite(site.role, 'tables.design') && (session.token === null || session.token.scopes.includes('tables:design'));
    const how: How = { input: body, designs, actor: actorOf(call), door: doorAt(session, 'paste'), words: locale };
    const work = async (w: WriteTx): Promise<Answer> => {
      const answer = await paste(w, scene, how);
      if (answer.failed > 0 && !body.leaveOut && !body.dryRun) throw new Refused({ ...answer, batchId: null, created: 0, updated: 0, unchanged: 0, ids: [] });
      return answer;
    };
    try {
      const answer = await inWrite(ctx, call, work, { dryRun: body.dryRun });
      return body.dryRun ? { ...answer, batchId: null, ids: [] } : answer;
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  });
}

type How = {
  readonly input: Input;
  /** May make choices. */ readonly designs: boolean;
  readonly actor: Actor;
  readonly door: BatchDoor;
  readonly words: Locale;
};
type Column = { readonly field: FieldModel; readonly at: number };
type RowFault = { readonly field: string | null; readonly fault: FieldFault; readonly missing?: readonly string[] };
type Line = { readonly row: number; readonly id: string | null; readonly values: Record<string, unknown>; readonly faults: RowFault[] };

async function paste(w: WriteTx, scene: Scene, { input, designs, actor, door, words }: How): Promise<Answer> {
  const columns = columnsOf(scene, input.fields);
  const lookups = await lookupsFor(w, scene, columns, input);
  const missing = new Map<FieldModel, Set<string>>();
  let now = scene;
  let lines = read(scene, columns, lookups, input, missing);
  let made: Awaited<ReturnType<typeof makeChoices>>['made'] = {};
  if (missing.size > 0 && input.addChoices && designs) {
    const done = await makeChoices(w, scene, actor, missing);
    made = done.made;
    now = { ...scene, model: done.model, table: tableOf(done.model, scene.table.id) };
    lines = read(now, columnsOf(now, input.fields), lookups, input, new Map());
  }
  const written = lines.filter((line) => line.faults.length === 0 && Object.keys(line.values).length > 0);
  const changes = written.map(({ id, values }): Change =>
    id === null ? { kind: 'create', id: newRecordId(w.now.getTime()), values } : { kind: 'update', id, values },
  );
  const result = await writeBatch(w, now, changes, { door, faults: 'collect', locale: input.locale });
  if (result.batchId !== null && Object.keys(made).length > 0) await noteChoices(w, result.batchId, made);
  const byRow = new Map(written.map((line, at) => [line.row, result.results[at]]));
  const plans = lines.map((line) => planOf(line, byRow.get(line.row), words));
  return {
    batchId: result.batchId,
    created: result.created,
    updated: result.updated,
    unchanged: lines.length - result.created - result.updated - plans.filter(({ outcome }) => outcome === 'fail').length,
    rows: told(plans),
    failed: plans.filter(({ outcome }) => outcome === 'fail').length,
    newChoices: designs ? Object.fromEntries(Array.from(missing, ([field, titles]) => [field.id, [...titles]])) : {},
    ids: result.results.filter(({ outcome }) => outcome === 'created').map(({ id }) => id),
  };
}

/** Columns that can be written at all; `at`: where their cells stand. */
function columnsOf({ model, table, reader }: Scene, ids: readonly string[]): Column[] {
  const { covers } = requireGrant(table, reader, 'read');
  return ids.flatMap((id, at): Column[] => {
    const field = table.byName.get(id);
    if (!field || !covers(field)) return failField(`fields.${at}`, 'unknown_field');
    if (ids.indexOf(id) !== at) return failField(`fields.${at}`, 'duplicate');
    return isWritable(model, field) ? [{ field, at }] : [];
  });
}

const isLookedUp = ({ type }: FieldModel): boolean => type === 'relation' || type === 'relations' || type === 'inverse' || type === 'user';
async function lookupsFor(w: WriteTx, scene: Scene, columns: readonly Column[], { rows }: Input): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const { field, at } of columns) {
    if (!isLookedUp(field)) continue;
    const texts = new Set(rows.map(({ cells }) => cells[at] ?? '').filter((text) => text !== ''));
    found.set(field.id, await lookupFor(w, scene, field, texts));
  }
  return found;
}

/** Texts of all cells as values; titles of choices that there are not go into `missing`. */
function read(scene: Scene, columns: readonly Column[], lookups: ReadonlyMap<string, Found>, { rows }: Input, missing: Map<FieldModel, Set<string>>): Line[] {
  const lines = rows.map(({ id }, row): Line => ({ row, id, values: {}, faults: [] }));
  for (const { field, at } of columns) {
    const known = new Map<string, ReadText>();
    const lookup = lookups.get(field.id);
    const how = { timeZone: scene.timeZone, ...(lookup ? { find: lookup.find } : {}) };
    const isChoice = field.type === 'select' || field.type === 'multiSelect';
    const absent = new Set<string>();
    rows.forEach(({ cells }, row) => {
      const text = cells[at] ?? null;
      const line = lines[row];
      // What a new record is not given, its defaults decide.
      if (text === null || !line || (line.id === null && text === '')) return;
      const value = known.get(text) ?? readText(field, text, how);
      if (text.length < 200) known.set(text, value);
      if (value.ok) {
        line.values[field.id] = value.value;
        return;
      }
      const several = value.missing.some((title) => lookup?.ambiguous.has(title));
      const unusable = isChoice ? value.missing.flatMap((title) => titleFault(title) ?? []) : [];
      line.faults.push({ field: field.id, fault: unusable[0] ?? { code: several ? 'duplicate' : value.code }, missing: unusable[0] ? [] : value.missing });
      if (isChoice && value.code === 'unknown' && unusable.length === 0) for (const title of value.missing) absent.add(title);
    });
    if (absent.size > 0) missing.set(field, absent);
  }
  return lines;
}

function planOf({ row, id, faults }: Line, result: BatchResult['results'][number] | undefined, words: Locale): RowPlan {
  const said = (fault: RowFault): RowPlan['faults'][number] => {
    const text = faultText(fault.fault, words);
    const titles = (fault.missing ?? []).slice(0, 5).join(words === 'en' ? ', ' : '、');
    return { field: fault.field, code: fault.fault.code, text: titles === '' ? text : words === 'en' ? `${text}: ${titles}` : `${text}：${titles}` };
  };
  if (faults.length > 0) return { row, outcome: 'fail', id, faults: faults.map(said) };
  if (!result) return { row, outcome: 'skip', id, faults: [] };
  if (result.faults) {
    const found = Object.entries(result.faults).map(([name, fault]): RowFault => ({ field: name === '' ? null : (name.split('.')[0] ?? null), fault }));
    return { row, outcome: 'fail', id, faults: found.map(said) };
  }
  const outcome = result.outcome === 'created' ? 'insert' : result.outcome === 'updated' ? 'update' : 'skip';
  return { row, outcome, id: result.outcome === 'created' ? null : id, faults: [] };
}

/** Faults first, then what changes. */
function told(plans: readonly RowPlan[]): RowPlan[] {
  const failed = plans.filter(({ outcome }) => outcome === 'fail');
  return [...failed, ...plans.filter(({ outcome }) => outcome === 'insert' || outcome === 'update')].slice(0, shownRows);
}
