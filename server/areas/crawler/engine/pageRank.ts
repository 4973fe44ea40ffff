const rounds = 20;
const damping = 0.85;

/** Links as compressed sparse rows: the targets of page i are ordered[begin[i]] … ordered[begin[i + 1] - 1]. */
export type Outgoing = { readonly begin: Uint32Array; readonly ordered: Uint32Array };

/** The links of `size` pages by their source. `sources` are indexes of pages; each target may carry more than an index. */
export function outgoingOf(size: number, sources: Uint32Array, targets: Uint32Array): Outgoing {
  const begin = new Uint32Array(size + 1);
  for (const source of sources) begin[source + 1] = (begin[source + 1] as number) + 1;
  for (let page = 0; page < size; page += 1) begin[page + 1] = (begin[page + 1] as number) + (begin[page] as number);
  const ordered = new Uint32Array(targets.length);
  const next = begin.slice();
  for (let edge = 0; edge < sources.length; edge += 1) {
    const source = sources[edge] as number;
    ordered[next[source] as number] = targets[edge] as number;
    next[source] = (next[source] as number) + 1;
  }
  return { begin, ordered };
}

/** PageRank (Brin, Page 1998) over internal links: 20 rounds, sum 1. Links are pairs of indexes of pages, each pair once. Rank of pages without links is spread over all. */
export function pageRank(size: number, sources: Uint32Array, targets: Uint32Array): Float64Array {
  const { begin, ordered } = outgoingOf(size, sources, targets);
  let ranks = new Float64Array(size).fill(1 / Math.max(1, size));
  for (let round = 0; round < rounds; round += 1) {
    const following = new Float64Array(size);
    let dangling = 0;
    for (let page = 0; page < size; page += 1) {
      const [from, to] = [begin[page] as number, begin[page + 1] as number];
      const rank = ranks[page] as number;
      if (from === to) {
        dangling += rank;
        continue;
      }
      const share = rank / (to - from);
      for (let edge = from; edge < to; edge += 1) following[ordered[edge] as number] = (following[ordered[edge] as number] as number) + share;
    }
    const rest = (1 - damping + damping * dangling) / Math.max(1, size);
    for (let page = 0; page < size; page += 1) following[page] = rest + damping * (following[page] as number);
    ranks = following;
  }
  return ranks;
}
