import { Failure } from '../../../http/failure';
import type { FieldError } from '../../../http/failure';
import { writeBatch } from '../core/write/engine';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteOptions, WriteTx } from '../core/write/types';
import type { StoredError } from './schema';

/** A row being written: values by field, with a language for translations. */
export type Item = {
  readonly row: number;
  readonly id: string;
  readonly isNew: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  readonly translations: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
};
export type RowResult = { readonly outcome: 'i' | 'u' | 's' } | { readonly outcome: 'f'; readonly errors: readonly StoredError[] };
export type Writer = { readonly context: TableContext; readonly options: WriteOptions; readonly publish: boolean };

/** Thrown if rows turn out to be invalid after a part of them was written: the chunk is repeated without them. */
class RowsRefused extends Error {
  override readonly name = 'Again';
  readonly errors: ReadonlyMap<number, readonly StoredError[]>;
  constructor(errors: ReadonlyMap<number, readonly StoredError[]>) {
    super('faults');
    this.errors = errors;
  }
}

export const storedError = (field: string | null, error: FieldError): StoredError => ({ field, ...error });
const storedErrorsOf = (errors: Readonly<Record<string, FieldError>>): StoredError[] =>
  Object.entries(errors).map(([name, error]) => storedError(name === '' ? null : (name.split('.')[0] ?? null), error));

async function engine(w: WriteTx, { context, options, publish }: Writer, items: readonly Item[]): Promise<Map<number, RowResult>> {
  const done = new Map<number, RowResult>();
  const changed = items.filter(({ isNew, values }) => isNew || Object.keys(values).length > 0);
  const changes = changed.map(({ id, isNew, values }): Change => (isNew ? { kind: 'create', id, values } : { kind: 'update', id, values }));
  const { results } = await writeBatch(w, context, changes, options);
  for (const item of items) done.set(item.row, { outcome: 's' });
  changed.forEach(({ row }, at) => {
    const result = results[at];
    if (result?.errors) done.set(row, { outcome: 'f', errors: storedErrorsOf(result.errors) });
    else if (result?.outcome === 'created') done.set(row, { outcome: 'i' });
    else if (result?.outcome === 'updated') done.set(row, { outcome: 'u' });
  });
  const good = items.filter(({ row }) => done.get(row)?.outcome !== 'f');
  const later = new Map<number, StoredError[]>();
  for (const locale of new Set(good.flatMap(({ translations }) => [...translations.keys()]))) {
    // Translations of a record that does not exist yet cannot be tried; they were checked before.
    const some = good.filter(({ translations, isNew }) => translations.has(locale) && !(isNew && options.check === true));
    const translated = some.map(({ id, translations }): Change => ({ kind: 'update', id, values: translations.get(locale) ?? {} }));
    const written = await writeBatch(w, context, translated, { ...options, locale });
    some.forEach(({ row }, at) => {
      const result = written.results[at];
      if (result?.errors) later.set(row, storedErrorsOf(result.errors));
      else if (result?.outcome === 'updated' && done.get(row)?.outcome === 's') done.set(row, { outcome: 'u' });
    });
  }
  if (publish && options.check !== true) {
    const some = good.filter(({ row }) => done.get(row)?.outcome !== 's' && !later.has(row));
    const published = await writeBatch(
      w,
      context,
      some.map(({ id }): Change => ({ kind: 'publish', id })),
      options,
    );
    some.forEach(({ row }, at) => {
      const errors = published.results[at]?.errors;
      if (errors) later.set(row, storedErrorsOf(errors));
    });
  }
  if (later.size > 0) throw new RowsRefused(later);
  return done;
}

/**
 * Writes rows, each completely or not at all: what the engine refuses as a whole (a permission limited to some records, a value taken at the same
 * moment) is tried in halves, until the row that causes it is alone and skipped. Runs in savepoints of one transaction.
 */
export async function writeItems(w: WriteTx, writer: Writer, items: readonly Item[]): Promise<Map<number, RowResult>> {
  if (items.length === 0) return new Map();
  const refused = new Map<number, RowResult>();
  let remaining = items;
  for (;;) {
    const callbacks: (() => void)[] = [];
    try {
      const tried = remaining;
      const done = await w.tx.transaction((tx) => engine({ ...w, tx, after: (one) => void callbacks.push(one) }, writer, tried));
      for (const one of callbacks) w.after(one);
      return new Map([...done, ...refused]);
    } catch (error) {
      if (error instanceof RowsRefused) {
        for (const [row, errors] of error.errors) refused.set(row, { outcome: 'f', errors });
        remaining = remaining.filter(({ row }) => !error.errors.has(row));
        if (remaining.length === 0) return refused;
        continue;
      }
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      const [alone] = remaining;
      if (remaining.length === 1 && alone) return refused.set(alone.row, { outcome: 'f', errors: refusal(error) });
      const half = Math.ceil(remaining.length / 2);
      const [first, second] = [await writeItems(w, writer, remaining.slice(0, half)), await writeItems(w, writer, remaining.slice(half))];
      return new Map([...first, ...second, ...refused]);
    }
  }
}

/** Error of a single refused row. */
function refusal({ code, fields }: Failure): StoredError[] {
  if (code !== 'invalid_fields' || !fields) return [{ field: null, code }];
  return Object.entries(fields).map(([path, error]) => storedError(/^records\.\d+\.([^.]+)/.exec(path)?.[1] ?? null, error));
}
