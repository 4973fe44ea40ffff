import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../../../contract/tables/transfers';
import { tableLimits } from '../../../../contract/tables/terms';
import { newRecordId } from '../core/ids';
import { readCells, lookupsFor } from '../core/write/cellTexts';
import type { Cell, Column, Line } from '../core/write/cellTexts';
import { makeChoices, noteChoices } from '../core/write/choices';
import type { Found } from '../core/write/textLookups';
import type { Actor } from '../../audit';
import { tableOf } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { isEmpty, valueOf } from '../core/values/check';
import { ValueFault } from '../core/values/faults';
import type { Hashed } from '../core/write/passwords';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';
import { isTooLarge } from '../core/write/part';
import type { KeptRow } from './files';
import { holdersOf } from './handovers';
import type { Held } from './handovers';
import { comparable, keyOf, recordsByKey } from './matching';
import { passwordAt } from './passwords';
import type { Resolved, Target } from './plan';
import { resolvePlan } from './plan';
import type { StoredFault } from './schema';
import { storedFault, writeItems } from './writing';
import type { Done, Item } from './writing';

/** What a trial remembers from piece to piece: values of keys and unique fields that stand in earlier rows, and choices that the import would make. */
export type Memory = { readonly claimed: Set<string>; readonly choices: Map<string, string[]> };
/** What is remembered of a value: of a file of long ones, not all of it (128 bits of SHA-256). */
const claimName = (text: string): string => (text.length <= 40 ? text : createHash('sha256').update(text).digest('base64url').slice(0, 22));
export const newMemory = (): Memory => ({ claimed: new Set(), choices: new Map() });

export type Work = {
  readonly context: Omit<TableContext, 'table'> & { readonly table: TableModel | null };
  readonly plan: ImportPlan;
  readonly made: Readonly<Record<string, string>>;
  readonly isJson: boolean;
  readonly viaToken: boolean;
  /** Records that were made later are not what texts name, so that the trial and the import read the same. */
  readonly until: Date;
  readonly actor: Actor;
  /** Passwords of the piece, by `passwordAt`. */
  readonly hashes: ReadonlyMap<string, Hashed>;
};
/** `check`: nothing is written. Otherwise into `batchId`; `twice`: rows whose key or unique value an earlier row has, as the trial found. */
export type Mode =
  | { readonly check: Memory; readonly twice?: ReadonlyMap<number, readonly StoredFault[]> }
  | { readonly batchId: string; readonly twice: ReadonlyMap<number, readonly StoredFault[]> };

export type PieceDone = {
  readonly outcomes: string;
  readonly ids: Record<string, string>;
  readonly faults: Record<string, StoredFault[]>;
  /** Titles that name no choice, by field (or title of a new one); to be shown. */
  readonly newChoices: ReadonlyMap<string, readonly string[]>;
  /** Of a trial: rows that wait for a value which another record has. */
  readonly held: readonly Held[];
  /** What the trial has to remember of this piece, once it is sure. */
  readonly remember: { readonly claimed: readonly string[]; readonly choices: ReadonlyMap<string, readonly string[]> };
};

const choiceId = (at: number): string => `c_new${at}`;
const folded = (title: string): string => title.normalize('NFKC').toLowerCase();

/** Faults of values that are not held against the database by the engine: of fields that are not there yet, and translations of records that are not. */
function valueFaults(field: FieldModel, raw: unknown): StoredFault[] {
  try {
    valueOf(field, raw);
    return [];
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    return [storedFault(field.id, error.fault)];
  }
}

type Row = { readonly at: number; id: string | null; readonly key: string | null };

