import { isIP } from 'node:net';
import type { Family, Network } from './networks';

/** Reads networks that people paste, one per line or divided by commas, and merges those that overlap or are neighbours. */

type Range = { readonly from: bigint; readonly to: bigint };
type Bits = 32 | 128;
export type RefusedLine = { readonly line: number; readonly text: string; readonly reason: 'not_an_address_range' | 'out_of_range' };
export type NetworksText = {
  /** Sorted, IPv4 first, host bits cleared. */
  readonly networks: readonly Network[];
  /** Lines that are not empty. */
  readonly lines: number;
  /** The first ones that are refused, and how many there are. `out_of_range`: a whole family (`/0`), or a prefix longer than an address. */
  readonly refused: readonly RefusedLine[];
  readonly refusedCount: number;
};

const valueOf4 = (text: string): bigint => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);

function valueOf6(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const low = dotted ? valueOf4(dotted[2] ?? '') : 0n;
  const whole = dotted ? `${dotted[1] ?? ''}${(low >> 16n).toString(16)}:${(low & 0xff_ffn).toString(16)}` : text;
  const [head = '', tail] = whole.split('::', 2);
  const digits = (part: string): string => (part === '' ? '' : part.split(':').reduce((all, group) => all + group.padStart(4, '0'), ''));
  const [left, right] = [digits(head), digits(tail ?? '')];
  return BigInt(`0x${left}${right.padStart(32 - left.length, '0')}`);
}

const text4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
/** Compressed as browsers do (RFC 5952). */
const text6 = (value: bigint): string => {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xff_ffn).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
};

const mappedFrom = 0xff_ff_00_00_00_00n;

type Parsed = { readonly bits: Bits; readonly range: Range } | RefusedLine['reason'];

function parse(text: string): Parsed {
  const [, address = '', prefix] = /^([\da-f.:]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return 'not_an_address_range';
  const bits: Bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (length > bits || length === 0) return 'out_of_range';
  const value = version === 4 ? valueOf4(address) : valueOf6(address);
  const size = 1n << BigInt(bits - length);
  const from = length === bits ? value : value - (value % size);
  const to = from + size - 1n;
  // Addresses of IPv4 within IPv6 arrive here as IPv4.
  if (bits === 128 && length >= 96 && from >> 32n === mappedFrom >> 32n) {
    return length === 96 ? 'out_of_range' : { bits: 32, range: { from: from - mappedFrom, to: to - mappedFrom } };
  }
  return { bits, range: { from, to } };
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = result.at(-1);
    if (last && range.from <= last.to + 1n) result[result.length - 1] = { from: last.from, to: range.to > last.to ? range.to : last.to };
    else result.push(range);
  }
  return result;
}

/** The fewest networks that cover a range exactly. */
function* networksOf({ from, to }: Range, bits: Bits): Generator<Network> {
  const family: Family = bits === 32 ? 'ipv4' : 'ipv6';
  for (let start = from; start <= to;) {
    let length: number = bits;
    let size = 1n;
    while (length > 1 && start % (size * 2n) === 0n && start + size * 2n - 1n <= to) {
      size *= 2n;
      length -= 1;
    }
    yield { address: bits === 32 ? text4(start) : text6(start), bits: length, family };
    start += size;
  }
}

function someNetworks(ranges: Readonly<Record<Bits, Range[]>>, most: number): Network[] {
  const networks: Network[] = [];
  for (const bits of [32, 128] as const)
    for (const range of merged(ranges[bits]))
      for (const network of networksOf(range, bits)) {
        if (networks.length >= most) return networks;
        networks.push(network);
      }
  return networks;
}

/** @param mostRefused How many refused lines are listed. @param most How many networks are returned. */
export function readNetworks(text: string, mostRefused: number, most = Infinity): NetworksText {
  /** A file may repeat one address a million times. */
  const known = new Set<string>();
  const ranges: Readonly<Record<Bits, Range[]>> = { 32: [], 128: [] };
  const refused: RefusedLine[] = [];
  let lines = 0;
  let refusedCount = 0;
  for (const [at, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const entries = (whole.split('#', 1)[0] ?? '').split(/[\s,;]+/).filter((entry) => entry !== '');
    if (entries.length > 0) lines += 1;
    for (const entry of entries) {
      if (known.has(entry)) continue;
      const parsed = parse(entry);
      if (typeof parsed !== 'string') {
        known.add(entry);
        ranges[parsed.bits].push(parsed.range);
      } else {
        refusedCount += 1;
        if (refused.length < mostRefused) refused.push({ line: at + 1, text: entry.slice(0, 60), reason: parsed });
      }
    }
  }
  return { networks: someNetworks(ranges, most), lines, refused, refusedCount };
}

/** `203.0.113.0/24`; a single address without a prefix. */
export const networkText = ({ address, bits, family }: Network): string => (bits === (family === 'ipv4' ? 32 : 128) ? address : `${address}/${String(bits)}`);

/** The addresses of a network; none if it has more than `most`. */
export function addressesIn(network: string, most: number): string[] {
  const parsed = parse(network);
  if (typeof parsed === 'string') return [];
  const { bits, range } = parsed;
  if (range.to - range.from >= BigInt(most)) return [];
  const write = bits === 32 ? text4 : text6;
  return Array.from({ length: Number(range.to - range.from) + 1 }, (_, at) => write(range.from + BigInt(at)));
}
