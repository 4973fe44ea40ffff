import { parseFormula } from './formula';
import type { BinaryOp, FormulaError, FormulaNode } from './formula';
import { functionNamed } from './formulaFunctions';
import type { Param } from './formulaFunctions';
import type { FieldType, ValueKind } from './terms';

/** Type of a formula node. `object`: files and the like, which only support ISBLANK; `blank`: empty, compatible with every type. */
export type FormulaType = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'object' | 'blank';

/** A field's type in formulas: selections yield titles, relations and people names, lists their values separated by commas. null: not available (passwords). */
export function formulaTypeOf(field: { readonly type: FieldType; readonly yields: ValueKind }): FormulaType | null {
  if (field.type === 'password') return null;
  switch (field.yields) {
    case 'number':
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'object':
      return field.yields;
    case 'text':
    case 'time':
    case 'list':
    case 'record':
    case 'records':
      return 'text';
  }
}

/** Type of a name in braces, or an error code. */
export type FieldTypes = (name: string) => FormulaType | 'unknown_field' | 'ambiguous_field' | 'broken_field';
export type Checked =
  | {
      /** Never blank or object. */ readonly type: Exclude<FormulaType, 'blank' | 'object'>;
      /** Types of all nodes. */ readonly types: ReadonlyMap<FormulaNode, FormulaType>;
      readonly node: FormulaNode;
      readonly error: null;
    }
  | { readonly type: null; readonly error: FormulaError };

class Refused extends Error {
  readonly error: FormulaError;
  constructor(code: FormulaError['code'], { at, length }: FormulaNode, name: string) {
    super(code);
    this.error = { code, at, length, name };
  }
}

/** Units of DATEADD and DATEDIFF, as typed. */
const unitWords = {
  second: ['s', 'sec', 'second', 'seconds', '秒'],
  minute: ['m', 'min', 'minute', 'minutes', '分', '分钟'],
  hour: ['h', 'hour', 'hours', '时', '小时'],
  day: ['d', 'day', 'days', '天', '日'],
  week: ['w', 'week', 'weeks', '周', '星期'],
  month: ['month', 'months', '月', '个月'],
  quarter: ['q', 'quarter', 'quarters', '季', '季度'],
  year: ['y', 'year', 'years', '年'],
} as const;
export type DateUnit = keyof typeof unitWords;
const dateUnits = Object.keys(unitWords) as DateUnit[];
/** `M` is a month, `m` a minute. */
export const unitOf = (word: string): DateUnit | null =>
  word.trim() === 'M' ? 'month' : (dateUnits.find((unit) => (unitWords[unit] as readonly string[]).includes(word.trim().toLowerCase())) ?? null);
export const isClockUnit = (unit: DateUnit): boolean => unit === 'second' || unit === 'minute' || unit === 'hour';