/** Tries or writes the rows of one piece. Its transaction is that of the caller, who takes a trial back. */
export async function doPiece(w: WriteTx, work: Work, mode: Mode, rows: readonly KeptRow[]): Promise<PieceDone> {
  const { plan, isJson } = work;
  const check = 'check' in mode ? mode.check : null;
  let model: SiteModel = work.context.model;
  let table = work.context.table;
  const resolve = (): Resolved => resolvePlan({ model, table, reader: work.context.reader }, plan, work.made);
  let { targets, keys } = resolve();
  const done: (Done & { id?: string })[] = rows.map(({ fault }) =>
    fault === '' ? { outcome: 's' } : { outcome: 'f', faults: [{ field: null, code: fault }] },
  );
  const refuse = (at: number, faults: readonly StoredFault[]): void => void (done[at] = { outcome: 'f', faults });
  const contextNow = (): TableContext | null => (table ? { ...work.context, model, table } : null);

  // Which record each row is.
  const claimed: string[] = [];
  const keyColumns = keys.flatMap((field) => targets.filter((target) => target.field.id === field.id && target.locale === null));
  const good = rows.flatMap((row, at) => (row.fault === '' ? [{ row, at }] : []));
  const context = contextNow();
  const lookups = context
    ? await lookupsFor(
        w,
        context,
        columnsOf(targets),
        good.map(({ row }) => ({ id: null, cells: row.cells })),
        work.until,
      )
    : new Map<string, Found>();
  const keyed = readCells(
    work.context.timeZone,
    columnsOf(keyColumns),
    lookups,
    good.map(({ row }) => ({ id: null, cells: row.cells })),
    new Map(),
    isJson,
  );
  const found: Row[] = good.map(({ at }, n) => ({ at, id: null, key: keyOf(keys, keyed[n]?.values ?? {}) }));
  const records = context ? await recordsByKey(w, context, keys, [...new Set(found.flatMap(({ key }) => key ?? []))]) : new Map<string, string[]>();
  const own = new Set<string>();
  let left = found.filter((row) => {
    const ids = row.key === null ? [] : (records.get(row.key) ?? []);
    const twice = mode.twice?.get(row.at);
    const keyField = keys[0]?.id ?? null;
    if (twice) return refuse(row.at, twice);
    if (row.key !== null && check) {
      const name = claimName(`key ${row.key}`);
      if (own.has(name) || check.claimed.has(name)) return refuse(row.at, [{ field: keyField, code: 'twice' }]);
      own.add(name);
      claimed.push(name);
    }
    if (ids.length > 1) return refuse(row.at, [{ field: keyField, code: 'several' }]);
    row.id = ids[0] ?? null;
    return row.id === null ? plan.onNew === 'insert' : plan.onMatch === 'update';
  });

  // Their values, by language.
  const missing = new Map<FieldModel, Set<string>>();
  // Cells that a row does not have are empty ones.
  const width = Math.max(0, ...targets.map(({ column }) => column + 1));
  const cellOf = (row: Row, column: number): Cell => {
    const cell = rows[row.at]?.cells[column] ?? '';
    return cell === '' && row.id !== null && plan.emptyCells === 'keep' ? null : cell;
  };
  const given = () => left.map((row) => ({ id: row.id, cells: Array.from({ length: width }, (_, column) => cellOf(row, column)) }));
  const cells = given();
  const readAll = (): Map<string, Line[]> =>
    new Map(
      [...new Set(targets.map(({ locale }) => locale ?? ''))].map((locale) => {
        const columns = columnsOf(targets.filter((target) => (target.locale ?? '') === locale));
        return [locale, readCells(work.context.timeZone, columns, lookups, cells, missing, isJson)];
      }),
    );
  if (check) targets = withChoices(targets, check.choices);
  let lines = readAll();
  const newChoices = new Map(
    Array.from(missing, ([field, titles]) => [targets.some((one) => one.isNew && one.field.id === field.id) ? field.title : field.id, [...titles]]),
  );
  const making = new Map(
    Array.from(missing)
      .filter(([field]) => targets.some((one) => one.field.id === field.id && one.makesChoices))
      .map(([field, titles]) => [field, fitting(field, titles)]),
  );
  let choices: Map<string, string[]> = new Map();
  let madeChoices: Awaited<ReturnType<typeof makeChoices>>['made'] = {};
  if (making.size > 0) {
    missing.clear();
    if (check) {
      choices = new Map(Array.from(making, ([field, titles]) => [columnFor(targets, field), [...titles]]));
      targets = withChoices(resolve().targets, merged(check.choices, choices));
    } else if (context) {
      const made = await makeChoices(w, context, work.actor, making);
      madeChoices = made.made;
      model = made.model;
      table = tableOf(model, context.table.id);
      ({ targets, keys } = resolve());
    }
    lines = readAll();
  }

  // A field that is not there yet has no id that anybody could know.
  const titles = new Map(targets.filter((one) => one.isNew).map(({ field }) => [field.id, field.title]));
  const types = new Map(targets.map(({ field }) => [field.id, field.type]));
  const named = (fault: StoredFault): StoredFault => {
    const type = fault.field === null || fault.code !== 'wrong_type' ? undefined : types.get(fault.field);
    return { ...fault, field: fault.field === null ? null : (titles.get(fault.field) ?? fault.field), ...(type ? { type } : {}) };
  };

  // What speaks against them, as far as that needs no other record.
  const items: Item[] = [];
  const faulty: Item[] = [];
  const pretended = new Map<number, boolean>();
  const uniques = targets.filter(({ field, locale }) => field.isUnique && locale === null);
  left = left.filter((row, n) => {
    const faults: StoredFault[] = [];
    const values: Record<string, unknown> = {};
    const translations = new Map<string, Record<string, unknown>>();
    const size = new Map<string, unknown>();
    let fresh = false;
    for (const [locale, all] of lines) {
      const line = all[n];
      for (const { field, fault, missing: absent = [] } of line?.faults ?? [])
        faults.push({ ...storedFault(field, fault), ...(absent.length > 0 ? { missing: absent.slice(0, 5) } : {}) });
      for (const [id, value] of Object.entries(line?.values ?? {})) {
        const target = targets.find((one) => one.field.id === id && (one.locale ?? '') === locale);
        if (!target) continue;
        size.set(`${id}@${locale}`, value);
        if (target.isNew || locale !== '') faults.push(...valueFaults(target.field, value));
        if (target.isNew) fresh ||= !isEmpty(value);
        else if (locale === '') values[id] = value;
        else translations.set(locale, { ...translations.get(locale), [id]: value });
      }
    }
    for (const { field } of uniques) {
      const value = check && field.id in values ? comparable(field, values[field.id]) : null;
      if (value === null) continue;
      const name = claimName(`${field.id} ${value}`);
      if (own.has(name) || check?.claimed.has(name) === true) faults.push({ field: field.id, code: 'twice' });
      own.add(name);
      claimed.push(name);
    }
    if (isTooLarge(size) && faults.length === 0) {
      // Mostly one text is to blame, and can be named.
      for (const { field } of targets) if (field.id in values) faults.push(...valueFaults(field, values[field.id]));
      if (faults.length === 0) faults.push({ field: null, code: 'too_large' });
    }
    if (faults.length > 0) {
      refuse(row.at, faults.map(named));
      // What else is wrong with the row is told along with it.
      if (check) faulty.push({ row: row.at, id: row.id ?? newRecordId(w.now.getTime()), isNew: row.id === null, values, translations });
      return false;
    }
    if (Object.keys(values).length === 0 && translations.size === 0 && !fresh) return false;
    pretended.set(row.at, fresh);
    for (const id of Object.keys(values)) values[id] = work.hashes.get(passwordAt(row.at, id)) ?? values[id];
    items.push({ row: row.at, id: row.id ?? newRecordId(w.now.getTime()), isNew: row.id === null, values, translations });
    return true;
  });

  // The records themselves.
  const now = check ? tryingContext(contextNow(), targets) : contextNow();
  const writer = now && {
    context: now,
    publish: plan.publish,
    options: {
      door: work.viaToken ? ('api' as const) : ('import' as const),
      faults: 'collect' as const,
      complete: plan.publish,
      ...('batchId' in mode ? { batchId: mode.batchId } : { check: true }),
    },
  };
  const written = writer ? await writeItems(w, writer, items) : new Map(items.map(({ row }): [number, Done] => [row, { outcome: 'i' }]));
  const more = writer && faulty.length > 0 ? await writeItems(w, writer, faulty) : new Map<number, Done>();
  for (const [row, other] of more) {
    const before = done[row];
    if (other.outcome !== 'f' || before?.outcome !== 'f') continue;
    const known = new Set(before.faults.map(({ field }) => field));
    done[row] = { outcome: 'f', faults: [...before.faults, ...other.faults.filter(({ field }) => !known.has(field)).map(named)] };
  }
  const ids: Record<string, string> = {};
  for (const { row, id, isNew } of items) {
    let result = written.get(row) ?? { outcome: 's' };
    // A value in a field that is yet to be made changes the record, too.
    if (result.outcome === 's' && !isNew && pretended.get(row) === true) result = { outcome: 'u' };
    done[row] = result;
    if (!isNew) ids[row] = id;
  }
  const held = check && now ? await holdersOf(w, now, items, written) : [];
  if ('batchId' in mode && Object.keys(madeChoices).length > 0) await noteChoices(w, mode.batchId, madeChoices);
  return {
    outcomes: done.map(({ outcome }) => outcome).join(''),
    ids,
    faults: Object.fromEntries(done.flatMap((one, at) => (one.outcome === 'f' ? [[at, one.faults.slice(0, 20).map(cleaned)]] : []))),
    newChoices,
    held,
    remember: { claimed, choices },
  };
}

