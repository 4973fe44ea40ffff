/**
 * User-defined patterns. JavaScript's engine backtracks and can take years for thirty characters (`(a+)+b`), so a pattern is compiled here into an
 * automaton whose states are followed in parallel: the time is linear in the length of the text (Thompson 1968; the approach of RE2). Back references
 * and lookarounds, which this cannot express, are refused. Character classes (`\p{L}`, `[a-z]`) are JavaScript's, one character at a time. A pattern
 * matches the whole text.
 */
type Instruction =
  | { readonly kind: 'char'; readonly fits: RegExp; next: number }
  | { readonly kind: 'fork'; next: number; other: number }
  | { readonly kind: 'start' | 'end'; next: number }
  | { readonly kind: 'match' };
type Tree =
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly of: Tree; readonly least: number; readonly most: number };

/** Maximum number of instructions; counted repetitions are expanded. */
const mostInstructions = 1000;
const mostDepth = 50;
const mostRemembered = 20_000;

class Refused extends Error {}

function parse(source: string): Tree {
  let at = 0;
  let depth = 0;
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
    const found = /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(source.slice(at));
    if (!found) return of;
    if (of.kind === 'start' || of.kind === 'end') throw new Refused();
    at += found[0].length;
    const [, sign, least, further, most] = found;
    if (sign !== undefined) return { kind: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    const first = Number(least);
    return { kind: 'repeat', of, least: first, most: further === undefined ? first : most === '' || most === undefined ? Infinity : Number(most) };
  }
  function atom(): Tree {
    if (peek('^') || peek('$')) return { kind: source[at++] === '^' ? 'start' : 'end' };
    if (peek('(')) {
      const open = /^\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))/.exec(source.slice(at));
      if (!open) throw new Refused();
      at += open[0].length;
      const inner = choice();
      if (!peek(')')) throw new Refused();
      at++;
      return inner;
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
  return tree;
}

function assemble(tree: Tree): Instruction[] {
  const program: Instruction[] = [];
  const add = (instruction: Instruction): number => {
    if (program.length >= mostInstructions) throw new Refused();
    return program.push(instruction) - 1;
  };
  /** Emits code that continues at `next`; returns its entry. Built backwards, so that every target is known. */
  function write(part: Tree, next: number): number {
    switch (part.kind) {
      case 'char':
        return add({ kind: 'char', fits: new RegExp(`^(?:${part.source})$`, 'u'), next });
      case 'start':
      case 'end':
        return add({ kind: part.kind, next });
      case 'sequence':
        return part.parts.reduceRight((after, one) => write(one, after), next);
      case 'choice':
        return part.parts.map((one) => write(one, next)).reduce((other, first) => add({ kind: 'fork', next: first, other }));
      case 'repeat': {
        let after = next;
        if (part.most === Infinity) {
          const loop: Instruction = { kind: 'fork', next, other: next };
          after = add(loop);
          loop.other = write(part.of, after);
        } else {
          if (part.most < part.least) throw new Refused();
          for (let n = part.least; n < part.most; n++) after = add({ kind: 'fork', next: write(part.of, after), other: next });
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

type State = { readonly at: readonly number[]; readonly steps: Map<string, State> };

function runner(program: readonly Instruction[]): (text: string) => boolean {
  let states = new Map<string, State>();
  let remembered = 0;
  /** States reachable without consuming a character. */
  function spread(from: Iterable<number>, begins: boolean, ends: boolean): Set<number> {
    const reached = new Set<number>();
    const open = [...from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const instruction = program[at];
      if (!instruction || reached.has(at)) continue;
      reached.add(at);
      if (instruction.kind === 'fork') open.push(instruction.next, instruction.other);
      else if ((instruction.kind === 'start' && begins) || (instruction.kind === 'end' && ends)) open.push(instruction.next);
    }
    return reached;
  }
  function stateOf(reached: Set<number>): State {
    const at = [...reached].sort((a, b) => a - b);
    const key = at.join();
    let state = states.get(key);
    if (!state) states.set(key, (state = { at, steps: new Map() }));
    return state;
  }
  function step(state: State, character: string): State {
    const known = state.steps.get(character);
    if (known) return known;
    if (++remembered > mostRemembered) {
      // Discarded together, because states refer to each other.
      states = new Map();
      remembered = 0;
      state.steps.clear();
    }
    const next = state.at.flatMap((at) => {
      const instruction = program[at];
      return instruction?.kind === 'char' && instruction.fits.test(character) ? [instruction.next] : [];
    });
    const found = stateOf(spread(next, false, false));
    state.steps.set(character, found);
    return found;
  }
  return (text) => {
    let state = stateOf(spread([program.length - 1], true, text === ''));
    for (const character of text) {
      state = step(state, character);
      if (state.at.length === 0) return false;
    }
    return [...spread(state.at, text === '', true)].some((at) => program[at]?.kind === 'match');
  };
}

const compiled = new Map<string, ((text: string) => boolean) | null>();

/** Compiles a pattern to a test, or returns null if it is invalid or cannot run in linear time. */
export function compilePattern(source: string): ((text: string) => boolean) | null {
  let found = compiled.get(source);
  if (found === undefined) {
    try {
      // The syntax is JavaScript's: what JavaScript refuses could mean something else here.
      void new RegExp(source, 'u');
      found = runner(assemble(parse(source)));
    } catch {
      found = null;
    }
    if (compiled.size >= 200) compiled.clear();
    compiled.set(source, found);
  }
  return found;
}
/** Whether the whole text matches a pattern; an invalid pattern accepts everything. */
export const fitsPattern = (source: string, text: string): boolean => compilePattern(source)?.(text) ?? true;
