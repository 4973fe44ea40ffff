import type { ColumnTarget, ImportPlan } from '../../../../contract/tables/transfers';
import { isImportable } from '../../../../contract/tables/fieldTypes';
import { canBeIndexed, columnOf, kindOf } from '../../../../contract/tables/terms';
import type { RecordAction } from '../../../../contract/tables/terms';
import { FieldInput } from '../../../../contract/tables/schemas';
import { fail, fieldsOf } from '../../../http/failure';
import { grantOf, requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import { DefinitionErrors, prepareFields } from '../schema';
import type { Input } from '../schema';
import { newTableId } from '../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { isWritable } from '../core/values/check';

/** A file column mapped to a field. `isNew`: the field does not exist yet, except in the dry run. */
export type Target = {
  readonly column: number;
  readonly field: FieldModel;
  readonly locale: string | null;
  readonly isNew: boolean;
  readonly makesChoices: boolean;
};
export type Resolved = { readonly targets: readonly Target[]; readonly keys: readonly FieldModel[] };

type NewColumn = { readonly column: number; readonly input: Input };
const isNewTarget = (to: ColumnTarget['to']): to is Extract<ColumnTarget['to'], { readonly new: unknown }> => to !== null && 'new' in to;

/** Fields that a plan creates. Throws `invalid_fields` if one is invalid. */
export function newColumns(plan: ImportPlan): NewColumn[] {
  return plan.columns.flatMap(({ column, to }, at): NewColumn[] => {
    if (!isNewTarget(to)) return [];
    const { type, title, options = {} } = to.new;
    if (!isImportable(type)) return fail('invalid_fields', { fields: { [`plan.columns.${at}.to.new.type`]: { code: 'wrong_type' } } });
    const fieldInput = { type, title, options };
    const read = FieldInput.safeParse(fieldInput);
    if (read.success) return [{ column, input: read.data }];
    const fields = Object.entries(fieldsOf(read.error, fieldInput)).map(([path, error]) => [`plan.columns.${at}.to.new.${path}`, error]);
    return fail('invalid_fields', { fields: Object.fromEntries(fields) });
  });
}

/** New fields of a plan as models, validated as if they were created. */
function pretend(model: SiteModel, table: TableModel | null, plan: ImportPlan): Map<number, FieldModel> {
  const columns = newColumns(plan);
  const errors = new DefinitionErrors();
  const home = table ?? { id: newTableId(), key: 'imported', aliases: [], fields: [] };
  const fields = prepareFields(
    model,
    home,
    columns.map(({ input }) => input),
    0,
    errors,
    (i) => `plan.columns.${plan.columns.findIndex(({ column }) => column === columns[i]?.column)}.to.new.`,
  );
  errors.throwIfAny();
  return new Map(
    fields.map((field, i): [number, FieldModel] => [
      columns[i]?.column ?? -1,
      { ...field, aliases: [], deletedAt: null, converting: null, yields: kindOf(field.type), problem: null } as FieldModel,
    ]),
  );
}

const neededActions = (plan: ImportPlan): RecordAction[] => [
  ...(plan.onNew === 'insert' ? (['create'] as const) : []),
  ...(plan.key.length > 0 && plan.onMatch === 'update' ? (['update'] as const) : []),
  ...(plan.publish ? (['publish'] as const) : []),
];

/** Whether a plan changes definitions: new fields, choices or a table. */
export const isDesign = (plan: ImportPlan, tableId: string | null): boolean =>
  tableId === null || plan.addChoices || plan.columns.some(({ to }) => isNewTarget(to));

/**
 * Resolves a plan against the current definitions: the field of each column, with this reader's permissions. `made`: fields that the import has already
 * created, by column. Throws `forbidden` without permission, `invalid_fields` for invalid columns and keys.
 */
export function resolvePlan(
  { model, table, reader }: { readonly model: SiteModel; readonly table: TableModel | null; readonly reader: Reader },
  plan: ImportPlan,
  createdFields: Readonly<Record<string, string>>,
): Resolved {
  const errors = new DefinitionErrors();
  const needed = neededActions(plan);
  for (const action of needed) if (table) requireGrant(table, reader, action);
  const grants = table ? needed.filter((action) => action !== 'publish').map((action) => grantOf(table, reader, action)) : [];
  if (table?.kind === 'singleton' || (plan.publish && table?.drafts !== true)) fail('conflict');
  const read = table ? grantOf(table, reader, 'read') : null;
  const fresh = plan.columns.some(({ column, to }) => isNewTarget(to) && createdFields[column] === undefined)
    ? pretend(model, table, plan)
    : new Map<number, FieldModel>();
  const usedTargets = new Set<string>();
  const columns = new Set<number>();
  const targets = plan.columns.flatMap(({ column, to }, at): Target[] => {
    const path = `plan.columns.${at}.`;
    if (columns.has(column)) errors.add(`${path}column`, 'duplicate');
    columns.add(column);
    if (to === null) return [];
    const createdId = createdFields[column];
    const isNew = isNewTarget(to) && createdId === undefined;
    const field = isNewTarget(to) ? (createdId === undefined ? fresh.get(column) : table?.byName.get(createdId)) : table?.byName.get(to.field);
    if (!field || (!isNewTarget(to) && read?.covers(field) !== true)) {
      errors.add(`${path}to.field`, 'unknown_field');
      return [];
    }
    const requestedLocale = isNewTarget(to) ? undefined : to.locale;
    const locale = requestedLocale === undefined || requestedLocale === table?.locales[0] ? null : requestedLocale;
    if (locale !== null && (!table?.locales.includes(locale) || !field.localized)) errors.add(`${path}to.locale`, 'unknown');
    const covered = isNewTarget(to) || grants.length === 0 || grants.some((grant) => grant.covers(field));
    if (!isNew && (!isWritable(model, field) || !covered)) errors.add(`${path}to.field`, 'readonly');
    const name = `${field.id}@${locale ?? ''}`;
    if (usedTargets.has(name)) errors.add(`${path}to.field`, 'duplicate');
    usedTargets.add(name);
    return [{ column, field, locale, isNew, makesChoices: isNewTarget(to) || plan.addChoices }];
  });
  if (targets.length === 0) errors.add('plan.columns', 'required');
  const keys = plan.key.flatMap((name, at): FieldModel[] => {
    const field = table?.byName.get(name);
    const path = `plan.key.${at}`;
    if (!field || read?.covers(field) !== true) errors.add(path, 'unknown_field');
    else if (!canBeIndexed(field.type) || columnOf[field.type] === 'text[]') errors.add(path, 'wrong_type');
    else if (!targets.some((target) => target.field.id === field.id && target.locale === null)) errors.add(path, 'required');
    else return [field];
    return [];
  });
  errors.throwIfAny();
  return { targets, keys };
}