const columnsOf = (targets: readonly Target[]): Column[] => targets.map(({ field, column }) => ({ field, at: column }));
const columnFor = (targets: readonly Target[], field: FieldModel): string => String(targets.find((one) => one.field.id === field.id)?.column ?? '');
/** Fields with the choices that the import would make for them, by column: a field that is not there yet has another id in every piece. */
const withChoices = (targets: readonly Target[], choices: ReadonlyMap<string, readonly string[]>): Target[] =>
  targets.map((target) => {
    const titles = choices.get(String(target.column));
    if (!titles) return target;
    const before = target.field.options.choices ?? [];
    const more = titles.map((title, at) => ({ id: choiceId(before.length + at), title, color: 'grey' as const }));
    return { ...target, field: { ...target.field, options: { ...target.field.options, choices: [...before, ...more] } } };
  });
/** The table as it would be with these choices: nothing else of a trial needs to know them. */
function tryingContext(context: TableContext | null, targets: readonly Target[]): TableContext | null {
  if (!context) return null;
  const changed = new Map(targets.map(({ field }) => [field.id, field]));
  const { table } = context;
  const byName = new Map(Array.from(table.byName, ([name, field]) => [name, changed.get(field.id) ?? field]));
  return { ...context, table: { ...table, byName, fields: table.fields.map((field) => changed.get(field.id) ?? field) } };
}
const merged = (a: ReadonlyMap<string, readonly string[]>, b: ReadonlyMap<string, readonly string[]>): Map<string, string[]> =>
  new Map([...a.keys(), ...b.keys()].map((key) => [key, [...(a.get(key) ?? []), ...(b.get(key) ?? [])]]));
/** As many of some titles as a selection has room for. */
function fitting(field: FieldModel, titles: ReadonlySet<string>): Set<string> {
  const before = field.options.choices ?? [];
  const known = new Set<string>();
  return new Set([...titles].filter((title) => known.has(folded(title)) || (before.length + known.size < tableLimits.choices && known.add(folded(title)))));
}

/** What PostgreSQL can keep in JSON. */
// oxlint-disable-next-line no-control-regex
const keepable = (text: string): string => text.slice(0, 200).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu, '\uFFFD');
const cleaned = (fault: StoredFault): StoredFault => (fault.missing ? { ...fault, missing: fault.missing.map(keepable) } : fault);

/** Keeps what a piece of a trial has found for the next ones. */
export function remember(memory: Memory, { claimed, choices }: PieceDone['remember']): void {
  for (const name of claimed) memory.claimed.add(name);
  for (const [column, titles] of choices) memory.choices.set(column, [...(memory.choices.get(column) ?? []), ...titles]);
}
