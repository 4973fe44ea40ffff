/** Where a value of a JSON text begins: offsets by dotted path. */
export type JsonPlaces = ReadonlyMap<string, number>;
/** The value of a text, or why it is no JSON and at which offset. */
export type ReadJson = { readonly value: unknown; readonly places: JsonPlaces } | { readonly error: string; readonly at: number };

class JsonError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Deeper values than this are refused. */
const mostLevels = 64;
/** Values with longer paths have the place of what is around them: the paths below one long name would fill the memory. */
const longestPath = 400;
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** `JSON.parse` says where a text is wrong only in some versions of Node, and never where a value is. */
class JsonReader {
  readonly #text: string;
  readonly places = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #next(): { readonly text: string; readonly at: number } {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text);
    const text = found?.[1] ?? found?.[2] ?? found?.[3];
    if (text === undefined) throw new JsonError('unexpected character', this.#at + (/^[ \t\n\r]*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0));
    this.#at = token.lastIndex;
    return { text, at: this.#at - text.length };
  }
  #expect(...allowed: string[]): string {
    const { text, at } = this.#next();
    if (!allowed.includes(text)) throw new JsonError(`expected ${allowed.join(' or ')}`, at);
    return text;
  }
  #peek(text: string): boolean {
    const before = this.#at;
    const found = this.#next();
    if (found.text === text) return true;
    this.#at = before;
    return false;
  }

  #object(path: string, level: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    if (this.#peek('}')) return result;
    do {
      const { text, at } = this.#next();
      if (!text.startsWith('"')) throw new JsonError('expected a name in double quotes', at);
      this.#expect(':');
      const key = JSON.parse(text) as string;
      const value = this.value(path === '' ? key : `${path}.${key}`, level + 1);
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
    } while (this.#expect(',', '}') === ',');
    return result;
  }
  #array(path: string, level: number): unknown[] {
    const result: unknown[] = [];
    if (this.#peek(']')) return result;
    do result.push(this.value(path === '' ? String(result.length) : `${path}.${result.length}`, level + 1));
    while (this.#expect(',', ']') === ',');
    return result;
  }

  value(path: string, level: number): unknown {
    const { text, at } = this.#next();
    if (level > mostLevels) throw new JsonError('too many levels', at);
    if (path.length <= longestPath) this.places.set(path, at);
    if (text === '{') return this.#object(path, level);
    if (text === '[') return this.#array(path, level);
    if (/^[}\],:]/.test(text)) throw new JsonError('expected a value', at);
    return JSON.parse(text);
  }

  end(): void {
    const rest = this.#text.slice(this.#at);
    if (rest.trim() !== '') throw new JsonError('unexpected text behind the value', this.#at + rest.length - rest.trimStart().length);
  }
}

/** Reads JSON and where its values are. */
export function readJson(text: string): ReadJson {
  const reader = new JsonReader(text);
  try {
    const value = reader.value('', 0);
    reader.end();
    return { value, places: reader.places };
  } catch (error) {
    if (error instanceof JsonError) return { error: error.message, at: error.at };
    throw error;
  }
}

/** The place of the value at a path, or of the closest one around it. */
export function placeOf(places: JsonPlaces, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const found = places.get(path.slice(0, length).map(String).join('.'));
    if (found !== undefined) return found;
  }
  return places.get('') ?? 0;
}

/** Line and column of an offset, counted from 1. */
export function positionOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
