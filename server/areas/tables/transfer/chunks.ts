import { createHash } from 'node:crypto';
import type { ImportPlan } from '../../../../contract/tables/transfers';
import { tableLimits } from '../../../../contract/tables/terms';
import { newRecordId } from '../core/ids';
import { readCells, lookupsFor } from '../core/write/cellTexts';
import type { Cell, Column, CellRow } from '../core/write/cellTexts';
import { makeChoices, noteChoices } from '../core/write/choices';
import type { Found } from '../core/write/textLookups';
import type { Actor } from '../../audit';
import { tableOf } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { withBroughtFiles } from '../core/values/broughtFiles';
import { isEmpty, valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';
import type { Hashed } from '../core/write/passwords';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';
import { isTooLarge } from '../core/write/item';
import type { RowFiles } from './archivedFiles';
import type { StoredRow } from './files';
import { holdersOf } from './handovers';
import type { Held } from './handovers';
import { comparable, keyOf, recordsByKey } from './matching';
import { passwordAt } from './passwords';
import type { Resolved, Target } from './plan';
import { resolvePlan } from './plan';
import type { StoredError } from './schema';
import { storedError, writeItems } from './writing';
import type { RowResult, Item } from './writing';

/** State of a dry run across chunks: keys and unique values of earlier rows, and choices that the import would add. */
export type Memory = { readonly claimed: Set<string>; readonly choices: Map<string, string[]> };
/** Long values are stored as 128 bits of SHA-256 to save memory. */
const claimName = (text: string): string => (text.length <= 40 ? text : createHash('sha256').update(text).digest('base64url').slice(0, 22));
export const newMemory = (): Memory => ({ claimed: new Set(), choices: new Map() });

export type Work = {
  readonly context: Omit<TableContext, 'table'> & { readonly table: TableModel | null };
  readonly plan: ImportPlan;
  readonly createdFields: Readonly<Record<string, string>>;
  readonly isJson: boolean;
  readonly viaToken: boolean;
  /** Texts do not match records created later, so that the dry run and the import get the same results. */
  readonly until: Date;
  readonly actor: Actor;
  /** Passwords of the chunk, by `passwordAt`. */
  readonly hashes: ReadonlyMap<string, Hashed>;
  readonly files: RowFiles;
};
/** `check`: nothing is written. Otherwise into `batchId`; `twice`: rows whose key or unique value occurs in an earlier row, as the dry run found. */
export type Mode =
  | { readonly check: Memory; readonly twice?: ReadonlyMap<number, readonly StoredError[]> }
  | { readonly batchId: string; readonly twice: ReadonlyMap<number, readonly StoredError[]> };

export type ChunkResult = {
  readonly outcomes: string;
  readonly ids: Record<string, string>;
  readonly errors: Record<string, StoredError[]>;
  /** Titles of unknown choices, by field (or title of a new one); for display. */
  readonly newChoices: ReadonlyMap<string, readonly string[]>;
  /** In a dry run: rows that wait for a value which another record has. */
  readonly held: readonly Held[];
  /** What the dry run must remember of this chunk, once it is final. */
  readonly remember: { readonly claimed: readonly string[]; readonly choices: ReadonlyMap<string, readonly string[]> };
};

const choiceId = (at: number): string => `c_new${at}`;
const folded = (title: string): string => title.normalize('NFKC').toLowerCase();

/** Errors that the engine does not check: fields that do not exist yet, and translations of new records. */
function valueErrors(field: FieldModel, raw: unknown): StoredError[] {
  try {
    valueOf(field, raw);
    return [];
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return [storedError(field.id, error.error)];
  }
}

type Row = { readonly at: number; id: string | null; readonly key: string | null };
/** Rows to write, and (in a dry run) rows with errors in which the engine may find more. */
type CheckedRows = { readonly items: readonly Item[]; readonly refused: readonly Item[]; readonly changesNewField: ReadonlyMap<number, boolean> };
type NewChoices = {
  /** For display. */
  readonly titles: ChunkResult['newChoices'];
  /** In a dry run, by column. */
  readonly pretended: ReadonlyMap<string, string[]>;
  /** Added to the definition. */
  readonly created: Awaited<ReturnType<typeof makeChoices>>['addedChoices'];
};

/** Checks or writes the rows of one chunk, in the caller's transaction; the caller rolls a dry run back. */
export const importChunk = (w: WriteTx, work: Work, mode: Mode, rows: readonly StoredRow[]): Promise<ChunkResult> => new ChunkImport(w, work, mode, rows).run();

class ChunkImport {
  readonly #w: WriteTx;
  readonly #work: Work;
  readonly #mode: Mode;
  readonly #check: Memory | null;
  readonly #rows: readonly StoredRow[];
  #model: SiteModel;
  #table: TableModel | null;
  #targets: readonly Target[];
  readonly #keys: Resolved['keys'];
  /** By row of the chunk. */
  readonly #outcomes: RowResult[];
  /** Keys and unique values of this chunk: all of them, and those that a dry run must remember. */
  readonly #ownNames = new Set<string>();
  readonly #claimed: string[] = [];

  constructor(w: WriteTx, work: Work, mode: Mode, rows: readonly StoredRow[]) {
    this.#w = w;
    this.#work = work;
    this.#mode = mode;
    this.#check = 'check' in mode ? mode.check : null;
    this.#rows = rows;
    this.#model = work.context.model;
    this.#table = work.context.table;
    const { targets, keys } = this.#resolved();
    this.#targets = targets;
    this.#keys = keys;
    this.#outcomes = rows.map(({ error }) => (error === '' ? { outcome: 's' } : { outcome: 'f', errors: [{ field: null, code: error }] }));
  }

  async run(): Promise<ChunkResult> {
    const lookups = await this.#lookups();
    const rows = await this.#rowsWithRecords(lookups);
    const { lines, choices } = await this.#readValues(rows, lookups);
    const checked = this.#checkRows(rows, lines);
    const { ids, held } = await this.#write(checked);
    if ('batchId' in this.#mode && Object.keys(choices.created).length > 0) await noteChoices(this.#w, this.#mode.batchId, choices.created);
    return {
      outcomes: this.#outcomes.map(({ outcome }) => outcome).join(''),
      ids,
      errors: Object.fromEntries(this.#outcomes.flatMap((one, at) => (one.outcome === 'f' ? [[at, one.errors.slice(0, 20).map(cleaned)]] : []))),
      newChoices: choices.titles,
      held,
      remember: { claimed: this.#claimed, choices: choices.pretended },
    };
  }

  #resolved(): Resolved {
    return resolvePlan({ model: this.#model, table: this.#table, reader: this.#work.context.reader }, this.#work.plan, this.#work.createdFields);
  }
  /** null: the table does not exist yet. */
  #context(): TableContext | null {
    return this.#table ? { ...this.#work.context, model: this.#model, table: this.#table } : null;
  }
  #refuse(at: number, errors: readonly StoredError[]): void {
    this.#outcomes[at] = { outcome: 'f', errors };
  }
  #readableRows() {
    return this.#rows.flatMap((row, at) => (row.error === '' ? [{ at, id: null, cells: row.cells }] : []));
  }

  /** Resolves texts that name records and people. */
  async #lookups(): Promise<ReadonlyMap<string, Found>> {
    const context = this.#context();
    return context ? lookupsFor(this.#w, context, columnsOf(this.#targets), this.#readableRows(), this.#work.until) : new Map();
  }

  /** The record of each row; without rows that are refused or that the plan skips. */
  async #rowsWithRecords(lookups: ReadonlyMap<string, Found>): Promise<Row[]> {
    const { plan, isJson, context } = this.#work;
    const readable = this.#readableRows();
    const keyColumns = this.#keys.flatMap((field) => this.#targets.filter((target) => target.field.id === field.id && target.locale === null));
    const keyValues = readCells(context.timeZone, columnsOf(keyColumns), lookups, readable, new Map(), isJson);
    const rows: Row[] = readable.map(({ at }, n) => ({ at, id: null, key: keyOf(this.#keys, keyValues[n]?.values ?? {}) }));
    const present = this.#context();
    const records = present
      ? await recordsByKey(this.#w, present, this.#keys, [...new Set(rows.flatMap(({ key }) => key ?? []))])
      : new Map<string, string[]>();
    return rows.filter((row) => {
      const ids = row.key === null ? [] : (records.get(row.key) ?? []);
      const errors = this.#errorsOfKey(row, ids);
      if (errors) return this.#refuse(row.at, errors);
      row.id = ids[0] ?? null;
      return row.id === null ? plan.onNew === 'insert' : plan.onMatch === 'update';
    });
  }
  /** Why the key of a row does not identify a single record; null: it does. */
  #errorsOfKey({ at, key }: Row, ids: readonly string[]): readonly StoredError[] | null {
    const field = this.#keys[0]?.id ?? null;
    const twice = this.#mode.twice?.get(at);
    if (twice) return twice;
    if (key !== null && this.#check) {
      const name = claimName(`key ${key}`);
      if (this.#isClaimed(name)) return [{ field, code: 'twice' }];
      this.#claim(name);
    }
    return ids.length > 1 ? [{ field, code: 'several' }] : null;
  }
  #isClaimed(name: string): boolean {
    return this.#ownNames.has(name) || this.#check?.claimed.has(name) === true;
  }
  #claim(name: string): void {
    this.#ownNames.add(name);
    this.#claimed.push(name);
  }

  /** Values of the rows by language; unknown choices are added (in a dry run: simulated) where the plan says so. */
  async #readValues(rows: readonly Row[], lookups: ReadonlyMap<string, Found>): Promise<{ lines: ReadonlyMap<string, CellRow[]>; choices: NewChoices }> {
    const missing = new Map<FieldModel, Set<string>>();
    // Missing cells of a row are empty.
    const width = Math.max(0, ...this.#targets.map(({ column }) => column + 1));
    const cells = rows.map((row) => ({ id: row.id, cells: Array.from({ length: width }, (_, column) => this.#cellOf(row, column)) }));
    const readAll = (): Map<string, CellRow[]> =>
      new Map(
        [...new Set(this.#targets.map(({ locale }) => locale ?? ''))].map((locale) => {
          const columns = columnsOf(this.#targets.filter((target) => (target.locale ?? '') === locale));
          return [locale, readCells(this.#work.context.timeZone, columns, lookups, cells, missing, this.#work.isJson)];
        }),
      );
    if (this.#check) this.#targets = withChoices(this.#targets, this.#check.choices);
    const lines = readAll();
    const isNew = (field: FieldModel): boolean => this.#targets.some((one) => one.isNew && one.field.id === field.id);
    const titles = new Map(Array.from(missing, ([field, names]) => [isNew(field) ? field.title : field.id, [...names]]));
    const requestedChoices = new Map(
      Array.from(missing)
        .filter(([field]) => this.#targets.some((one) => one.field.id === field.id && one.makesChoices))
        .map(([field, names]) => [field, fitting(field, names)]),
    );
    if (requestedChoices.size === 0) return { lines, choices: { titles, pretended: new Map(), created: {} } };
    missing.clear();
    const { pretended, created } = await this.#addChoices(requestedChoices);
    return { lines: readAll(), choices: { titles, pretended, created } };
  }
  /** null: the value stays. */
  #cellOf(row: Row, column: number): Cell {
    const cell = this.#rows[row.at]?.cells[column] ?? '';
    return cell === '' && row.id !== null && this.#work.plan.emptyCells === 'keep' ? null : cell;
  }
  /** Adds choices to the fields of this chunk, in the definition or (in a dry run) in memory. */
  async #addChoices(requestedChoices: ReadonlyMap<FieldModel, Set<string>>): Promise<Pick<NewChoices, 'pretended' | 'created'>> {
    if (this.#check) {
      const pretended = new Map(Array.from(requestedChoices, ([field, names]) => [columnFor(this.#targets, field), [...names]]));
      this.#targets = withChoices(this.#resolved().targets, merged(this.#check.choices, pretended));
      return { pretended, created: {} };
    }
    const context = this.#context();
    if (!context) return { pretended: new Map(), created: {} };
    const { addedChoices: createdChoices, model } = await makeChoices(this.#w, context, this.#work.actor, requestedChoices);
    this.#model = model;
    this.#table = tableOf(model, context.table.id);
    this.#targets = this.#resolved().targets;
    return { pretended: new Map(), created: createdChoices };
  }

  /** Errors of rows, as far as they do not depend on other records. */
  #checkRows(rows: readonly Row[], lines: ReadonlyMap<string, CellRow[]>): CheckedRows {
    const items: Item[] = [];
    const refused: Item[] = [];
    const changesNewField = new Map<number, boolean>();
    rows.forEach((row, n) => {
      const { values, translations, errors, hasNewValue } = this.#valuesOfRow(lines, n);
      const item = { row: row.at, id: row.id ?? newRecordId(this.#w.now.getTime()), isNew: row.id === null, values, translations };
      if (errors.length > 0) {
        this.#refuse(
          row.at,
          errors.map((error) => this.#named(error)),
        );
        // The engine reports further errors of the row.
        if (this.#check) refused.push(item);
        return;
      }
      if (Object.keys(values).length === 0 && translations.size === 0 && !hasNewValue) return;
      changesNewField.set(row.at, hasNewValue);
      for (const id of Object.keys(values)) values[id] = this.#work.hashes.get(passwordAt(row.at, id)) ?? values[id];
      items.push(item);
    });
    return { items, refused, changesNewField };
  }
  /** The values of row `n`, with their errors; `hasNewValue`: it has a value for a field that does not exist yet. */
  #valuesOfRow(lines: ReadonlyMap<string, CellRow[]>, n: number) {
    const errors: StoredError[] = [];
    const values: Record<string, unknown> = {};
    const translations = new Map<string, Record<string, unknown>>();
    const all = new Map<string, unknown>();
    let hasNewValue = false;
    for (const [locale, ofLocale] of lines) {
      const line = ofLocale[n];
      for (const { field, error, missing = [] } of line?.errors ?? [])
        errors.push({ ...storedError(field, error), ...(missing.length > 0 ? { missing: missing.slice(0, 5) } : {}) });
      for (const [id, read] of Object.entries(line?.values ?? {})) {
        const target = this.#targets.find((one) => one.field.id === id && (one.locale ?? '') === locale);
        if (!target) continue;
        const value = withBroughtFiles(target.field.type, read, this.#work.files.brought);
        all.set(`${id}@${locale}`, value);
        if (target.isNew || locale !== '') errors.push(...valueErrors(target.field, value));
        if (target.isNew) hasNewValue ||= !isEmpty(value);
        else if (locale === '') values[id] = value;
        else translations.set(locale, { ...translations.get(locale), [id]: value });
      }
    }
    errors.push(...this.#errorsOfUnique(values));
    if (isTooLarge(all) && errors.length === 0) {
      // Usually one text is the cause, and can be named.
      for (const { field } of this.#targets) if (field.id in values) errors.push(...valueErrors(field, values[field.id]));
      if (errors.length === 0) errors.push({ field: null, code: 'too_large' });
    }
    return { values, translations, errors, hasNewValue };
  }
  /** In a dry run: unique values that occur in an earlier row. */
  #errorsOfUnique(values: Readonly<Record<string, unknown>>): StoredError[] {
    if (!this.#check) return [];
    return this.#targets.flatMap(({ field, locale }): StoredError[] => {
      if (!field.isUnique || locale !== null || !(field.id in values)) return [];
      const value = comparable(field, values[field.id]);
      if (value === null) return [];
      const name = claimName(`${field.id} ${value}`);
      const isTaken = this.#isClaimed(name);
      this.#claim(name);
      return isTaken ? [{ field: field.id, code: 'twice' }] : [];
    });
  }
  /** An error as stored: a field that does not exist yet has no id to refer to. */
  #named(error: StoredError): StoredError {
    const target = this.#targets.find(({ field }) => field.id === error.field);
    const type = error.code === 'wrong_type' ? target?.field.type : undefined;
    const created = this.#targets.find(({ field, isNew }) => isNew && field.id === error.field);
    return { ...error, field: created?.field.title ?? error.field, ...(type ? { type } : {}) };
  }

  /** Writes the records. `ids`: updated records, by row; `held`: rows of a dry run that wait for a value which another record has. */
  async #write({ items, refused, changesNewField }: CheckedRows): Promise<Pick<ChunkResult, 'ids' | 'held'>> {
    const { plan, viaToken } = this.#work;
    const context = this.#check ? dryRunContext(this.#context(), this.#targets) : this.#context();
    const writer = context && {
      context,
      publish: plan.publish,
      options: {
        origin: viaToken ? ('api' as const) : ('import' as const),
        errors: 'collect' as const,
        complete: plan.publish,
        incoming: this.#work.files.incoming,
        ...('batchId' in this.#mode ? { batchId: this.#mode.batchId } : { check: true }),
      },
    };
    const results = writer ? await writeItems(this.#w, writer, items) : new Map(items.map(({ row }): [number, RowResult] => [row, { outcome: 'i' }]));
    this.#addErrors(writer && refused.length > 0 ? await writeItems(this.#w, writer, refused) : new Map<number, RowResult>());
    const ids: Record<string, string> = {};
    for (const { row, id, isNew } of items) {
      const result = results.get(row) ?? { outcome: 's' };
      // A value in a field that does not exist yet also changes the record.
      this.#outcomes[row] = result.outcome === 's' && !isNew && changesNewField.get(row) === true ? { outcome: 'u' } : result;
      if (!isNew) ids[row] = id;
    }
    return { ids, held: this.#check && context ? await holdersOf(this.#w, context, items, results) : [] };
  }
  /** Adds errors that the engine finds in rows already refused, for fields without an error. */
  #addErrors(results: ReadonlyMap<number, RowResult>): void {
    for (const [row, result] of results) {
      const before = this.#outcomes[row];
      if (result.outcome !== 'f' || before?.outcome !== 'f') continue;
      const known = new Set(before.errors.map(({ field }) => field));
      const more = result.errors.filter(({ field }) => !known.has(field)).map((error) => this.#named(error));
      this.#outcomes[row] = { outcome: 'f', errors: [...before.errors, ...more] };
    }
  }
}

const columnsOf = (targets: readonly Target[]): Column[] => targets.map(({ field, column }) => ({ field, at: column }));
const columnFor = (targets: readonly Target[], field: FieldModel): string => String(targets.find((one) => one.field.id === field.id)?.column ?? '');
/** Fields with the choices that the import would add, by column: a field that does not exist yet has another id in every chunk. */
const withChoices = (targets: readonly Target[], choices: ReadonlyMap<string, readonly string[]>): Target[] =>
  targets.map((target) => {
    const titles = choices.get(String(target.column));
    if (!titles) return target;
    const before = target.field.options.choices ?? [];
    const more = titles.map((title, at) => ({ id: choiceId(before.length + at), title, color: 'grey' as const }));
    return { ...target, field: { ...target.field, options: { ...target.field.options, choices: [...before, ...more] } } };
  });
/** The table with these choices, for the rest of the dry run. */
function dryRunContext(context: TableContext | null, targets: readonly Target[]): TableContext | null {
  if (!context) return null;
  const changed = new Map(targets.map(({ field }) => [field.id, field]));
  const { table } = context;
  const byName = new Map(Array.from(table.byName, ([name, field]) => [name, changed.get(field.id) ?? field]));
  return { ...context, table: { ...table, byName, fields: table.fields.map((field) => changed.get(field.id) ?? field) } };
}
const merged = (a: ReadonlyMap<string, readonly string[]>, b: ReadonlyMap<string, readonly string[]>): Map<string, string[]> =>
  new Map([...a.keys(), ...b.keys()].map((key) => [key, [...(a.get(key) ?? []), ...(b.get(key) ?? [])]]));
/** As many of the titles as the selection has room for. */
function fitting(field: FieldModel, titles: ReadonlySet<string>): Set<string> {
  const before = field.options.choices ?? [];
  const known = new Set<string>();
  return new Set([...titles].filter((title) => known.has(folded(title)) || (before.length + known.size < tableLimits.choices && known.add(folded(title)))));
}

/** Text that PostgreSQL can store in JSON. */
// oxlint-disable-next-line no-control-regex
const keepable = (text: string): string => text.slice(0, 200).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu, '\uFFFD');
const cleaned = (error: StoredError): StoredError => (error.missing ? { ...error, missing: error.missing.map(keepable) } : error);

/** Keeps the findings of a dry-run chunk for the next ones. */
export function remember(memory: Memory, { claimed, choices }: ChunkResult['remember']): void {
  for (const name of claimed) memory.claimed.add(name);
  for (const [column, titles] of choices) memory.choices.set(column, [...(memory.choices.get(column) ?? []), ...titles]);
}
