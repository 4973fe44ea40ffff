import { fieldsIn, parseFormula, partsOf, templateParts } from '../../../../../contract/tables/formula';
import type { FormulaError } from '../../../../../contract/tables/formula';
import { checkFormula, formulaTypeOf } from '../../../../../contract/tables/formulaTypes';
import type { Checked, FormulaType } from '../../../../../contract/tables/formulaTypes';
import { aggregatesOf, isComputed, kindOf } from '../../../../../contract/tables/terms';
import type { ValueKind } from '../../../../../contract/tables/terms';
import type { FieldModel, SiteModel, TableModel } from '../model';
import { routeOf } from './links';

/** Why a computed field cannot be read. */
export type Problem = 'missing_field' | 'wrong_type' | 'cycle' | 'too_deep' | 'too_costly' | 'syntax';
export type Shape = { readonly yields: ValueKind; /** Why it cannot be read; null: it can. */ readonly problem: Problem | null };
/** Adds where in a formula the error is. `option`: the option that it concerns. */
type ComputedError = {
  readonly option: 'formula' | 'relation' | 'target' | 'how' | 'url' | 'label';
  readonly problem: Problem;
  readonly at: FormulaError | null;
};

/** Limits of one computed field: chained computed fields, and nodes of all their formulas together (counted per use). */
const computeLimits = { steps: 12, parts: 5000, relations: 4 } as const;

type Compiled = Shape & { readonly error: ComputedError | null; readonly parts: number; readonly steps: number; readonly relations: number };

/** The kind of value a field shows through a link: selections show titles, relations and people show names. null: nothing to show. */
export function displayKind(field: Pick<FieldModel, 'type'>, yields: ValueKind): ValueKind | null {
  if (field.type === 'password') return null;
  if (yields === 'record') return 'text';
  return yields === 'records' ? 'list' : yields;
}

const broken = (problem: Problem, option: ComputedError['option'], at: FormulaError | null = null): Compiled => ({
  yields: 'text',
  problem,
  error: { option, problem, at },
  parts: 1,
  steps: 0,
  relations: 0,
});
const problemOf = (code: FormulaError['code'], inner: Problem | null): Problem => {
  if (code === 'unknown_field' || code === 'ambiguous_field') return 'missing_field';
  if (code === 'broken_field') return inner ?? 'missing_field';
  return code === 'wrong_type' ? 'wrong_type' : code === 'too_deep' ? 'too_deep' : code === 'too_costly' ? 'too_costly' : 'syntax';
};

/** Resolves the dependencies of computed fields, each once. */
class Shapes {
  readonly compiledById = new Map<string, Compiled>();
  readonly #open = new Set<string>();
  readonly #model: SiteModel;
  constructor(model: SiteModel) {
    this.#model = model;
  }

  of(table: TableModel, field: FieldModel): Compiled {
    if (!isComputed(field.type) || field.type === 'autonumber')
      return { yields: kindOf(field.type), problem: null, error: null, parts: 1, steps: 0, relations: 0 };
    const known = this.compiledById.get(field.id);
    if (known) return known;
    if (this.#open.has(field.id)) return broken('cycle', optionOf(field));
    this.#open.add(field.id);
    const compiled = this.#bounded(this.#make(table, field), field);
    this.#open.delete(field.id);
    this.compiledById.set(field.id, compiled);
    return compiled;
  }

  #bounded(compiled: Compiled, field: FieldModel): Compiled {
    if (compiled.problem !== null) return compiled;
    if (compiled.parts > computeLimits.parts) return broken('too_costly', optionOf(field));
    return compiled.steps > computeLimits.steps || compiled.relations > computeLimits.relations ? broken('too_deep', optionOf(field)) : compiled;
  }

