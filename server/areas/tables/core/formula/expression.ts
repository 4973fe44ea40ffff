import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { BinaryOp, FormulaNode } from '../../../../../contract/tables/formula';
import { functionNamed } from '../../../../../contract/tables/formulaFunctions';
import { dateFormatParts, isClockUnit, numberFormat, unitOf } from '../../../../../contract/tables/formulaTypes';
import type { Checked, DateUnit, FormulaType } from '../../../../../contract/tables/formulaTypes';
import * as p from './pieces';

type Formula = Extract<Checked, { fault: null }>;
type Value = Exclude<FormulaType, 'object' | 'blank'>;
type Surroundings = {
  readonly now: number;
  readonly zone: string;
  /** A field by the name in braces, as `formulaTypeOf` says. */ readonly field: (name: string) => SQL;
};

/** A checked formula as an expression of the type that it has. Never fails when it runs; null is "nothing". */
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

  /** As a value of this type, made of what it is. */
  as(node: FormulaNode, want: Value): SQL {
    const type = this.#typeOf(node);
    const { zone } = this.#around;
    if (type === 'blank' || type === 'object') return p.nothing(want);
    if (type === want) return this.#made(node, type);
    if (want === 'text') return p.written(this.#made(node, type), type, zone);
    if (want === 'boolean') return this.#truth(node);
    if (want === 'datetime' && type === 'date') return p.beginOf(this.#made(node, type), zone);
    if (want === 'date' && type === 'datetime') return p.dayOf(this.#made(node, type), zone);
    throw new Error(`no ${want} of ${type}`);
  }

  #truth(node: FormulaNode): SQL {
    const type = this.#typeOf(node);
    switch (type) {
      case 'blank':
        return sql`FALSE`;
      case 'boolean':
        return sql`coalesce(${this.#made(node, type)}, FALSE)`;
      case 'number':
        return sql`coalesce(${this.#made(node, type)} <> 0, FALSE)`;
      case 'text':
        return sql`coalesce(${this.#made(node, type)} <> '', FALSE)`;
      case 'date':
      case 'datetime':
        return sql`(${this.#made(node, type)} IS NOT NULL)`;
      case 'object':
        return sql`coalesce(${this.#made(node, type)} NOT IN ('null', '[]', '""'), FALSE)`;
    }
  }

  #made(node: FormulaNode, type: FormulaType): SQL {
    switch (node.kind) {
      case 'number':
        return p.numberLiteral(node.text);
      case 'text':
        // A text that is compared with a day is one; the checker has looked at its digits.
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

  /** `a & b & c` is one text of three, not a text of two texts. */
  #joinedBy(node: FormulaNode): SQL[] {
    const parts: SQL[] = [];
    let at = node;
    while (at.kind === 'binary' && at.op === '&') {
      parts.unshift(this.as(at.right, 'text'));
      at = at.left;
    }
    return [this.as(at, 'text'), ...parts];
  }

  /** The type in which values are compared: a moment with a day as days. */
  #common(nodes: readonly FormulaNode[]): Value {
    const types = [...new Set(nodes.map((node) => this.#typeOf(node)).filter((type) => type !== 'blank' && type !== 'object'))];
    const [first] = types;
    return first === undefined ? 'text' : types.length === 1 ? first : types.every(isMoment) ? 'date' : 'text';
  }
  #plain(node: FormulaNode, type: Value): SQL {
    if (type === 'text') return sql`nullif(${this.as(node, type)}, '')`;
    return type === 'boolean' && this.#typeOf(node) !== 'blank' ? this.#truth(node) : this.as(node, type);
  }

  /** Two empty values are equal, and nothing is less or more than an empty one. */
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
    const yields: Value = type === 'blank' || type === 'object' ? 'text' : type;
    const node = (i: number): FormulaNode => args[i] ?? blank;
    const text = (i: number): SQL => this.as(node(i), 'text');
    const number = (i: number): SQL => this.as(node(i), 'number');
    const given = (i: number): SQL | null => (args[i] ? number(i) : null);
    const { now, zone } = this.#around;
    const all = (): SQL[] => args.map((arg) => this.as(arg, yields));
    const truths = (): SQL[] => args.map((arg) => this.#truth(arg));
    switch (name) {
      case 'IF':
        return sql`CASE WHEN ${this.#truth(node(0))} THEN ${this.as(node(1), yields)} ELSE ${this.as(node(2), yields)} END`;
      case 'SWITCH':
        return this.#choice(args, yields);
      case 'AND':
        return sql`(${sql.join(truths(), sql` AND `)})`;
      case 'OR':
        return sql`(${sql.join(truths(), sql` OR `)})`;
      case 'NOT':
        return sql`(NOT ${this.#truth(node(0))})`;
      case 'ISBLANK':
        return this.#isBlank(node(0));
      case 'COALESCE':
        return sql`coalesce(${sql.join(yields === 'text' ? all().map((one) => sql`nullif(${one}, '')`) : all(), sql`, `)})`;
      case 'BLANK':
        return p.nothing(yields);
      case 'CONCAT':
        return p.joined(all());
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
        return p.found(text(0), text(1), given(2));
      case 'TEXT':
        return this.#formatted(node(0), args[1]);
      case 'VALUE':
        return this.#number(node(0));
      case 'ROUND':
        return p.number(sql`round(${number(0)}, ${args[1] ? p.count(number(1), -60, 20) : sql`0`})`);
      case 'FLOOR':
        return p.toMultiple('floor', number(0), given(1));
      case 'CEILING':
        return p.toMultiple('ceil', number(0), given(1));
      case 'ABS':
        return sql`abs(${number(0)})`;
      case 'MIN':
        return sql`least(${sql.join(all(), sql`, `)})`;
      case 'MAX':
        return sql`greatest(${sql.join(all(), sql`, `)})`;
      case 'SUM':
        return p.sum(all());
      case 'AVERAGE':
        return p.mean(all());
      case 'MOD':
        return p.remainder(number(0), number(1));
      case 'POWER':
        return p.power(number(0), number(1));
      case 'TODAY':
        return p.dayOf(sql`${new Date(now).toISOString()}::timestamptz`, zone);
      case 'NOW':
        return sql`${new Date(now).toISOString()}::timestamptz`;
      case 'DATE':
        return p.madeDate(number(0), number(1), number(2));
      case 'DATEADD': {
        const unit = this.#unit(args[2]);
        const from = this.#typeOf(node(0)) === 'datetime' || isClockUnit(unit) ? 'datetime' : 'date';
        return p.moved(this.as(node(0), from), number(1), unit, from, zone);
      }
      case 'DATEDIFF': {
        const from = this.#typeOf(node(0)) === 'datetime' || this.#typeOf(node(1)) === 'datetime' ? 'datetime' : 'date';
        return p.between(this.as(node(0), from), this.as(node(1), from), this.#unit(args[2]), from, zone);
      }
      case 'YEAR':
      case 'MONTH':
      case 'DAY':
      case 'HOUR':
      case 'MINUTE':
        return this.#part(node(0), name.toLowerCase());
      case 'WEEKDAY':
        return this.#part(node(0), 'isodow');
      case 'DATESTR':
        return sql`to_char(${this.as(node(0), 'date')}::timestamp, 'YYYY-MM-DD')`;
      default:
        throw new Error(`no function ${name}`);
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
    return sql`(${this.#made(node, type)} IS NULL)`;
  }

  #number(node: FormulaNode): SQL {
    const type = this.#typeOf(node);
    if (type === 'boolean') return sql`(${this.#made(node, type)})::int::numeric`;
    return type === 'text' ? p.readNumber(this.#made(node, type)) : this.as(node, 'number');
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
    const shown = sql`to_char(round(${value}, ${sql.raw(String(digits.length))}), ${sql.raw(`'${pattern}'`)})`;
    return percent ? sql`(${shown} || '%')` : shown;
  }
}

/** What an argument that was left out is: nothing. It stands in no map of types. */
const blank: FormulaNode = { kind: 'text', text: '', at: 0, length: 0 };
