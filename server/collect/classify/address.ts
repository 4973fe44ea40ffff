import { isIP } from 'node:net';
import { networkFinder } from '../../net/networks';

export type Address = {
  readonly family: 4 | 6;
  readonly text: string;
  /** Loopback, private, link-local, documentation, multicast: without a geographic location. */ readonly special: boolean;
};

const special = networkFinder([
  { address: '0.0.0.0', bits: 8, family: 'ipv4' },
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '100.64.0.0', bits: 10, family: 'ipv4' },
  { address: '127.0.0.0', bits: 8, family: 'ipv4' },
  { address: '169.254.0.0', bits: 16, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: '192.0.0.0', bits: 24, family: 'ipv4' },
  { address: '192.0.2.0', bits: 24, family: 'ipv4' },
  { address: '192.168.0.0', bits: 16, family: 'ipv4' },
  { address: '198.18.0.0', bits: 15, family: 'ipv4' },
  { address: '198.51.100.0', bits: 24, family: 'ipv4' },
  { address: '203.0.113.0', bits: 24, family: 'ipv4' },
  { address: '224.0.0.0', bits: 3, family: 'ipv4' },
  { address: '::', bits: 127, family: 'ipv6' },
  { address: '100::', bits: 64, family: 'ipv6' },
  { address: '2001:db8::', bits: 32, family: 'ipv6' },
  { address: 'fc00::', bits: 7, family: 'ipv6' },
  { address: 'fe80::', bits: 10, family: 'ipv6' },
  { address: 'ff00::', bits: 8, family: 'ipv6' },
]);

/** The eight groups of an IPv6 address; the embedded dotted form is allowed. */
const groupsOf = (text: string): number[] => {
  const hex = text.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) => `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`,
  );
  const [head = '', tail] = hex.split('::');
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const front = parse(head);
  const back = tail === undefined ? [] : parse(tail);
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
};
const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/**
 * Parses an address as written by a socket or a proxy. IPv4 embedded in IPv6 is returned as IPv4, because a database of one address family gives meaningless
 * results for the other: mapped (`::ffff:`, reported by a dual-stack socket), NAT64 (`64:ff9b::`, RFC 6052) and 6to4 (`2002:`, RFC 3056). `null` if it is not
 * an address.
 */
export const readAddress = (written: string): Address | null => {
  const text = written
    .trim()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .toLowerCase();
  const family = isIP(text);
  if (family === 4) return { family: 4, text, special: special(text, 'ipv4') };
  if (family !== 6) return null;
  const g = groupsOf(text);
  const mapped = g.slice(0, 5).every((group) => group === 0) && g[5] === 0xffff;
  const nat64 = g[0] === 0x64 && g[1] === 0xff9b && g.slice(2, 6).every((group) => group === 0);
  if (mapped || nat64) return readAddress(dotted(g[6] ?? 0, g[7] ?? 0));
  if (g[0] === 0x2002) return readAddress(dotted(g[1] ?? 0, g[2] ?? 0));
  return { family: 6, text, special: special(text, 'ipv6') };
};

/** The part of an address that a site's settings allow to use (contract/measuring/schemas.ts). */
export type AddressPolicy = 'whole' | 'last' | 'two' | 'none';

/** The part of an address that place, network and visitor hash may be derived from: all of it, its first 16 (IPv6: 32) bits, or nothing (''). */
export const usableAddress = (ip: string, policy: AddressPolicy): string => {
  if (policy === 'none') return '';
  if (policy !== 'two') return ip;
  const address = readAddress(ip);
  if (!address) return '';
  if (address.family === 4) return address.text.replace(/\d+\.\d+$/, '0.0');
  return `${groupsOf(address.text)
    .slice(0, 2)
    .map((group) => group.toString(16))
    .join(':')}::`;
};

/**
 * An address as it is stored: whole, without its most specific part (`203.0.113.x`, `2001:db8:7::x`: the /48 of a household), without more (`203.0.x.x`,
 * `2001:db8::x`), or '' (also for an invalid address).
 */
export const maskAddress = (ip: string, policy: AddressPolicy = 'last'): string => {
  const address = policy === 'none' ? null : readAddress(ip);
  if (!address) return '';
  if (policy === 'whole') return address.text;
  if (address.family === 4) return policy === 'two' ? address.text.replace(/\d+\.\d+$/, 'x.x') : address.text.replace(/\d+$/, 'x');
  return `${groupsOf(address.text)
    .slice(0, policy === 'two' ? 2 : 3)
    .map((group) => group.toString(16))
    .join(':')
    .replace(/(:0)+$/, '')}::x`;
};
