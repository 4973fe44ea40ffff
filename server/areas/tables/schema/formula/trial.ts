import { checkFormula } from '../../../../../contract/tables/formulaTypes';
import { fieldByName, withIds } from '../../../../../contract/tables/formula';
import type { FormulaFault } from '../../../../../contract/tables/formula';
import type { FormulaTrial } from '../../../../../contract/tables/formulaEndpoints';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import type { Context } from '../../../../context';
import { newFieldId } from '../../core/ids';
import { fieldOf } from '../../core/model';
import type { FieldModel, TableModel } from '../../core/model';
import { listRecords } from '../../core/read';
import type { TableContext } from '../../core/tableContext';
import { tryComputed, typeOf } from '../../core/formula/shapes';

/** Records that a formula is shown with. */
const shownRecords = 5;

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

/** Where in the text that was typed a fault stands: fields have other lengths by id. Faults of a ring of fields stand at none. */
function faultAsTyped(table: TableModel, source: string, kept: FormulaFault | null): FormulaFault | null {
  const typed = checkFormula(source, (name) => {
    const field = fieldByName(name, table.fields);
    if (typeof field === 'string') return field;
    return kept?.code === 'broken_field' && kept.name === field.id ? 'broken_field' : (typeOf(field, field.yields) ?? 'broken_field');
  });
  return typed.fault ?? (kept && { ...kept, at: 0, length: source.length });
}

/** What a formula would be, without keeping it. Throws `not_found` for an unknown field, `too_slow` where the records take too long. */
export async function tryFormula(
  ctx: Context,
  context: TableContext,
  { formula: source, field: name, decimals }: { readonly formula: string; readonly field?: string | undefined; readonly decimals?: number | undefined },
): Promise<FormulaTrial> {
  const { table } = context;
  const formula = withIds(source, table.fields);
  const base = name === undefined ? undefined : fieldOf(table, name);
  const tried = tryComputed(context.model, table, formulaField(table, { formula, ...(decimals === undefined ? {} : { decimals }) }, base));
  if (tried.fault) return { formula, yields: null, problem: tried.fault.problem, fault: faultAsTyped(table, source, tried.fault.at), samples: [] };
  // Records are called by what their primary field says, which a formula can say as well as any other.
  const label = tryComputed(tried.model, tried.table, formulaField(table, { formula: `CONCAT({${table.primaryField ?? ''}})` }));
  const at = label.fault || label.table.primaryField === tried.field.id ? null : label;
  const { rows } = await listRecords(
    ctx,
    { ...context, model: at?.model ?? tried.model, table: at?.table ?? tried.table },
    { fields: [tried.field.id, ...(at ? [at.field.id] : [])], limit: shownRecords, names: 'id' },
  );
  return {
    formula,
    yields: tried.field.yields,
    problem: null,
    fault: null,
    samples: rows.map(({ id, n, values }) => {
      const called = at && values[at.field.id];
      return { id, label: typeof called === 'string' ? called : `#${n}`, value: values[tried.field.id] ?? null };
    }),
  };
}
