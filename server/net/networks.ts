import { BlockList } from 'node:net';

export type Family = 'ipv4' | 'ipv6';
/** An address and the length of its network prefix in bits. */
export type Network = { readonly address: string; readonly bits: number; readonly family: Family };

/** `203.0.113.9` as a number. */
function numberOf(text: string): number {
  let sum = 0;
  let part = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      sum = sum * 256 + part;
      part = 0;
    } else part = part * 10 + code - 48;
  }
  return sum * 256 + part;
}

/**
 * Whether an address (valid for `isIP`, of that family) is in one of `networks`. Called several times per hit: `BlockList` creates objects and scans its whole
 * list, so IPv4, the most frequent family, is looked up in sorted ranges.
 */
export function networkFinder(networks: readonly Network[]): (address: string, family: Family) => boolean {
  const all = new BlockList();
  for (const { address, bits, family } of networks) all.addSubnet(address, bits, family);
  const { starts, ends } = joined(networks.filter(({ family }) => family === 'ipv4'));
  const mixed = networks.some(holdsMapped);

  return (address, family) => {
    if (family === 'ipv6') return all.check(address, family);
    const value = numberOf(address);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return (low > 0 && value < (ends[low - 1] as number)) || (mixed && all.check(address, family));
  };
}

const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');
/** An IPv6 network that overlaps with `::ffff:0:0/96`, the mapped IPv4 addresses (RFC 4291 §2.5.5.2). */
function holdsMapped({ address, bits, family }: Network): boolean {
  if (family !== 'ipv6') return false;
  const own = new BlockList();
  own.addSubnet(address, bits, family);
  return own.check('::ffff:0:0', 'ipv6') || mapped.check(address, 'ipv6');
}

/** Sorted and merged ranges, so that only the last one that begins before an address can contain it. */
function joined(networks: readonly Network[]): { starts: number[]; ends: number[] } {
  const ranges = networks.map(({ address, bits }) => {
    const size = 2 ** (32 - bits);
    const from = Math.floor(numberOf(address) / size) * size;
    return { from, to: from + size };
  });
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const last = ends.length - 1;
    if (last >= 0 && from <= (ends[last] as number)) ends[last] = Math.max(ends[last] as number, to);
    else {
      starts.push(from);
      ends.push(to);
    }
  }
  return { starts, ends };
}
