import type { ColumnTarget, ImportLook, ImportPlan, ImportPlanInput, ReadOptions } from '@contract/tables/transfers';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { columnOf, fieldTypeOf, fieldTypes, hasChoices, isImportable } from '@contract/tables/fieldTypes';
import { canBeIndexed, isComputed, tableLimits } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { tableTitleOf } from './importFile';

/** The target of a column: a field (in one language), a new field, or none. */
export type Goal = ColumnTarget['to'];
export type NewField = Extract<NonNullable<Goal>, { new: unknown }>['new'];

/** The settings of an import; kept while its owner leaves the wizard. */
export type Mapping = {
  /** Only options that differ from those detected in the file. */ readonly read: ReadOptions;
  /** Names of the columns that `goals` belong to: another sheet has other columns. */ readonly names: readonly string[];
  readonly goals: readonly Goal[];
  readonly key: readonly string[];
  readonly onMatch: ImportPlan['onMatch'];
  readonly onNew: ImportPlan['onNew'];
  readonly emptyCells: ImportPlan['emptyCells'];
  readonly addChoices: boolean;
  readonly publish: boolean;
  readonly leaveOut: boolean;
  /** Title of a new table. */ readonly title: string;
  /** The settings of the last dry run, as text; null: nothing has changed since. */ readonly tried: string | null;
};

export const isLink = (type: FieldType): boolean => fieldTypeOf(type).family === 'link';
export const isChoice = hasChoices;
/** Types of new fields whose values can be read from text. */
export const newTypes: readonly FieldType[] = fieldTypes.filter((type) => isImportable(type) || columnOf[type] === 'uuid' || isLink(type));

/** Fields of a table that can be imported into. */
export const writable = (table: ContentTable | null): readonly TableField[] =>
  (table?.fields ?? []).filter(({ type, readonly }) => !isComputed(type) && !readonly && type !== 'inverse' && type !== 'password');

export const fieldOfGoal = (goal: Goal | undefined): { readonly field: string; readonly locale?: string | undefined } | null =>
  goal && 'field' in goal ? goal : null;
export const newOfGoal = (goal: Goal | undefined): NewField | null => (goal && 'new' in goal ? goal.new : null);
const sameGoal = (a: Goal, b: Goal): boolean => {
  const [one, other] = [fieldOfGoal(a), fieldOfGoal(b)];
  return one !== null && other !== null && one.field === other.field && one.locale === other.locale;
};

/** A title that no other field has: `名称`, `名称 2`. */
function freeTitle(title: string, takenTitles: ReadonlySet<string>): string {
  const cut = (length: number): string => [...title.trim()].slice(0, length).join('').trim();
  const plain = cut(tableLimits.nameLength);
  if (!takenTitles.has(plain)) return plain;
  for (let n = 2; ; n += 1) {
    const next = `${cut(tableLimits.nameLength - 5)} ${String(n)}`;
    if (!takenTitles.has(next)) return next;
  }
}
const titleOfGoal = (goal: Goal, table: ContentTable | null): string | null =>
  newOfGoal(goal)?.title.trim() ?? table?.fields.find(({ id }) => id === fieldOfGoal(goal)?.field)?.title ?? null;

/** A new field for a column, with the column's name and the type that its values fit. */
export function newGoal(column: ImportLook['columns'][number], goals: readonly Goal[], table: ContentTable | null): Goal {
  const takenTitles = new Set([...(table?.fields ?? []).map(({ title }) => title), ...goals.flatMap((goal) => newOfGoal(goal)?.title.trim() ?? [])]);
  const type = newTypes.includes(column.type) && !isLink(column.type) ? column.type : 'text';
  return { new: { title: freeTitle(column.name === '' ? String(column.column + 1) : column.name, takenTitles), type } };
}

/** Maps each column to the best matching field, each field once; in a new table every column becomes a field. */
export function suggested(look: ImportLook, table: ContentTable | null): Goal[] {
  const goals: Goal[] = [];
  for (const column of look.columns) {
    const field = writable(table).find(({ id, key }) => id === column.field || key === column.field);
    const goal: Goal =
      table === null
        ? newGoal(column, goals, null)
        : field === undefined
          ? null
          : { field: field.id, ...(column.locale === null || column.locale === table.locales[0] ? {} : { locale: column.locale }) };
    goals.push(goals.some((other) => sameGoal(other, goal)) ? null : goal);
  }
  return goals;
}

const namesOf = (look: ImportLook): string[] => look.columns.map(({ name }) => name);
const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((name, at) => name === b[at]);

