import { patternProgram } from '../patternProgram';
import type { Instruction, PatternProgram, Tree } from '../patternProgram';

/**
 * Redirects by pattern: `from` is `~` and a regular expression for a whole path, and `$1` to `$9` in `to` stand for its groups. Time is bounded three times: a pattern by its
 * length and instructions, a site by the number of patterns, and a request by the steps that all patterns together may take.
 */
export const redirectPatternLimits = {
  /** Patterns of a site. */
  patterns: 50,
  /** Characters of a pattern, and of a path that is compared with patterns. */
  length: 300,
  path: 500,
  /** Instructions of a pattern, with its counted repetitions. */
  instructions: 300,
  /** Instructions that all patterns together execute for one request, about a millisecond; beyond it, none applies. */
  steps: 50_000,
} as const;

/** Groups that a target can name; the places of others are not noted, because each costs a copy of all places. */
const mostGroups = 9;

/** The regular expression of a rule; null: it names a path. */
export const patternOf = (from: string): string | null => (from.startsWith('~') ? from.slice(1).trim() : null);

/** What is left of the steps of a request. */
export type Budget = { left: number };
/** Texts of the groups by number, up to `$9`; `0` is the whole path. A group that took no part is undefined. */
export type Groups = readonly (string | undefined)[];
export type RedirectPattern = {
  readonly groups: number;
  /** Null: the path does not match, or the budget is used up. */
  readonly match: (path: string, budget: Budget) => Groups | null;
  /** A path that matches, which is searched for at each call; null: none was found. */
  readonly example: () => string | null;
};

const asciiSize = 128;
/** Which ASCII characters fit, as they are learnt: 0 unknown, 1 yes, 2 no. One table for each class of characters. */
type Tables = Map<string, Uint8Array>;

function fits({ fits: test }: Extract<Instruction, { kind: 'char' }>, table: Uint8Array, character: string): boolean {
  const code = character.charCodeAt(0);
  if (code >= asciiSize) return test.test(character);
  if (table[code] === 0) table[code] = test.test(character) ? 1 : 2;
  return table[code] === 1;
}

type Captures = readonly number[];
/** Threads in the order of preference, as in Pike's machine: the instruction of each, and where its groups are. */
type Threads = { readonly at: number[]; readonly captures: Captures[] };

function matcher(program: readonly Instruction[], tables: Tables): (path: string, budget: Budget) => Captures | null {
  const tableOf = program.map((one) => {
    if (one.kind !== 'char') return new Uint8Array();
    const known = tables.get(one.fits.source) ?? new Uint8Array(asciiSize);
    tables.set(one.fits.source, known);
    return known;
  });
  // Of the last round that reached each instruction. Rounds of a busy site exceed 32 bits within weeks.
  const reached = new Float64Array(program.length);
  let round = 0;

  /** Adds an instruction with all that are reached without a character. */
  function add(threads: Threads, from: number, found: Captures, position: number, length: number, budget: Budget): void {
    const open: [number, Captures][] = [[from, found]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [at, captures] = next;
      const instruction = program[at];
      if (!instruction || reached[at] === round) continue;
      reached[at] = round;
      budget.left -= 1;
      if (instruction.kind === 'fork') open.push([instruction.other, captures], [instruction.next, captures]);
      else if (instruction.kind === 'save') {
        const moved = [...captures];
        moved[instruction.slot] = position;
        open.push([instruction.next, moved]);
      } else if (instruction.kind === 'start' || instruction.kind === 'end') {
        if (position === (instruction.kind === 'start' ? 0 : length)) open.push([instruction.next, captures]);
      } else {
        threads.at.push(at);
        threads.captures.push(captures);
      }
    }
  }

  return (path, budget) => {
    let threads: Threads = { at: [], captures: [] };
    round += 1;
    add(threads, program.length - 1, [], 0, path.length, budget);
    let position = 0;
    for (const character of path) {
      if (threads.at.length === 0 || budget.left <= 0) return null;
      const next: Threads = { at: [], captures: [] };
      position += character.length;
      round += 1;
      for (const [index, at] of threads.at.entries()) {
        const instruction = program[at];
        budget.left -= 1;
        if (instruction?.kind === 'char' && fits(instruction, tableOf[at] as Uint8Array, character))
          add(next, instruction.next, threads.captures[index] ?? [], position, path.length, budget);
      }
      threads = next;
    }
    if (budget.left <= 0) return null;
    const best = threads.at.findIndex((at) => program[at]?.kind === 'match');
    return threads.captures[best] ?? null;
  };
}