/** `0`, `0.00`, `#,##0.00`, `0.0%`. */
export const numberFormat = /^(#,##)?0(?:\.(0{1,10}))?(%)?$/;
/** Placeholders of a date format: `YYYY年M月D日`, `HH:mm`. Everything else is literal. */
export const dateFormatParts = /YYYY|YY|MM|M|DD|D|HH|H|mm|m|ss|s/g;
const isDateFormat = (format: string): boolean => format.length <= 100 && !/["\\]/.test(format) && format.search(dateFormatParts) >= 0;

const isMoment = (type: FormulaType): boolean => type === 'date' || type === 'datetime';
const isDateText = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** The common type of several values: text for different ones, a moment for a date and a moment. null: none. */
function common(types: readonly FormulaType[]): FormulaType | null {
  const kinds = [...new Set(types.filter((type) => type !== 'blank'))];
  if (kinds.includes('object')) return null;
  if (kinds.length <= 1) return kinds[0] ?? 'blank';
  return kinds.every(isMoment) ? 'datetime' : 'text';
}

class Checker {
  readonly types = new Map<FormulaNode, FormulaType>();
  readonly #fields: FieldTypes;
  constructor(fields: FieldTypes) {
    this.#fields = fields;
  }

  check(node: FormulaNode): FormulaType {
    const type = this.#typeOf(node);
    this.types.set(node, type);
    return type;
  }

  #typeOf(node: FormulaNode): FormulaType {
    switch (node.kind) {
      case 'number':
      case 'text':
      case 'boolean':
        return node.kind;
      case 'field': {
        const type = this.#fields(node.name);
        if (type === 'unknown_field' || type === 'ambiguous_field' || type === 'broken_field') throw new Refused(type, node, node.name);
        return type;
      }
      case 'minus':
        return this.#want(node.of, 'number');
      case 'binary':
        return this.#binary(node.op, node.left, node.right, node);
      case 'call':
        return this.#call(node);
    }
  }

  /** Checks an argument against its parameter type. */
  #want(node: FormulaNode, param: Param): FormulaType {
    const type = this.check(node);
    return this.#fits(node, type, param);
  }
  #fits(node: FormulaNode, type: FormulaType, param: Param): FormulaType {
    const wrong = (): never => {
      throw new Refused('wrong_type', node, type);
    };
    switch (param) {
      case 'number':
        if (type !== 'number' && type !== 'blank') wrong();
        return 'number';
      case 'moment':
        if (node.kind === 'text' && isDateText(node.text)) {
          this.types.set(node, 'date');
          return 'date';
        }
        if (!isMoment(type) && type !== 'blank') wrong();
        return type;
      case 'text':
        if (type === 'object') wrong();
        return 'text';
      case 'readable':
        if (type !== 'text' && type !== 'number' && type !== 'boolean' && type !== 'blank') wrong();
        return type;
      case 'value':
        if (type === 'object') wrong();
        return type;
      case 'truth':
      case 'any':
        return type;
      case 'unit':
        if (node.kind !== 'text' || unitOf(node.text) === null) throw new Refused('bad_unit', node, node.kind === 'text' ? node.text : '');
        return 'text';
      case 'format':
        if (node.kind !== 'text') throw new Refused('bad_format', node, '');
        return 'text';
    }
  }

  /** The type in which values are compared. */
  #comparable(nodes: readonly FormulaNode[]): FormulaType {
    const types = nodes.map((node) => this.check(node));
    const moments = types.some(isMoment);
    const fitted = nodes.map((node, i) => (moments ? this.#fits(node, types[i] ?? 'blank', 'moment') : (types[i] ?? 'blank')));
    const kinds = [...new Set(fitted.filter((type) => type !== 'blank'))];
    const odd = nodes[fitted.findIndex((type) => type !== 'blank' && (type === 'object' || (!moments && type !== kinds[0])))];
    if (odd) throw new Refused('wrong_type', odd, this.types.get(odd) ?? '');
    return common(fitted) ?? 'blank';
  }

  #binary(op: BinaryOp, left: FormulaNode, right: FormulaNode, whole: FormulaNode): FormulaType {
    switch (op) {
      case '&':
        this.#want(left, 'text');
        this.#want(right, 'text');
        return 'text';
      case '=':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        this.#comparable([left, right]);
        return 'boolean';
      case '*':
      case '/':
      case '%':
        this.#want(left, 'number');
        this.#want(right, 'number');
        return 'number';
      case '+':
      case '-': {
        const from = this.check(left);
        const by = this.check(right);
        // A date and a number of days; the days between two dates.
        if (isMoment(from) && isMoment(by) && op === '-') return 'number';
        if (isMoment(from)) {
          this.#fits(right, by, 'number');
          return from;
        }
        if (isMoment(by) && op === '+' && from === 'number') return by;
        if (isMoment(by)) throw new Refused('wrong_type', whole, by);
        this.#fits(left, from, 'number');
        this.#fits(right, by, 'number');
        return 'number';
      }
    }
  }

  #call(node: Extract<FormulaNode, { kind: 'call' }>): FormulaType {
    const definition = functionNamed(node.name);
    if (!definition) throw new Refused('unknown_function', { ...node, length: node.name.length }, node.name);
    const { params, least, rest } = definition;
    const { args } = node;
    if (args.length < least || (!rest && args.length > params.length)) throw new Refused('wrong_count', { ...node, length: node.name.length }, node.name);
    if (definition.name === 'SWITCH') return this.#choice(args);
    if (definition.name === 'MIN' || definition.name === 'MAX') {
      const type = this.#comparable(args);
      const odd = args.find((arg) => !['number', 'date', 'datetime', 'blank'].includes(this.types.get(arg) ?? ''));
      if (odd) throw new Refused('wrong_type', odd, this.types.get(odd) ?? '');
      return type === 'blank' ? 'number' : type;
    }
    const types = args.map((arg, i) => this.#want(arg, params[i] ?? rest ?? 'any'));
    if (definition.name === 'TEXT') this.#format(args, types[0] ?? 'blank');
    switch (definition.result) {
      case 'branches':
        return this.#shared(args.slice(1));
      case 'all':
        return this.#shared(args);
      case 'moment':
        return this.#moved(args, types[0] ?? 'blank');
      default:
        return definition.result;
    }
  }

  #shared(nodes: readonly FormulaNode[]): FormulaType {
    const type = common(nodes.map((node) => this.types.get(node) ?? 'blank'));
    if (type !== null) return type;
    const odd = nodes.find((node) => this.types.get(node) === 'object') ?? nodes[0];
    throw odd ? new Refused('wrong_type', odd, 'object') : new Error('no values');
  }

  /** SWITCH(of, when, then, when, then, else). */
  #choice(args: readonly FormulaNode[]): FormulaType {
    const pairs = Math.floor((args.length - 1) / 2);
    const whens = args.slice(1, 1 + pairs * 2).filter((_, i) => i % 2 === 0);
    const thens = args.slice(1).filter((_, i) => i % 2 === 1 || i === pairs * 2);
    const [of] = args;
    if (of) this.#comparable([of, ...whens]);
    for (const then of thens) this.check(then);
    return this.#shared(thens);
  }

  /** A date plus hours is a moment. */
  #moved(args: readonly FormulaNode[], type: FormulaType): FormulaType {
    const unit = args[2]?.kind === 'text' ? unitOf(args[2].text) : null;
    if (type === 'blank') return 'date';
    return unit && isClockUnit(unit) ? 'datetime' : type;
  }

  #format(args: readonly FormulaNode[], type: FormulaType): void {
    const format = args[1];
    if (format?.kind !== 'text') return;
    const good = type === 'blank' || (type === 'number' ? numberFormat.test(format.text) : isMoment(type) && isDateFormat(format.text));
    if (!good) throw new Refused('bad_format', format, format.text);
  }
}

/** Types of a formula and its nodes, or the first error. */
export function checkFormula(source: string, fields: FieldTypes): Checked {
  const { node, syntaxError } = parseFormula(source);
  if (syntaxError) return { type: null, error: syntaxError };
  const checker = new Checker(fields);
  try {
    const type = checker.check(node);
    if (type === 'object') throw new Refused('wrong_type', node, type);
    return { type: type === 'blank' ? 'text' : type, types: checker.types, node, error: null };
  } catch (error) {
    if (error instanceof Refused) return { type: null, error: error.error };
    throw error;
  }
}
