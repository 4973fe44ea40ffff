/**
 * The formula language: `IF({库存} > 0, {单价} * 1.2, "缺货")`. Fields are in braces: by title when shown and typed, by id (`{f_…}`) when stored. Function
 * names are case-insensitive; Chinese punctuation （，“”× ÷ ≠）equals its ASCII form. Pure.
 */

/** A position in the source, in UTF-16 units. */
export type Span = { readonly at: number; readonly length: number };
export const formulaErrors = [
  'empty',
  'too_long',
  'too_deep',
  'too_costly',
  'unexpected',
  'unfinished',
  'unclosed_text',
  'unclosed_field',
  'bad_number',
  'unknown_function',
  'unknown_field',
  'ambiguous_field',
  'broken_field',
  'wrong_count',
  'wrong_type',
  'bad_unit',
  'bad_format',
] as const;
/** `name`: the field, function or token concerned. */
export type FormulaError = Span & { readonly code: (typeof formulaErrors)[number]; readonly name: string };

/** Characters, nesting depth and number of nodes. The cost limit of a formula also counts the formulas that it uses (`formula/shapes.ts`). */
export const formulaLimits = { length: 10_000, depth: 50, parts: 1000, args: 100 } as const;

const binaryOps = ['&', '+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>='] as const;
export type BinaryOp = (typeof binaryOps)[number];
export type FormulaNode =
  | (Span & { readonly kind: 'number'; /** Exact digits. */ readonly text: string })
  | (Span & { readonly kind: 'text'; readonly text: string })
  | (Span & { readonly kind: 'boolean'; readonly value: boolean })
  | (Span & { readonly kind: 'field'; readonly name: string })
  | (Span & { readonly kind: 'call'; /** Uppercase. */ readonly name: string; readonly args: readonly FormulaNode[] })
  | (Span & { readonly kind: 'minus'; readonly of: FormulaNode })
  | (Span & { readonly kind: 'binary'; readonly op: BinaryOp; readonly left: FormulaNode; readonly right: FormulaNode });

type Token = Span & { readonly kind: 'number' | 'text' | 'field' | 'name' | 'sign' | 'end'; readonly text: string };
/** Internal; never leaves this file. */
class Refused extends Error {
  readonly error: FormulaError;
  constructor(error: FormulaError) {
    super(error.code);
    this.error = error;
  }
}
const refuse = (code: FormulaError['code'], { at, length }: Span, name = ''): never => {
  throw new Refused({ code, at, length, name });
};

/** Chinese punctuation and its ASCII form. */
const plainSigns: Readonly<Record<string, string>> = {
  '（': '(',
  '）': ')',
  '，': ',',
  '、': ',',
  '；': ',',
  ';': ',',
  '＋': '+',
  '－': '-',
  '−': '-',
  '＊': '*',
  '×': '*',
  '／': '/',
  '÷': '/',
  '％': '%',
  '＆': '&',
  '＝': '=',
  '＜': '<',
  '＞': '>',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
};
const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '{': '}', '｛': '｝' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
const isSpace = (char: string): boolean => /\s|\u3000|\u200b/.test(char);

/** A quoted text, or a field in braces: its content and end. A backslash escapes the next character; `""` is a quote. */
function quoted(source: string, at: number): Token {
  const opening = source[at] ?? '';
  const end = closing[opening];
  const isField = opening === '{' || opening === '｛';
  let text = '';
  for (let i = at + 1; i < source.length; i += 1) {
    const char = source[i] ?? '';
    if (char === '\\' && i + 1 < source.length) {
      i += 1;
      const next = source[i] ?? '';
      text += isField ? next : (escapes[next] ?? next);
    } else if (char !== end) {
      text += char;
    } else if (!isField && end === opening && source[i + 1] === end) {
      i += 1;
      text += char;
    } else {
      return { kind: isField ? 'field' : 'text', text: isField ? text.trim() : text, at, length: i + 1 - at };
    }
  }
  return refuse(isField ? 'unclosed_field' : 'unclosed_text', { at, length: source.length - at }, text.slice(0, 100));
}

