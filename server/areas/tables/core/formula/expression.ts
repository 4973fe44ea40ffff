import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BinaryOp, FormulaNode } from '../../../../../contract/tables/formula';
import { functionNamed } from '../../../../../contract/tables/formulaFunctions';
import { dateFormatParts, isClockUnit, numberFormat, unitOf } from '../../../../../contract/tables/formulaTypes';
import type { Checked, DateUnit, FormulaType } from '../../../../../contract/tables/formulaTypes';
import * as p from './sqlParts';

type Formula = Extract<Checked, { error: null }>;
type Value = Exclude<FormulaType, 'object' | 'blank'>;
type Surroundings = {
  readonly now: number;
  readonly zone: string;
  /** A field by the name in braces, typed by `formulaTypeOf`. */ readonly field: (name: string) => SQL;
};

/** Compiles a checked formula to an expression of its type. The expression never raises an error; invalid results are null. */
export const compileExpression = (formula: Formula, around: Surroundings): SQL => new Compiler(formula.types, around).as(formula.node, formula.type);

const isMoment = (type: FormulaType): type is 'date' | 'datetime' => type === 'date' || type === 'datetime';
const dateCodes: Readonly<Record<string, string>> = {
  YYYY: 'YYYY',
  YY: 'YY',
  MM: 'MM',
  M: 'FMMM',
  DD: 'DD',
  D: 'FMDD',
  HH: 'HH24',
  H: 'FMHH24',
  mm: 'MI',
  m: 'FMMI',
  ss: 'SS',
  s: 'FMSS',
};
const datePattern = (format: string): string => {
  let pattern = '';
  let done = 0;
  const plain = (text: string): string => (text === '' ? '' : `"${text}"`);
  for (const found of format.matchAll(dateFormatParts)) {
    pattern += plain(format.slice(done, found.index)) + (dateCodes[found[0]] ?? '');
    done = found.index + found[0].length;
  }
  return pattern + plain(format.slice(done));
};
const nines = (grouped: boolean): string => (grouped ? `${'999,'.repeat(20)}990` : `${'9'.repeat(61)}0`);

class Compiler {
  readonly #types: ReadonlyMap<FormulaNode, FormulaType>;
  readonly #around: Surroundings;
  constructor(types: ReadonlyMap<FormulaNode, FormulaType>, around: Surroundings) {
    this.#types = types;
    this.#around = around;
  }