/** The character that an expression of one character names; null: a class. */
function literalOf(source: string): string | null {
  if (source === '.' || source.startsWith('[')) return null;
  if (!source.startsWith('\\')) return source;
  const escaped = source.slice(1);
  return escaped.length === 1 && !/[\w]/.test(escaped) ? escaped : null;
}

/** What every path that matches begins with, and the longest text that it contains: most patterns are ruled out by them. */
function fixedTexts(tree: Tree): { readonly beginning: string; readonly inside: string } {
  const runs = [''];
  for (const part of tree.kind === 'sequence' ? tree.parts : [tree]) {
    if (part.kind === 'start' && runs.length === 1 && runs[0] === '') continue;
    const literal = part.kind === 'char' ? literalOf(part.source) : null;
    if (literal === null) runs.push('');
    else runs.push(`${runs.pop() ?? ''}${literal}`);
  }
  return { beginning: runs[0] ?? '', inside: runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '') };
}

const candidates = ['a', '1', 'A', '-', '_', '.', '/', ' ', '\u8336', ...Array.from({ length: 94 }, (_, at) => String.fromCodePoint(33 + at))];

/** A text for which a pattern is meant: one character of each class, one repetition where any number may be. */
function textFor(tree: Tree): string {
  switch (tree.kind) {
    case 'char': {
      const fitting = new RegExp(`^(?:${tree.source})$`, 'u');
      return literalOf(tree.source) ?? candidates.find((one) => fitting.test(one)) ?? '';
    }
    case 'start':
    case 'end':
      return '';
    case 'sequence':
      return tree.parts.map(textFor).join('');
    case 'choice':
      return tree.parts[0] ? textFor(tree.parts[0]) : '';
    case 'group':
      return textFor(tree.of);
    case 'repeat':
      return textFor(tree.of).repeat(Math.max(tree.least, Math.min(1, tree.most)));
  }
}

/** A path that a pattern matches; null: none was found. `match` decides. */
function exampleOf({ tree }: PatternProgram, match: (path: string, budget: Budget) => unknown): string | null {
  const text = textFor(tree);
  return [text, `/${text}`].find((path) => path.startsWith('/') && match(path, { left: redirectPatternLimits.steps }) !== null) ?? null;
}

/** Compiles the regular expression of a rule; null if it is invalid, too long, or cannot match in linear time. */
export function compileRedirectPattern(source: string, tables: Tables = new Map()): RedirectPattern | null {
  if (source === '' || source.length > redirectPatternLimits.length) return null;
  const program = patternProgram(source.normalize('NFC'), { most: redirectPatternLimits.instructions, saves: mostGroups });
  if (!program) return null;
  const { beginning, inside } = fixedTexts(program.tree);
  const run = matcher(program.instructions, tables);
  const match = (path: string, budget: Budget): Groups | null => {
    if (!path.startsWith(beginning) || !path.includes(inside)) return null;
    const captures = run(path, budget);
    if (!captures) return null;
    return [path, ...Array.from({ length: Math.min(program.groups, mostGroups) }, (_, at) => textBetween(path, captures[at * 2 + 2], captures[at * 2 + 3]))];
  };
  return { groups: program.groups, match, example: () => exampleOf(program, match) };
}

const textBetween = (path: string, from: number | undefined, to: number | undefined): string | undefined =>
  from === undefined || to === undefined ? undefined : path.slice(from, to);

/** A group in a target. */
export const groupMark = /\$([1-9])/g;

/** A group may name no host, whatever visitors request, and has to exist. */
export function isPatternTarget(to: string, groups: number): boolean {
  const numbers = Array.from(to.matchAll(groupMark), ([, number]) => Number(number));
  const [origin = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(to) ?? [];
  return numbers.every((number) => number <= groups) && !origin.includes('$') && (numbers.length === 0 || origin !== '' || to.startsWith('/'));
}
