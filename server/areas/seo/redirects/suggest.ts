import { normalizePath } from '../../../../contract/paths';

export type Suggestion = { readonly path: string; readonly title: string; readonly score: number };
/** Pages similar to a path, the most similar first; scores from 0 to 1. `bytes`: about how much memory it needs. */
export type Suggester = ((path: string, most: number) => Suggestion[]) & { readonly bytes: number };

/** Below it a page has little more in common than its section. */
const leastScore = 0.3;
/** Pages that are compared exactly. */
const mostCompared = 100;
/** Pages that share a pair of characters with a path and are counted; the rarest pairs come first, because those of every page tell nothing. */
const mostCounted = 3000;

/** A path without what changes when a site moves to another program: file extensions, `index`, dates and repeated separators. */
function reduced(path: string): string {
  return path
    .toLowerCase()
    .replace(/[?#].*$/s, '')
    .replace(/\.(?:x?html?|php\d?|aspx?|jspx?|cgi)$/, '')
    .replace(/\/(?:index|default)?$/, '')
    .replaceAll(/\/\d{4}\/\d{1,2}(?:\/\d{1,2})?(?=\/)/g, '')
    .replaceAll(/[-_+ ]|%20/g, '-');
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Pairs of neighbouring characters, each once, as sorted numbers: tens of thousands of pages are compared, and stay in memory for a while. */
function pairsOf(text: string): Uint32Array {
  const marked = `^${text}$`;
  const pairs = new Set(Array.from({ length: marked.length - 1 }, (_, at) => marked.charCodeAt(at) * 0x1_00_00 + marked.charCodeAt(at + 1)));
  return Uint32Array.from(pairs).toSorted();
}

/** Sørensen–Dice coefficient of two sets. */
function likeness(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) common += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return (2 * common) / (a.length + b.length);
}

/** What a page needs beside its texts and pairs. */
const pageBytes = 350;

/** Finds similar pages. `pages`: titles by path. Pages are looked up by pairs of characters, so that a thousand paths can be compared with ten thousand pages. */
export function createSuggester(pages: ReadonlyMap<string, string>): Suggester {
  const rows = [...pages].map(([path, title]) => {
    const text = reduced(path);
    return { path, title, whole: pairsOf(text), last: pairsOf(lastSegment(text)) };
  });
  const byPair = new Map<number, number[]>();
  for (const [at, { whole }] of rows.entries())
    for (const pair of whole) {
      const found = byPair.get(pair);
      if (found) found.push(at);
      else byPair.set(pair, [at]);
    }

  const suggest = (path: string, most: number): Suggestion[] => {
    const text = reduced(normalizePath(path));
    const [whole, last] = [pairsOf(text), pairsOf(lastSegment(text))];
    const common = new Map<number, number>();
    const pairs = [...whole].filter((pair) => byPair.has(pair)).toSorted((a, b) => (byPair.get(a)?.length ?? 0) - (byPair.get(b)?.length ?? 0));
    let counted = 0;
    for (const pair of pairs) {
      const found = byPair.get(pair) ?? [];
      counted += found.length;
      if (counted > mostCounted && common.size > 0) break;
      for (const at of found) common.set(at, (common.get(at) ?? 0) + 1);
    }
    return [...common]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostCompared)
      .flatMap(([at]): Suggestion[] => {
        const row = rows[at];
        if (!row || row.path === path) return [];
        const score = Math.round((0.4 * likeness(whole, row.whole) + 0.6 * likeness(last, row.last)) * 1000) / 1000;
        return score < leastScore ? [] : [{ path: row.path, title: row.title, score }];
      })
      .toSorted((a, b) => b.score - a.score || a.path.length - b.path.length)
      .slice(0, most);
  };
  // Each pair of a page is in its row and in the index.
  const bytes = rows.reduce((sum, row) => sum + pageBytes + 2 * (row.path.length + row.title.length) + 12 * row.whole.length + 4 * row.last.length, 0);
  return Object.assign(suggest, { bytes });
}