/** The initial settings: those last sent to the server, else suggestions from the file. `design`: the user may create fields and choices. */
export function firstMapping(plan: ImportPlan | null, fileName: string, design: boolean): Mapping {
  return {
    read: plan?.read ?? {},
    names: [],
    goals: [],
    key: plan?.key ?? [],
    onMatch: plan?.onMatch ?? 'update',
    onNew: plan?.onNew ?? 'insert',
    emptyCells: plan?.emptyCells ?? 'keep',
    addChoices: plan?.addChoices ?? design,
    publish: plan?.publish ?? false,
    leaveOut: plan?.leaveOut ?? false,
    title: tableTitleOf(fileName),
    tried: null,
  };
}

/** The mapping for the columns read: kept where the columns are the same, else taken from the plan, else suggested anew. */
export function fitted(mapping: Mapping, look: ImportLook, plan: ImportPlan | null, table: ContentTable | null): Mapping {
  const names = namesOf(look);
  if (same(mapping.names, names) && mapping.goals.length === names.length) return mapping;
  const planned = plan !== null && mapping.names.length === 0;
  const goals = planned ? look.columns.map(({ column }) => plan.columns.find((one) => one.column === column)?.to ?? null) : suggested(look, table);
  const reached = (name: string): boolean => goals.some((goal) => fieldOfGoal(goal)?.field === name);
  return { ...mapping, names, goals, key: mapping.key.filter(reached) };
}

/** Mapped fields that can identify records: single plain values that are not translations. */
export const keyFields = (mapping: Pick<Mapping, 'goals'>, table: ContentTable | null): readonly TableField[] =>
  writable(table).filter(
    ({ id, type }) =>
      canBeIndexed(type) &&
      columnOf[type] !== 'text[]' &&
      mapping.goals.some((goal) => fieldOfGoal(goal)?.field === id && fieldOfGoal(goal)?.locale === undefined),
  );

/** What prevents a dry run; `name`: of the column or field. */
export type MappingError = {
  readonly code: 'none' | 'twice' | 'title' | 'sameTitle' | 'link' | 'tableTitle' | 'key' | 'nothing';
  readonly column: number | null;
  readonly name: string;
};
export function mappingErrors(mapping: Mapping, look: ImportLook, table: ContentTable | null): MappingError[] {
  const errors: MappingError[] = [];
  const { goals, key } = mapping;
  if (goals.every((goal) => goal === null)) errors.push({ code: 'none', column: null, name: '' });
  if (table === null && mapping.title.trim() === '') errors.push({ code: 'tableTitle', column: null, name: '' });
  const titles = new Set(table?.fields.map(({ title }) => title));
  for (const [at, goal] of goals.entries()) {
    const name = look.columns[at]?.name ?? '';
    const newField = newOfGoal(goal);
    if (goals.slice(0, at).some((other) => sameGoal(other, goal))) errors.push({ code: 'twice', column: at, name: titleOfGoal(goal, table) ?? name });
    if (newField === null) continue;
    const title = newField.title.trim();
    if (title === '') errors.push({ code: 'title', column: at, name });
    else if (titles.has(title)) errors.push({ code: 'sameTitle', column: at, name: title });
    titles.add(title);
    if (isLink(newField.type) && typeof newField.options?.['to'] !== 'string') errors.push({ code: 'link', column: at, name: title === '' ? name : title });
  }
  const possible = keyFields(mapping, table);
  for (const id of key)
    if (!possible.some((field) => field.id === id))
      errors.push({ code: 'key', column: null, name: table?.fields.find((field) => field.id === id)?.title ?? id });
  if (key.length > 0 && mapping.onMatch === 'skip' && mapping.onNew === 'skip') errors.push({ code: 'nothing', column: null, name: '' });
  return errors;
}

/** The plan for the server. Unmapped columns are omitted: a file may have more columns than a table has fields. */
export function planOf(mapping: Mapping, look: ImportLook): ImportPlanInput {
  const { read, key, onMatch, onNew, emptyCells, addChoices, publish, leaveOut } = mapping;
  const columns = look.columns.flatMap(({ column }, at): ColumnTarget[] => {
    const goal = mapping.goals[at] ?? null;
    if (goal === null) return [];
    const newField = newOfGoal(goal);
    return [{ column, to: newField ? { new: { ...newField, title: newField.title.trim() } } : goal }];
  });
  return { read, columns, key: [...key], onMatch, onNew, emptyCells, addChoices, publish, leaveOut };
}

/** The settings that a dry run depends on, as text for comparison. */
export const dryRunSettings = (mapping: Mapping, look: ImportLook): string => {
  const { leaveOut: _leaveOut, ...plan } = planOf(mapping, look);
  return JSON.stringify(plan);
};