  #make(table: TableModel, field: FieldModel): Compiled {
    switch (field.type) {
      case 'formula':
        return this.#formula(table, field.options.formula ?? '');
      case 'button':
        return this.#button(table, field);
      default:
        return this.#through(table, field);
    }
  }

  #input(table: TableModel, name: string): Compiled | null {
    const field = table.fields.find((one) => one.id === name);
    return field ? this.of(table, field) : null;
  }
  #weight(table: TableModel, names: readonly string[], own: number): Pick<Compiled, 'parts' | 'steps' | 'relations'> {
    const inputs = names.map((name) => this.#input(table, name)).filter((one) => one !== null);
    return {
      parts: inputs.reduce((sum, one) => sum + one.parts, own),
      steps: Math.max(0, ...inputs.map((one) => one.steps)) + 1,
      relations: Math.max(0, ...inputs.map((one) => one.relations)),
    };
  }

  #formula(table: TableModel, source: string): Compiled {
    let inner: Problem | null = null;
    const checked = checkFormula(source, (name) => {
      const field = table.fields.find((one) => one.id === name);
      if (!field) return 'unknown_field';
      const compiled = this.of(table, field);
      if (compiled.problem !== null) {
        inner = compiled.problem;
        return 'broken_field';
      }
      return typeOf(field, compiled.yields) ?? 'broken_field';
    });
    if (checked.error)
      return broken(checked.error.code === 'broken_field' && inner === null ? 'wrong_type' : problemOf(checked.error.code, inner), 'formula', checked.error);
    const names = partsOf(checked.node).flatMap((part) => (part.kind === 'field' ? [part.name] : []));
    const weight = this.#weight(table, names, partsOf(checked.node).length);
    return { yields: checked.type, problem: null, error: null, ...weight };
  }

  #button(table: TableModel, field: FieldModel): Compiled {
    const names: string[] = [];
    for (const option of ['label', 'url'] as const) {
      for (const part of templateParts(field.options[option] ?? '')) {
        if ('text' in part) continue;
        const input = table.fields.find((one) => one.id === part.field);
        if (!input) return broken('missing_field', option);
        const compiled = this.of(table, input);
        if (compiled.problem !== null) return broken(compiled.problem, option);
        const type = typeOf(input, compiled.yields);
        if (type === null || type === 'object') return broken('wrong_type', option);
        names.push(part.field);
      }
    }
    if (!isAddress(field.options.url ?? '')) return broken('syntax', 'url');
    return { yields: 'text', problem: null, error: null, ...this.#weight(table, names, 1) };
  }

  /** Lookups and rollups. */
  #through(table: TableModel, field: FieldModel): Compiled {
    const { relation, target, how } = field.options;
    const route = routeOf(
      this.#model,
      table.fields.find((one) => one.id === relation),
    );
    if (!route) return broken('missing_field', 'relation');
    if (field.type === 'rollup' && how === 'count' && target === undefined)
      return { yields: 'number', problem: null, error: null, parts: 5, steps: 1, relations: 1 };
    const there = route.table.fields.find((one) => one.id === target);
    if (!there) return broken('missing_field', 'target');
    const compiled = this.of(route.table, there);
    if (compiled.problem !== null) return broken(compiled.problem, 'target');
    const kind = there.type === 'button' ? null : displayKind(there, compiled.yields);
    if (kind === null) return broken('wrong_type', 'target');
    const weight = { problem: null, error: null, parts: compiled.parts + 5, steps: compiled.steps + 1, relations: compiled.relations + 1 } as const;
    // One to-many relation on the path makes the result a list.
    if (field.type === 'lookup') return { yields: !route.many || kind === 'object' ? kind : 'list', ...weight };
    if (how === undefined || !aggregatesOf(kind).includes(how)) return broken('wrong_type', 'how');
    return { yields: how === 'min' || how === 'max' ? kind : 'number', ...weight };
  }
}

const optionOf = (field: FieldModel): ComputedError['option'] => (field.type === 'formula' ? 'formula' : field.type === 'button' ? 'url' : 'target');
/** Files and other objects only support ISBLANK. */
export const typeOf = (field: Pick<FieldModel, 'type'>, yields: ValueKind): FormulaType | null => formulaTypeOf({ type: field.type, yields });
/**
 * A button leads to a page of this or another site, or to mail or a telephone; never to a script. A field may come first: then its value must be an
 * address.
 */
const isAddress = (template: string): boolean => /^(https?:\/\/|\/(?!\/)|mailto:|tel:|\{)/i.test(template);

/** What each computed field of a site yields, by id; called once per change of definitions. */
export function shapesOf(model: SiteModel): ReadonlyMap<string, Shape> {
  const shapes = new Shapes(model);
  for (const { table, field } of model.fieldById.values()) shapes.of(table, field);
  return shapes.compiledById;
}

/** The model with one field added or replaced, matched by id. */
function withField(model: SiteModel, table: TableModel, field: FieldModel): { readonly model: SiteModel; readonly table: TableModel } {
  const fields = table.fields.some((one) => one.id === field.id) ? table.fields.map((one) => (one.id === field.id ? field : one)) : [...table.fields, field];
  const changed = { ...table, fields, byName: new Map(table.byName).set(field.id, field) };
  const byName = new Map([...model.byName].map(([name, one]) => [name, one.id === table.id ? changed : one]));
  const fieldById = new Map([...model.fieldById].map(([id, one]) => [id, one.table.id === table.id ? { ...one, table: changed } : one]));
  fieldById.set(field.id, { table: changed, field });
  return { model: { ...model, byName, fieldById, tables: model.tables.map((one) => (one.id === table.id ? changed : one)) }, table: changed };
}

type Tried = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly field: FieldModel;
  /** null: readable. */ readonly error: ComputedError | null;
};
/** Evaluates a new or changed computed field within a model. Options refer to fields by id (`withIds`). */
export function tryComputed(model: SiteModel, table: TableModel, candidate: FieldModel): Tried {
  const first = withField(model, table, candidate);
  const { yields, problem, error } = new Shapes(first.model).of(first.table, candidate);
  const field = { ...candidate, yields, problem };
  return { ...withField(model, table, field), field, error };
}

/** A formula of a readable field, parsed and checked; names in braces are ids. */
export function checkedFormula(table: TableModel, field: FieldModel): Extract<Checked, { error: null }> | null {
  const checked = checkFormula(field.options.formula ?? '', (name) => {
    const input = table.fields.find((one) => one.id === name);
    return input ? (typeOf(input, input.yields) ?? 'broken_field') : 'unknown_field';
  });
  return checked.error ? null : checked;
}

/** Ids of the record's own fields that a formula or button names; empty if it cannot be parsed. */
export function referencedBy(field: Pick<FieldModel, 'type' | 'options'>): string[] {
  if (field.type === 'button')
    return [
      ...new Set(
        [field.options.label, field.options.url].flatMap((text) => templateParts(text ?? '').flatMap((part) => ('field' in part ? [part.field] : []))),
      ),
    ];
  if (field.type !== 'formula') return [];
  const { node } = parseFormula(field.options.formula ?? '');
  return node ? fieldsIn(node) : [];
}