function tokenAt(source: string, at: number): Token {
  const char = source[at] ?? '';
  if (closing[char] !== undefined) return quoted(source, at);
  const rest = source.slice(at, at + 80);
  const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(rest)?.[0];
  if (number !== undefined) {
    const [whole = '', digits = ''] = number.split('.');
    if (whole.length > 28 || digits.length > 20 || /^[A-Za-z_]/.test(source.slice(at + number.length)))
      refuse('bad_number', { at, length: number.length }, number);
    return { kind: 'number', text: `${whole === '' ? '0' : whole}${digits === '' ? '' : `.${digits}`}`, at, length: number.length };
  }
  const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(rest)?.[0];
  if (name !== undefined) return { kind: 'name', text: name.toUpperCase(), at, length: name.length };
  const plain = plainSigns[char] ?? char;
  const next = plainSigns[source[at + 1] ?? ''] ?? source[at + 1] ?? '';
  for (const [two, sign] of [
    ['<=', '<='],
    ['>=', '>='],
    ['!=', '!='],
    ['<>', '!='],
    ['==', '='],
  ] as const) {
    if (plain.length === 1 && plain + next === two) return { kind: 'sign', text: sign, at, length: 2 };
  }
  if (plain.length === 2 || '(),+-*/%&=<>'.includes(plain)) return { kind: 'sign', text: plain, at, length: 1 };
  return refuse('unexpected', { at, length: 1 }, char);
}

function tokensOf(source: string): Token[] {
  if (source.length > formulaLimits.length) refuse('too_long', { at: formulaLimits.length, length: source.length - formulaLimits.length });
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    if (isSpace(source[at] ?? '')) {
      at += 1;
      continue;
    }
    const token = tokenAt(source, at);
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

/** By increasing precedence; operators on one line are equal and left-associative. */
const levels: readonly (readonly BinaryOp[])[] = [['=', '!=', '<', '<=', '>', '>='], ['&'], ['+', '-'], ['*', '/', '%']];

class Parser {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #next = 0;
  #depth = 0;
  #parts = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
    this.#end = { kind: 'end', text: '', at: source.length, length: 0 };
  }

  whole(): FormulaNode {
    if (this.#tokens.length === 0) refuse('empty', { at: 0, length: 0 });
    const node = this.#level(0);
    const token = this.#peek();
    return token.kind === 'end' ? node : refuse('unexpected', token, token.text);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? this.#end;
  }
  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }
  #isSign(text: string): boolean {
    const token = this.#peek();
    return token.kind === 'sign' && token.text === text;
  }
  #expect(sign: string): Token {
    const token = this.#peek();
    if (!this.#isSign(sign)) refuse(token.kind === 'end' ? 'unfinished' : 'unexpected', token, token.kind === 'end' ? sign : token.text);
    return this.#take();
  }
  #node<N extends FormulaNode>(node: N): N {
    this.#parts += 1;
    return this.#parts > formulaLimits.parts ? refuse('too_costly', node) : node;
  }
  #deeper<T>(token: Token, work: () => T): T {
    this.#depth += 1;
    if (this.#depth > formulaLimits.depth) refuse('too_deep', token);
    const result = work();
    this.#depth -= 1;
    return result;
  }

  #level(level: number): FormulaNode {
    const ops = levels[level];
    if (!ops) return this.#signed();
    let left = this.#level(level + 1);
    for (;;) {
      const op = ops.find((one) => this.#isSign(one));
      if (op === undefined) return left;
      this.#take();
      const right = this.#level(level + 1);
      left = this.#node({ kind: 'binary', op, left, right, at: left.at, length: right.at + right.length - left.at });
    }
  }

  #signed(): FormulaNode {
    if (!this.#isSign('-') && !this.#isSign('+')) return this.#one();
    const sign = this.#take();
    const of = this.#deeper(sign, () => this.#signed());
    return sign.text === '+' ? of : this.#node({ kind: 'minus', of, at: sign.at, length: of.at + of.length - sign.at });
  }

  #one(): FormulaNode {
    const token = this.#take();
    const { at, length, text } = token;
    switch (token.kind) {
      case 'number':
      case 'text':
        return this.#node({ kind: token.kind, text, at, length });
      case 'field':
        return this.#node({ kind: 'field', name: text, at, length });
      case 'name':
        return this.#named(token);
      case 'sign':
        if (text !== '(') return refuse('unexpected', token, text);
        return this.#deeper(token, () => {
          const inner = this.#level(0);
          this.#expect(')');
          return inner;
        });
      case 'end':
        return refuse('unfinished', token);
    }
  }

  #named(token: Token): FormulaNode {
    const { at, text: name } = token;
    const truth = name === 'TRUE' || name === 'FALSE';
    if (!this.#isSign('(')) {
      if (truth) return this.#node({ kind: 'boolean', value: name === 'TRUE', at, length: token.length });
      // A bare word is usually a field without braces, or a text without quotes.
      return this.#peek().kind === 'end' ? refuse('unfinished', token, name) : refuse('unexpected', token, name);
    }
    return this.#deeper(token, () => {
      this.#take();
      const args: FormulaNode[] = [];
      while (!this.#isSign(')')) {
        if (args.length > 0) this.#expect(',');
        args.push(this.#level(0));
      }
      const last = this.#expect(')');
      const length = last.at + 1 - at;
      if (args.length > formulaLimits.args || (truth && args.length > 0)) refuse('wrong_count', { at, length: token.length }, name);
      return this.#node(truth ? { kind: 'boolean', value: name === 'TRUE', at, length } : { kind: 'call', name, args, at, length });
    });
  }
}

