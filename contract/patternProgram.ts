/**
 * Programs for user-defined patterns. JavaScript's engine backtracks and can take years for thirty characters (`(a+)+b`), so a pattern is compiled here into an
 * automaton whose states are followed in parallel: the time is linear in the length of the text (Thompson 1968; the approach of RE2). Back references
 * and lookarounds, which this cannot express, are refused. Character classes (`\p{L}`, `[a-z]`) are JavaScript's, one character at a time. A pattern
 * matches the whole text.
 */
export type Instruction =
  | { readonly kind: 'char'; readonly fits: RegExp; next: number }
  /** `next` is preferred where both lead to a match. */
  | { readonly kind: 'fork'; next: number; other: number }
  | { readonly kind: 'start' | 'end'; next: number }
  /** The text has reached the beginning (even) or the end (odd) of a group. */
  | { readonly kind: 'save'; readonly slot: number; next: number }
  | { readonly kind: 'match' };
export type Tree =
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'group'; readonly of: Tree; readonly number: number }
  | { readonly kind: 'repeat'; readonly of: Tree; readonly least: number; readonly most: number; readonly lazy: boolean };

/** Maximum number of instructions; counted repetitions are expanded. */
const mostInstructions = 1000;
const mostDepth = 50;

class Refused extends Error {}

function parse(source: string): { readonly tree: Tree; readonly groups: number } {
  let at = 0;
  let depth = 0;
  let groups = 0;
  const peek = (text: string): boolean => source.startsWith(text, at);

  function choice(): Tree {
    if (++depth > mostDepth) throw new Refused();
    const parts = [sequence()];
    while (peek('|')) {
      at++;
      parts.push(sequence());
    }
    depth--;
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }
  function sequence(): Tree {
    const parts: Tree[] = [];
    while (at < source.length && !peek('|') && !peek(')')) parts.push(repeated(atom()));
    return { kind: 'sequence', parts };
  }
  function repeated(of: Tree): Tree {
    const found = /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})(\??)/.exec(source.slice(at));
    if (!found) return of;
    if (of.kind === 'start' || of.kind === 'end') throw new Refused();
    at += found[0].length;
    const [, sign, least, further, most, mark] = found;
    const lazy = mark === '?';
    if (sign !== undefined) return { kind: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity, lazy };
    const first = Number(least);
    return { kind: 'repeat', of, least: first, most: further === undefined ? first : most === '' || most === undefined ? Infinity : Number(most), lazy };
  }
  function atom(): Tree {
    if (peek('^') || peek('$')) return { kind: source[at++] === '^' ? 'start' : 'end' };
    if (peek('(')) {
      const open = /^\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))/.exec(source.slice(at));
      if (!open) throw new Refused();
      at += open[0].length;
      const number = open[0] === '(?:' ? null : ++groups;
      const of = choice();
      if (!peek(')')) throw new Refused();
      at++;
      return number === null ? of : { kind: 'group', of, number };
    }
    // One character: a class, an escape other than a back reference or word boundary, or a literal.
    const found =
      /^(?:\[(?:[^\]\\]|\\.)*\]|\\(?:[pP]\{[\w=]+\}|u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[^1-9kbBpPux])|[^\\[\](){}*+?|^$])/su.exec(
        source.slice(at),
      );
    if (!found) throw new Refused();
    at += found[0].length;
    return { kind: 'char', source: found[0] };
  }
  const tree = choice();
  if (at < source.length) throw new Refused();
  return { tree, groups };
}

/** `saves`: the number of groups whose beginning and end the program notes. */
function assemble(tree: Tree, most: number, saves: number): Instruction[] {
  const program: Instruction[] = [];
  const add = (instruction: Instruction): number => {
    if (program.length >= most) throw new Refused();
    return program.push(instruction) - 1;
  };
  let written = 0;
  /** Emits code that continues at `next`; returns its entry. Built backwards, so that every target is known. */
  function write(part: Tree, next: number): number {
    // Repetitions of nothing emit no instruction: `(?:(?:){9999}){9999}`.
    if (++written > most * 20) throw new Refused();
    switch (part.kind) {
      case 'char':
        return add({ kind: 'char', fits: new RegExp(`^(?:${part.source})$`, 'u'), next });
      case 'start':
      case 'end':
        return add({ kind: part.kind, next });
      case 'sequence':
        return part.parts.reduceRight((after, one) => write(one, after), next);
      case 'choice':
        return part.parts.map((one) => write(one, next)).reduceRight((other, first) => add({ kind: 'fork', next: first, other }));
      case 'group': {
        if (part.number > saves) return write(part.of, next);
        const end = add({ kind: 'save', slot: part.number * 2 + 1, next });
        return add({ kind: 'save', slot: part.number * 2, next: write(part.of, end) });
      }
      case 'repeat': {
        let after = next;
        if (part.most === Infinity) {
          const loop: Instruction = { kind: 'fork', next, other: next };
          after = add(loop);
          loop[part.lazy ? 'other' : 'next'] = write(part.of, after);
        } else {
          if (part.most < part.least) throw new Refused();
          for (let n = part.least; n < part.most; n++) {
            const again = write(part.of, after);
            after = add(part.lazy ? { kind: 'fork', next, other: again } : { kind: 'fork', next: again, other: next });
          }
        }
        for (let n = 0; n < part.least; n++) after = write(part.of, after);
        return after;
      }
    }
  }
  const entry = write(tree, add({ kind: 'match' }));
  // Execution starts at the last instruction.
  add({ kind: 'fork', next: entry, other: entry });
  return program;
}

export type PatternProgram = {
  readonly tree: Tree;
  readonly groups: number;
  /** Execution starts at the last one. */
  readonly instructions: readonly Instruction[];
};

/** Compiles a pattern; null if it is invalid, cannot run in linear time or is too large. `saves`: the number of groups whose beginning and end the program notes. */
export function patternProgram(source: string, { most = mostInstructions, saves = 0 } = {}): PatternProgram | null {
  try {
    // The syntax is JavaScript's: what JavaScript refuses could mean something else here.
    void new RegExp(source, 'u');
    const { tree, groups } = parse(source);
    return { tree, groups, instructions: assemble(tree, most, saves) };
  } catch {
    return null;
  }
}
