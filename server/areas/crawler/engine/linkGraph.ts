import { outgoingOf, pageRank } from './pageRank';
import type { Outgoing } from './pageRank';

/**
 * Classes of links between pages, as `linkClass` of `ranking.ts` computes them. If one page has several links to another, the lowest class counts.
 * followed    a visitor can click it, or it is a frame that visitors see
 * redirect    takes visitors on without a click
 * unranked    like `followed`, but `nofollow`, or a refresh
 * other       all others, such as links in the head of a page
 */
export const linkClasses = { followed: 0, redirect: 1, unranked: 2, other: 3 } as const;
/**
 * Classes of links for `crawlDepths`.
 * link        an element of the page leads to the address
 * redirect    as above
 * nofollow    like `link`, but `nofollow`
 * other       a refresh or a link in the head
 */
export const crawlLinkClasses = { link: 0, redirect: linkClasses.redirect, nofollow: 2, other: 3 } as const;
/** Bytes of a row: source and target as UInt64, class as UInt8. */
const rowBytes = 17;

/** Where depths begin. `none`: a page that has to be linked. */
export const pageStarts = { none: 0, seed: 1, sitemap: 2 } as const;
/** Bits for each address of `crawlDepths`. `closed`: none of its links are followed; `gentle`: those with `nofollow` are not. */
export const crawlMarks = { start: 1, gentle: 2, closed: 4 } as const;
/** The depth of a page that nothing leads to. */
export const unknownDepth = 0xffffffff;

/** Index of a value in sorted numbers; -1: none. */
function indexIn(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** A list of numbers that grows. */
class Numbers {
  private values = new Uint32Array(1024);
  private size = 0;
  add(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Uint32Array(this.size * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.size] = value;
    this.size += 1;
  }
  all(): Uint32Array {
    return this.values.subarray(0, this.size);
  }
}

export type RankedPages = { readonly linksIn: Uint32Array; readonly ranks: Float64Array; readonly depths: Uint32Array };

/** The pages of a run and the links between them. A link takes 8 bytes, at most 25 during computation. */
export class LinkGraph {
  private readonly sources = new Numbers();
  /** Index and class of each target. */
  private readonly targets = new Numbers();
  private readonly ids: Float64Array;
  private readonly starts: Uint8Array;

  /** `ids`: of the pages, sorted; `starts`: one of `pageStarts` for each, for `crawlDepths` bits of `crawlMarks`. */
  constructor(ids: Float64Array, starts: Uint8Array) {
    this.ids = ids;
    this.starts = starts;
  }

  /** Adds links, each pair of pages once, for `crawlDepths` once per class. */
  add(rows: Uint8Array): void {
    const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    const idAt = (at: number): number => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
    for (let at = 0; at < bytes.length; at += rowBytes) {
      const [source, target] = [indexIn(this.ids, idAt(at)), indexIn(this.ids, idAt(at + 8))];
      if (source < 0 || target < 0 || source === target) continue;
      this.sources.add(source);
      this.targets.add(target * 4 + bytes.readUInt8(at + 16));
    }
  }

  /** For each page its PageRank, the number of links to it that pass PageRank on, and its depth, for which all links count. */
  rank(): RankedPages {
    return { ...this.ranks(), depths: this.depths() };
  }

  private ranks(): Omit<RankedPages, 'depths'> {
    const [sources, targets] = [this.sources.all(), this.targets.all()];
    const counted = [new Uint32Array(sources.length), new Uint32Array(sources.length)] as const;
    const linksIn = new Uint32Array(this.ids.length);
    let size = 0;
    for (let edge = 0; edge < sources.length; edge += 1) {
      const packed = targets[edge] as number;
      if ((packed & 3) > linkClasses.redirect) continue;
      const target = packed >>> 2;
      linksIn[target] = (linksIn[target] as number) + 1;
      counted[0][size] = sources[edge] as number;
      counted[1][size] = target;
      size += 1;
    }
    return { linksIn, ranks: pageRank(this.ids.length, counted[0].subarray(0, size), counted[1].subarray(0, size)) };
  }

  /**
   * The fewest clicks from a start address to each page; redirects cost none. Pages that no clicks lead to are counted from the nearest page that refers to them in another way,
   * or from the nearest such page in the sitemap, which has depth 0. So depths do not depend on the order in which a crawl met its pages.
   */
  private depths(): Uint32Array {
    const { starts } = this;
    const depths = new Uint32Array(starts.length).fill(unknownDepth);
    const outgoing = outgoingOf(starts.length, this.sources.all(), this.targets.all());
    starts.forEach((start, page) => start === pageStarts.seed && (depths[page] = 0));
    spread(depths, outgoing, (_, kind) => kind <= linkClasses.unranked);
    starts.forEach((start, page) => start === pageStarts.sitemap && depths[page] === unknownDepth && (depths[page] = 0));
    spread(depths, outgoing, () => true);
    return depths;
  }

  /** The depths that a crawl would give to addresses if it met each of them by the shortest path first. */
  crawlDepths(): Uint32Array {
    const { starts } = this;
    const depths = new Uint32Array(starts.length).fill(unknownDepth);
    starts.forEach((marks, page) => (marks & crawlMarks.start) !== 0 && (depths[page] = 0));
    spread(depths, outgoingOf(starts.length, this.sources.all(), this.targets.all()), (page, kind) => {
      if (kind === crawlLinkClasses.link) return ((starts[page] as number) & crawlMarks.closed) === 0;
      return kind !== crawlLinkClasses.nofollow || ((starts[page] as number) & (crawlMarks.closed | crawlMarks.gentle)) === 0;
    });
    return depths;
  }
}

/** Gives each page without a depth that of the shortest path from the pages that have one; known depths stay. `follows`: whether links of a class on a page are part of such paths. */
function spread(depths: Uint32Array, { begin, ordered }: Outgoing, follows: (page: number, kind: number) => boolean): void {
  const levels: number[][] = [];
  const place = (page: number, depth: number): void => void (levels[depth] ??= []).push(page);
  depths.forEach((depth, page) => depth !== unknownDepth && place(page, depth));
  for (let depth = 0; depth < levels.length; depth += 1) {
    const level = levels[depth] ?? [];
    const reach = (page: number, isRedirect: boolean): void => {
      for (let edge = begin[page] as number; edge < (begin[page + 1] as number); edge += 1) {
        const packed = ordered[edge] as number;
        const target = packed >>> 2;
        const kind = packed & 3;
        if ((kind === linkClasses.redirect) !== isRedirect || depths[target] !== unknownDepth || !follows(page, kind)) continue;
        depths[target] = isRedirect ? depth : depth + 1;
        place(target, depths[target]);
      }
    };
    // Redirects add pages to the level itself, so they come first.
    for (const page of level) reach(page, true);
    for (const page of level) reach(page, false);
    levels[depth] = [];
  }
}
