import fc from 'fast-check';
import { caseCounts } from '../../../../test/support/caseCounts';
import { shortenPaths } from '../../../../test/support/clickDepths';
import { linkClasses, LinkGraph, pageStarts, unknownDepth } from './linkGraph';

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
