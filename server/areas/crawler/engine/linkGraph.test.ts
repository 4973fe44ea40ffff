import fc from 'fast-check';
import { caseCounts } from '../../../../test/support/caseCounts';
import { shortenPaths } from '../../../../test/support/clickDepths';
import { crawlLinkClasses, crawlMarks, linkClasses, LinkGraph, pageStarts, unknownDepth } from './linkGraph';

type Link = { readonly source: number; readonly target: number; readonly kind: number };

/** As `rankPages` receives them from ClickHouse. */
function rowsOf(links: readonly Link[], idOf: (page: number) => number): Uint8Array {
  const bytes = Buffer.alloc(links.length * 17);
  links.forEach(({ source, target, kind }, at) => {
    bytes.writeBigUInt64LE(BigInt(idOf(source)), at * 17);
    bytes.writeBigUInt64LE(BigInt(idOf(target)), at * 17 + 8);
    bytes.writeUInt8(kind, at * 17 + 16);
  });
  return bytes;
}

const size = 12;
/** More than 32 bits, and none of them the index of its page. */
const idOf = (page: number): number => 2 ** 40 + page * 3 + 1;
/** `size` is a page that the run did not read. */
const links = fc.uniqueArray(fc.record({ source: fc.nat(size), target: fc.nat(size), kind: fc.constantFrom(...Object.values(linkClasses)) }), {
  minLength: 20,
  maxLength: 40,
  selector: ({ source, target }) => `${source} ${target}`,
});
const starts = fc.array(fc.constantFrom(pageStarts.none, pageStarts.none, ...Object.values(pageStarts)), { minLength: size, maxLength: size });

test('depths and links in are those that a search of all paths finds', () => {
  const counts = caseCounts('seed', 'linked', 'listed', 'unknown');
  fc.assert(
    fc.property(links, starts, fc.nat(40), (all, startOf, half) => {
      const graph = new LinkGraph(
        Float64Array.from(startOf, (_, page) => idOf(page)),
        Uint8Array.from(startOf),
      );
      for (const part of [all.slice(0, half), all.slice(half)]) graph.add(rowsOf(part, idOf));
      const ranked = graph.rank();

      const read = all.filter(({ source, target }) => source < size && target < size && source !== target);
      const steps = read.map(({ source, target, kind }) => ({ from: source, to: target, kind, isRedirect: kind === linkClasses.redirect }));
      const pages = [...startOf.keys()];
      const depths = new Map(pages.flatMap((page) => (startOf[page] === pageStarts.seed ? [[page, 0] as const] : [])));
      let counted = 0;
      const count = (kind: 'seed' | 'linked' | 'listed'): void => {
        counts.count(kind, depths.size - counted);
        counted = depths.size;
      };
      count('seed');
      shortenPaths(
        depths,
        steps.filter(({ kind }) => kind !== linkClasses.other),
      );
      count('linked');
      for (const page of pages) if (startOf[page] === pageStarts.sitemap && !depths.has(page)) depths.set(page, 0);
      shortenPaths(depths, steps);
      count('listed');
      counts.count('unknown', size - depths.size);
      expect([...ranked.depths]).toEqual(pages.map((page) => depths.get(page) ?? unknownDepth));
      const passing = read.filter(({ kind }) => kind === linkClasses.followed || kind === linkClasses.redirect);
      expect([...ranked.linksIn]).toEqual(pages.map((page) => passing.filter(({ target }) => target === page).length));
      expect(ranked.ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1);
    }),
  );
  counts.expectAtLeast(20);
});

/** Whether a crawl follows a link of a page. */
function isFollowed(mark: number, kind: number): boolean {
  if (kind === crawlLinkClasses.link) return mark !== crawlMarks.closed;
  return kind !== crawlLinkClasses.nofollow || (mark !== crawlMarks.gentle && mark !== crawlMarks.closed);
}
const clicksOf = ({ kind }: Link): number => (kind === crawlLinkClasses.redirect ? 0 : 1);

/** What a crawl does that meets pages in any order, as several workers do: it knows the first path to each address only, until nothing waits. */
function crawlInAnyOrder(all: readonly Link[], marks: readonly number[], most: number, pick: () => number) {
  const [read, first, waiting] = [new Set<number>(), new Map<number, number>(), [] as number[]];
  let admitted = 0;
  const meet = (page: number, depth: number): void => {
    if (first.has(page)) return;
    first.set(page, depth);
    if (depth <= most) waiting.push(page);
  };
  marks.forEach((mark, page) => mark === crawlMarks.start && meet(page, 0));
  for (;;) {
    while (waiting.length > 0) {
      const [page] = waiting.splice(pick(), 1) as [number];
      read.add(page);
      for (const one of all)
        if (one.source === page && isFollowed(marks[page] as number, one.kind)) meet(one.target, (first.get(page) as number) + clicksOf(one));
    }
    const graph = new LinkGraph(
      Float64Array.from(marks, (_, page) => idOf(page)),
      Uint8Array.from(marks),
    );
    graph.add(
      rowsOf(
        all.filter(({ source }) => read.has(source)),
        idOf,
      ),
    );
    const depths = graph.crawlDepths();
    for (const page of first.keys()) {
      const depth = depths[page] ?? unknownDepth;
      if (read.has(page) || depth > most) continue;
      first.set(page, depth);
      waiting.push(page);
      admitted += 1;
    }
    if (waiting.length === 0) return { read, admitted };
  }
}

test('a crawl in any order reads all pages within the limit of clicks', () => {
  const counts = caseCounts('read', 'admitted later', 'too deep');
  const { start, gentle, closed } = crawlMarks;
  const marks = fc.array(fc.constantFrom(0, 0, 0, gentle, closed), { minLength: size - 1, maxLength: size - 1 }).map((others) => [start, ...others]);
  // A long path, which is followed first: the newest address comes more often than the oldest.
  const path = Array.from({ length: size - 1 }, (_, page) => ({ source: page, target: page + 1, kind: crawlLinkClasses.link }));
  const picks = fc.infiniteStream(fc.constantFrom(-1, -1, 0));
  fc.assert(
    fc.property(links, marks, fc.integer({ min: 2, max: 4 }), picks, (all, markOf, most, stream) => {
      const inside = [...all.filter(({ source, target }) => source < size && target < size && source !== target), ...path];
      const { read, admitted } = crawlInAnyOrder(inside, markOf, most, () => stream.next().value as number);
      const depths = new Map(markOf.flatMap((mark, page) => (mark === start ? [[page, 0] as const] : [])));
      const followed = inside.filter(({ source, kind }) => isFollowed(markOf[source] as number, kind));
      shortenPaths(
        depths,
        followed.map((one) => ({ from: one.source, to: one.target, isRedirect: clicksOf(one) === 0 })),
      );
      const within = [...depths].flatMap(([page, depth]) => (depth <= most ? [page] : []));
      expect([...read].toSorted((a, b) => a - b)).toEqual(within.toSorted((a, b) => a - b));
      counts.count('read', read.size);
      counts.count('admitted later', admitted);
      counts.count('too deep', depths.size - read.size);
    }),
  );
  counts.expectAtLeast(5);
});
