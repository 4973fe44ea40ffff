import { checkFormula } from '../../../../../contract/tables/formulaTypes';
import { fieldByName, withIds } from '../../../../../contract/tables/formula';
import type { FormulaError } from '../../../../../contract/tables/formula';
import type { FormulaTrial } from '../../../../../contract/tables/formulaEndpoints';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import type { Context } from '../../../../context';
import { newFieldId } from '../../core/ids';
import { fieldOf } from '../../core/model';
import type { FieldModel, TableModel } from '../../core/model';
import { listRecords } from '../../core/read';
import type { TableContext } from '../../core/tableContext';
import { tryComputed, typeOf } from '../../core/formula/shapes';

/** Number of sample records in a preview. */
const sampleSize = 5;

const formulaField = (table: TableModel, options: FieldOptions, base?: FieldModel): FieldModel => ({
  tableId: table.id,
  key: '',
  aliases: [],
  title: '',
  help: '',
  required: false,
  isUnique: false,
  indexed: false,
  localized: false,
  searchable: false,
  hidden: false,
  readonly: false,
  sensitive: false,
  rules: [],
  conditions: [],
  default: null,
  position: 0,
  deletedAt: null,
  converting: null,
  ...base,
  id: base?.id ?? newFieldId(),
  type: 'formula',
  options,
  yields: 'text',
  problem: null,
});

/** Position of an error in the typed text: field ids have other lengths than titles. Errors about cycles have no position. */
function errorAsTyped(table: TableModel, source: string, storedError: FormulaError | null): FormulaError | null {
  const typed = checkFormula(source, (name) => {
    const field = fieldByName(name, table.fields);
    if (typeof field === 'string') return field;
    return storedError?.code === 'broken_field' && storedError.name === field.id ? 'broken_field' : (typeOf(field, field.yields) ?? 'broken_field');
  });
  return typed.error ?? (storedError && { ...storedError, at: 0, length: source.length });
}

/** Previews a formula without storing it. Throws `not_found` for an unknown field, `too_slow` if the sample records take too long. */
export async function tryFormula(
  ctx: Context,
  context: TableContext,
  { formula: source, field: name, decimals }: { readonly formula: string; readonly field?: string | undefined; readonly decimals?: number | undefined },
): Promise<FormulaTrial> {
  const { table } = context;
  const formula = withIds(source, table.fields);
  const base = name === undefined ? undefined : fieldOf(table, name);
  const tried = tryComputed(context.model, table, formulaField(table, { formula, ...(decimals === undefined ? {} : { decimals }) }, base));
  if (tried.error) return { formula, yields: null, problem: tried.error.problem, error: errorAsTyped(table, source, tried.error.at), samples: [] };
  // Records are named by their primary field, through a formula like any other.
  const label = tryComputed(tried.model, tried.table, formulaField(table, { formula: `CONCAT({${table.primaryField ?? ''}})` }));
  const at = label.error || label.table.primaryField === tried.field.id ? null : label;
  const { rows } = await listRecords(
    ctx,
    { ...context, model: at?.model ?? tried.model, table: at?.table ?? tried.table },
    { fields: [tried.field.id, ...(at ? [at.field.id] : [])], limit: sampleSize, names: 'id' },
  );
  return {
    formula,
    yields: tried.field.yields,
    problem: null,
    error: null,
    samples: rows.map(({ id, n, values }) => {
      const called = at && values[at.field.id];
      return { id, label: typeof called === 'string' ? called : `#${n}`, value: values[tried.field.id] ?? null };
    }),
  };
}
