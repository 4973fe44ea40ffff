import { Failure } from '../../../http/failure';
import type { FieldFault } from '../../../http/failure';
import { writeBatch } from '../core/write/engine';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteOptions, WriteTx } from '../core/write/types';
import type { StoredFault } from './schema';

/** A row on its way into a record: values by field, and by language where they are translations. */
export type Item = {
  readonly row: number;
  readonly id: string;
  readonly isNew: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  readonly translations: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
};
export type Done = { readonly outcome: 'i' | 'u' | 's' } | { readonly outcome: 'f'; readonly faults: readonly StoredFault[] };
export type Writer = { readonly context: TableContext; readonly options: WriteOptions; readonly publish: boolean };

/** Thrown where rows turned out to be impossible only after a part of them had been written: the piece is done again without them. */
class Again extends Error {
  override readonly name = 'Again';
  readonly faulty: ReadonlyMap<number, readonly StoredFault[]>;
  constructor(faulty: ReadonlyMap<number, readonly StoredFault[]>) {
    super('faults');
    this.faulty = faulty;
  }
}

export const storedFault = (field: string | null, fault: FieldFault): StoredFault => ({ field, ...fault });
const faultsOf = (faults: Readonly<Record<string, FieldFault>>): StoredFault[] =>
  Object.entries(faults).map(([name, fault]) => storedFault(name === '' ? null : (name.split('.')[0] ?? null), fault));

async function engine(w: WriteTx, { context, options, publish }: Writer, items: readonly Item[]): Promise<Map<number, Done>> {
  const done = new Map<number, Done>();
  const wanted = items.filter(({ isNew, values }) => isNew || Object.keys(values).length > 0);
  const changes = wanted.map(({ id, isNew, values }): Change => (isNew ? { kind: 'create', id, values } : { kind: 'update', id, values }));
  const { results } = await writeBatch(w, context, changes, options);
  for (const item of items) done.set(item.row, { outcome: 's' });
  wanted.forEach(({ row }, at) => {
    const result = results[at];
    if (result?.faults) done.set(row, { outcome: 'f', faults: faultsOf(result.faults) });
    else if (result?.outcome === 'created') done.set(row, { outcome: 'i' });
    else if (result?.outcome === 'updated') done.set(row, { outcome: 'u' });
  });
  const good = items.filter(({ row }) => done.get(row)?.outcome !== 'f');
  const later = new Map<number, StoredFault[]>();
  for (const locale of new Set(good.flatMap(({ translations }) => [...translations.keys()]))) {
    // A record that is not there yet cannot be tried: what a translation may be has been looked at before.
    const some = good.filter(({ translations, isNew }) => translations.has(locale) && !(isNew && options.check === true));
    const translated = some.map(({ id, translations }): Change => ({ kind: 'update', id, values: translations.get(locale) ?? {} }));
    const written = await writeBatch(w, context, translated, { ...options, locale });
    some.forEach(({ row }, at) => {
      const result = written.results[at];
      if (result?.faults) later.set(row, faultsOf(result.faults));
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
      const faults = published.results[at]?.faults;
      if (faults) later.set(row, faultsOf(faults));
    });
  }
  if (later.size > 0) throw new Again(later);
  return done;
}

/**
 * Writes rows, each wholly or not at all: what the engine refuses as a whole (a right that holds for some records, a value that somebody else took in the same
 * moment) is tried in halves, until the row that it is about stands alone and is left out. Runs in savepoints of one transaction.
 */
export async function writeItems(w: WriteTx, writer: Writer, items: readonly Item[]): Promise<Map<number, Done>> {
  if (items.length === 0) return new Map();
  const refused = new Map<number, Done>();
  let left = items;
  for (;;) {
    const told: (() => void)[] = [];
    try {
      const tried = left;
      const done = await w.tx.transaction((tx) => engine({ ...w, tx, after: (one) => void told.push(one) }, writer, tried));
      for (const one of told) w.after(one);
      return new Map([...done, ...refused]);
    } catch (error) {
      if (error instanceof Again) {
        for (const [row, faults] of error.faulty) refused.set(row, { outcome: 'f', faults });
        left = left.filter(({ row }) => !error.faulty.has(row));
        if (left.length === 0) return refused;
        continue;
      }
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      const [alone] = left;
      if (left.length === 1 && alone) return refused.set(alone.row, { outcome: 'f', faults: refusal(error) });
      const half = Math.ceil(left.length / 2);
      const [first, second] = [await writeItems(w, writer, left.slice(0, half)), await writeItems(w, writer, left.slice(half))];
      return new Map([...first, ...second, ...refused]);
    }
  }
}

/** What a refusal of one row alone says about it. */
function refusal({ code, fields }: Failure): StoredFault[] {
  if (code !== 'invalid_fields' || !fields) return [{ field: null, code }];
  return Object.entries(fields).map(([path, fault]) => storedFault(/^records\.\d+\.([^.]+)/.exec(path)?.[1] ?? null, fault));
}