type Parsed = { readonly node: FormulaNode; readonly syntaxError: null } | { readonly node: null; readonly syntaxError: FormulaError };
/** Parses a formula to a tree, or returns the syntax error. Names of functions and fields are not checked. */
export function parseFormula(source: string): Parsed {
  try {
    return { node: new Parser(source).whole(), syntaxError: null };
  } catch (error) {
    if (error instanceof Refused) return { node: null, syntaxError: error.error };
    throw error;
  }
}

/** Every node of a tree, the root first. */
export function partsOf(node: FormulaNode): FormulaNode[] {
  const parts = [node];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    if (part?.kind === 'call') parts.push(...part.args);
    else if (part?.kind === 'minus') parts.push(part.of);
    else if (part?.kind === 'binary') parts.push(part.left, part.right);
  }
  return parts;
}
/** Distinct names of the fields in a tree. */
export const fieldsIn = (node: FormulaNode): string[] => [...new Set(partsOf(node).flatMap((part) => (part.kind === 'field' ? [part.name] : [])))];

export type NamedField = { readonly id: string; readonly key: string; readonly aliases: readonly string[]; readonly title: string };
/** Resolves a name in braces: an id, an unambiguous title, a key, or an alias. */
export function fieldByName<F extends NamedField>(name: string, fields: readonly F[]): F | 'unknown_field' | 'ambiguous_field' {
  const byId = fields.find((field) => field.id === name);
  if (byId) return byId;
  const titled = fields.filter((field) => field.title === name);
  if (titled.length === 1 && titled[0]) return titled[0];
  const keyed = fields.find((field) => field.key === name) ?? fields.find((field) => field.aliases.includes(name));
  return keyed ?? (titled.length > 1 ? 'ambiguous_field' : 'unknown_field');
}

/** Every `{…}` that refers to a field, in a formula or in a button's template; unreadable ones are omitted. */
function references(source: string, template: boolean): Token[] {
  if (!template) {
    try {
      return tokensOf(source).filter((token) => token.kind === 'field');
    } catch {
      return [];
    }
  }
  return [...source.matchAll(/\{((?:\\.|[^\\{}])*)\}/g)].map((found) => ({
    kind: 'field',
    text: (found[1] ?? '').replace(/\\(.)/g, '$1').trim(),
    at: found.index,
    length: found[0].length,
  }));
}
const rewritten = (source: string, found: readonly Token[], name: (token: Token) => string | null): string => {
  let text = '';
  let done = 0;
  for (const token of found) {
    text += source.slice(done, token.at) + (name(token) ?? source.slice(token.at, token.at + token.length));
    done = token.at + token.length;
  }
  return text + source.slice(done);
};
const braced = (name: string): string => `{${name.replace(/[\\{}]/g, '\\$&')}}`;

/** The stored form: fields by id. Unknown names stay as typed and are reported by the checker. Everything else is unchanged. */
export function withIds(source: string, fields: readonly NamedField[], template = false): string {
  return rewritten(source, references(source, template), ({ text }) => {
    const field = fieldByName(text, fields);
    return typeof field === 'string' ? null : braced(field.id);
  });
}
/**
 * The displayed form: a field by its title; by its key if another field has the same title; by its id if that key is another field's title. A deleted field
 * keeps its id.
 */
export function withTitles(source: string, fields: readonly NamedField[], template = false): string {
  return rewritten(source, references(source, template), ({ text }) => {
    const field = fields.find((one) => one.id === text);
    if (!field) return null;
    return braced([field.title, field.key].find((name) => fieldByName(name.trim(), fields) === field) ?? field.id);
  });
}

/** Parts of a button's label or address: literal text, and fields by name. */
export function templateParts(template: string): ({ readonly text: string } | { readonly field: string })[] {
  const parts: ({ text: string } | { field: string })[] = [];
  let done = 0;
  for (const token of references(template, true)) {
    if (token.at > done) parts.push({ text: template.slice(done, token.at) });
    parts.push({ field: token.text });
    done = token.at + token.length;
  }
  if (done < template.length) parts.push({ text: template.slice(done) });
  return parts;
}
