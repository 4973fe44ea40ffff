import { patternProgram } from '../patternProgram';
import type { Instruction } from '../patternProgram';

/** Tests of whole texts by user-defined patterns, in linear time: see `patternProgram`. */

const mostRemembered = 20_000;

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
    const program = patternProgram(source);
    found = program && runner(program.instructions);
    if (compiled.size >= 200) compiled.clear();
    compiled.set(source, found);
  }
  return found;
}
/** Whether the whole text matches a pattern; an invalid pattern accepts everything. */
export const fitsPattern = (source: string, text: string): boolean => compilePattern(source)?.(text) ?? true;