  #typeOf(node: FormulaNode): FormulaType {
    return this.#types.get(node) ?? 'blank';
  }

  /** A node as a value of this type, cast if needed. */
  as(node: FormulaNode, want: Value): SQL {
    const type = this.#typeOf(node);
    const { zone } = this.#around;
    if (type === 'blank' || type === 'object') return p.nothing(want);
    if (type === want) return this.#sqlOf(node, type);
    if (want === 'text') return p.written(this.#sqlOf(node, type), type, zone);
    if (want === 'boolean') return this.#truth(node);
    if (want === 'datetime' && type === 'date') return p.beginOf(this.#sqlOf(node, type), zone);
    if (want === 'date' && type === 'datetime') return p.dayOf(this.#sqlOf(node, type), zone);
    throw new Error(`no ${want} of ${type}`);
  }

  #truth(node: FormulaNode): SQL {
    const type = this.#typeOf(node);
    switch (type) {
      case 'blank':
        return sql`FALSE`;
      case 'boolean':
        return sql`coalesce(${this.#sqlOf(node, type)}, FALSE)`;
      case 'number':
        return sql`coalesce(${this.#sqlOf(node, type)} <> 0, FALSE)`;
      case 'text':
        return sql`coalesce(${this.#sqlOf(node, type)} <> '', FALSE)`;
      case 'date':
      case 'datetime':
        return sql`(${this.#sqlOf(node, type)} IS NOT NULL)`;
      case 'object':
        return sql`coalesce(${this.#sqlOf(node, type)} NOT IN ('null', '[]', '""'), FALSE)`;
    }
  }

  #sqlOf(node: FormulaNode, type: FormulaType): SQL {
    switch (node.kind) {
      case 'number':
        return p.numberLiteral(node.text);
      case 'text':
        // A text compared with a date is a date; the checker has validated its digits.
        return type === 'date' ? sql`${node.text}::date` : p.textParam(node.text.replaceAll('\0', ''));
      case 'boolean':
        return node.value ? sql`TRUE` : sql`FALSE`;
      case 'field':
        return this.#around.field(node.name);
      case 'minus':
        return sql`(- ${this.as(node.of, 'number')})`;
      case 'binary':
        return this.#binary(node.op, node.left, node.right, type);
      case 'call':
        return this.#call(functionNamed(node.name)?.name ?? '', node.args, type);
    }
  }

  #binary(op: BinaryOp, left: FormulaNode, right: FormulaNode, type: FormulaType): SQL {
    const [a, b] = [this.#typeOf(left), this.#typeOf(right)];
    const { zone } = this.#around;
    switch (op) {
      case '&':
        return p.joined([...this.#joinedBy(left), this.as(right, 'text')]);
      case '=':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.#compared(op, left, right);
      case '*':
        return p.number(sql`${this.as(left, 'number')} * ${this.as(right, 'number')}`);
      case '/':
        return p.quotient(this.as(left, 'number'), this.as(right, 'number'));
      case '%':
        return p.remainder(this.as(left, 'number'), this.as(right, 'number'));
      case '+':
      case '-': {
        if (isMoment(a) && isMoment(b)) {
          const both = a === b ? a : 'date';
          return p.between(this.as(left, both), this.as(right, both), 'day', both, zone);
        }
        if (isMoment(type)) {
          const [moment, days] = isMoment(a) ? [left, right] : [right, left];
          const by = this.as(days, 'number');
          return p.moved(this.as(moment, type), op === '-' ? sql`(- ${by})` : by, 'day', type, zone);
        }
        return sql`(${this.as(left, 'number')} ${sql.raw(op)} ${this.as(right, 'number')})`;
      }
    }
  }

  /** `a & b & c` becomes one concatenation of three texts, not two nested ones. */
  #joinedBy(node: FormulaNode): SQL[] {
    const parts: SQL[] = [];
    let at = node;
    while (at.kind === 'binary' && at.op === '&') {
      parts.unshift(this.as(at.right, 'text'));
      at = at.left;
    }
    return [this.as(at, 'text'), ...parts];
  }

  /** The type in which values are compared; an instant and a date are compared as dates. */
  #common(nodes: readonly FormulaNode[]): Value {
    const types = [...new Set(nodes.map((node) => this.#typeOf(node)).filter((type) => type !== 'blank' && type !== 'object'))];
    const [first] = types;
    return first === undefined ? 'text' : types.length === 1 ? first : types.every(isMoment) ? 'date' : 'text';
  }
  #plain(node: FormulaNode, type: Value): SQL {
    if (type === 'text') return sql`nullif(${this.as(node, type)}, '')`;
    return type === 'boolean' && this.#typeOf(node) !== 'blank' ? this.#truth(node) : this.as(node, type);
  }

  /** Two empty values are equal; an empty value is neither less nor greater than another. */
  #compared(op: BinaryOp, left: FormulaNode, right: FormulaNode): SQL {
    const type = this.#common([left, right]);
    const [a, b] = [this.#plain(left, type), this.#plain(right, type)];
    if (op === '=') return sql`(${a} IS NOT DISTINCT FROM ${b})`;
    if (op === '!=') return sql`(${a} IS DISTINCT FROM ${b})`;
    const by = sql.raw(type === 'text' ? ` COLLATE "C"` : '');
    return sql`coalesce(${a}${by} ${sql.raw(op)} ${b}${by}, FALSE)`;
  }

  #part(node: FormulaNode, code: string): SQL {
    const type = this.#typeOf(node);
    const wall = type === 'datetime' ? p.inZone(this.as(node, 'datetime'), this.#around.zone) : sql`${this.as(node, 'date')}::timestamp`;
    return sql`extract(${sql.raw(code)} FROM ${wall})`;
  }

  #call(name: string, args: readonly FormulaNode[], type: FormulaType): SQL {
    const call: FunctionCall = { name, args, yields: type === 'blank' || type === 'object' ? 'text' : type };
    return this.#logicCall(call) ?? this.#textCall(call) ?? this.#numberCall(call) ?? this.#momentCall(call) ?? failCall(name);
  }
  #allAs({ args, yields }: FunctionCall): SQL[] {
    return args.map((arg) => this.as(arg, yields));
  }
  #truths({ args }: FunctionCall): SQL[] {
    return args.map((arg) => this.#truth(arg));
  }

  /** Conditions and empty values; null: not such a function. */
  #logicCall(call: FunctionCall): SQL | null {
    const { args, yields } = call;
    switch (call.name) {
      case 'IF':
        return sql`CASE WHEN ${this.#truth(argument(call, 0))} THEN ${this.as(argument(call, 1), yields)} ELSE ${this.as(argument(call, 2), yields)} END`;
      case 'SWITCH':
        return this.#choice(args, yields);
      case 'AND':
        return sql`(${sql.join(this.#truths(call), sql` AND `)})`;
      case 'OR':
        return sql`(${sql.join(this.#truths(call), sql` OR `)})`;
      case 'NOT':
        return sql`(NOT ${this.#truth(argument(call, 0))})`;
      case 'ISBLANK':
        return this.#isBlank(argument(call, 0));
      case 'COALESCE':
        return sql`coalesce(${sql.join(yields === 'text' ? this.#allAs(call).map((one) => sql`nullif(${one}, '')`) : this.#allAs(call), sql`, `)})`;
      case 'BLANK':
        return p.nothing(yields);
      default:
        return null;
    }
  }

  /** Text functions; null: not such a function. */
  #textCall(call: FunctionCall): SQL | null {
    const { name, args } = call;
    const text = (at: number): SQL => this.as(argument(call, at), 'text');
    const number = (at: number): SQL => this.as(argument(call, at), 'number');
    const optionalNumber = (at: number): SQL | null => (args[at] ? number(at) : null);
    switch (call.name) {
      case 'CONCAT':
        return p.joined(this.#allAs(call));
      case 'LEFT':
      case 'RIGHT':
        return sql`${sql.raw(name.toLowerCase())}(${text(0)}, ${args[1] ? p.count(number(1), 0, 1_000_000) : sql`1`})`;
      case 'MID':
        return sql`substr(${text(0)}, ${p.count(number(1), 1, 10_000_000)}, ${p.count(number(2), 0, 1_000_000)})`;
      case 'LEN':
        return sql`length(coalesce(${text(0)}, ''))::numeric`;
      case 'UPPER':
      case 'LOWER':
        return sql`${sql.raw(name.toLowerCase())}(${text(0)})`;
      case 'TRIM':
        return p.trimmed(text(0));
      case 'SUBSTITUTE':
        return p.substituted(text(0), text(1), text(2));
      case 'CONTAINS':
        return sql`(${p.found(sql`lower(${text(1)})`, sql`lower(${text(0)})`, null)} > 0)`;
      case 'FIND':
        return p.found(text(0), text(1), optionalNumber(2));
      case 'TEXT':
        return this.#formatted(argument(call, 0), args[1]);
      default:
        return null;
    }
  }

  /** Number functions; null: not such a function. */
  #numberCall(call: FunctionCall): SQL | null {
    const { args } = call;
    const number = (at: number): SQL => this.as(argument(call, at), 'number');
    const optionalNumber = (at: number): SQL | null => (args[at] ? number(at) : null);
    switch (call.name) {
      case 'VALUE':
        return this.#number(argument(call, 0));
      case 'ROUND':
        return p.number(sql`round(${number(0)}, ${args[1] ? p.count(number(1), -60, 20) : sql`0`})`);
      case 'FLOOR':
        return p.toMultiple('floor', number(0), optionalNumber(1));
      case 'CEILING':
        return p.toMultiple('ceil', number(0), optionalNumber(1));
      case 'ABS':
        return sql`abs(${number(0)})`;
      case 'MIN':
        return sql`least(${sql.join(this.#allAs(call), sql`, `)})`;
      case 'MAX':
        return sql`greatest(${sql.join(this.#allAs(call), sql`, `)})`;
      case 'SUM':
        return p.sum(this.#allAs(call));
      case 'AVERAGE':
        return p.mean(this.#allAs(call));
      case 'MOD':
        return p.remainder(number(0), number(1));
      case 'POWER':
        return p.power(number(0), number(1));
      default:
        return null;
    }
  }

  /** Date and time functions; null: not such a function. */
  #momentCall(call: FunctionCall): SQL | null {
    const { name, args } = call;
    const { now, zone } = this.#around;
    const number = (at: number): SQL => this.as(argument(call, at), 'number');
    switch (call.name) {
      case 'TODAY':
        return p.dayOf(sql`${new Date(now).toISOString()}::timestamptz`, zone);
      case 'NOW':
        return sql`${new Date(now).toISOString()}::timestamptz`;
      case 'DATE':
        return p.dateFromParts(number(0), number(1), number(2));
      case 'DATEADD': {
        const unit = this.#unit(args[2]);
        const from = this.#typeOf(argument(call, 0)) === 'datetime' || isClockUnit(unit) ? 'datetime' : 'date';
        return p.moved(this.as(argument(call, 0), from), number(1), unit, from, zone);
      }
      case 'DATEDIFF': {
        const from = this.#typeOf(argument(call, 0)) === 'datetime' || this.#typeOf(argument(call, 1)) === 'datetime' ? 'datetime' : 'date';
        return p.between(this.as(argument(call, 0), from), this.as(argument(call, 1), from), this.#unit(args[2]), from, zone);
      }
      case 'YEAR':
      case 'MONTH':
      case 'DAY':
      case 'HOUR':
      case 'MINUTE':
        return this.#part(argument(call, 0), name.toLowerCase());
      case 'WEEKDAY':
        return this.#part(argument(call, 0), 'isodow');
      case 'DATESTR':
        return sql`to_char(${this.as(argument(call, 0), 'date')}::timestamp, 'YYYY-MM-DD')`;
      default:
        return null;
    }
  }

  #unit(node: FormulaNode | undefined): DateUnit {
    return (node?.kind === 'text' && unitOf(node.text)) || 'day';
  }

  #choice(args: readonly FormulaNode[], yields: Value): SQL {
    const [of = blank, ...rest] = args;
    const pairs = Math.floor(rest.length / 2);
    const whens = rest.slice(0, pairs * 2).filter((_, i) => i % 2 === 0);
    const type = this.#common([of, ...whens]);
    const cases = whens.map((when, i) => sql`WHEN ${this.#plain(when, type)} THEN ${this.as(rest[i * 2 + 1] ?? blank, yields)}`);
    return sql`CASE ${this.#plain(of, type)} ${sql.join(cases, sql` `)} ELSE ${this.as(rest[pairs * 2] ?? blank, yields)} END`;
  }

  #isBlank(node: FormulaNode): SQL {
    const type = this.#typeOf(node);
    if (type === 'blank') return sql`TRUE`;
    if (type === 'text' || type === 'object') return sql`(NOT ${this.#truth(node)})`;
    return sql`(${this.#sqlOf(node, type)} IS NULL)`;
  }

  #number(node: FormulaNode): SQL {
    const type = this.#typeOf(node);
    if (type === 'boolean') return sql`(${this.#sqlOf(node, type)})::int::numeric`;
    return type === 'text' ? p.readNumber(this.#sqlOf(node, type)) : this.as(node, 'number');
  }

  #formatted(node: FormulaNode, format: FormulaNode | undefined): SQL {
    const type = this.#typeOf(node);
    if (format?.kind !== 'text' || type === 'blank') return this.as(node, 'text');
    if (isMoment(type)) {
      const wall = type === 'datetime' ? p.inZone(this.as(node, type), this.#around.zone) : sql`${this.as(node, type)}::timestamp`;
      return sql`to_char(${wall}, ${datePattern(format.text)}::text)`;
    }
    const [, grouped, digits = '', percent] = numberFormat.exec(format.text) ?? [];
    const pattern = `FM${nines(grouped !== undefined)}${digits === '' ? '' : `.${digits}`}`;
    const value = percent ? sql`${this.as(node, 'number')} * 100` : this.as(node, 'number');
    const formatted = sql`to_char(round(${value}, ${sql.raw(String(digits.length))}), ${sql.raw(`'${pattern}'`)})`;
    return percent ? sql`(${formatted} || '%')` : formatted;
  }
}

/** A call of a function by its canonical name; `yields`: the type of its result. */
type FunctionCall = { readonly name: string; readonly args: readonly FormulaNode[]; readonly yields: Value };
const argument = ({ args }: FunctionCall, at: number): FormulaNode => args[at] ?? blank;
const failCall = (name: string): never => {
  throw new Error(`no function ${name}`);
};

/** Placeholder for an omitted argument; the type map has no entry for it. */
const blank: FormulaNode = { kind: 'text', text: '', at: 0, length: 0 };
