import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { networkFinder } from '../net/networks';
import type { Network } from '../net/networks';

/** `::ffff:203.0.113.9` becomes `203.0.113.9`; a zone (`fe80::1%eth0`) is dropped. */
export const unwrapAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

/** Length of the longest prefix in bits. */
const widths = { ipv4: 32, ipv6: 128 } as const;

/** `203.0.113.9`, `10.0.0.0/8`, `2001:db8::/32`; a mapped IPv4 address (`::ffff:…`) is treated as IPv4. null: neither an address nor a range. */
function rangeOf(text: string): Network | null {
  const [head = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || head.includes('%') || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const address = unwrapAddress(head);
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const width = bits === undefined ? widths[family] : Number(bits) - (address === head ? 0 : 96);
  return width < 0 || width > widths[family] ? null : { address, family, bits: width };
}

export const isAddressRange = (text: string): boolean => rangeOf(text) !== null;

/** Whether an address is in one of `ranges`. Invalid ranges contain nothing. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const within = networkFinder(ranges.map(rangeOf).filter((range) => range !== null));
  return (raw) => {
    const address = unwrapAddress(raw);
    const version = isIP(address);
    return version !== 0 && within(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * Whether an address is a trusted proxy. `proxies`: addresses and CIDR ranges, `loopback` for this machine. Used as Fastify's `trustProxy`, which then walks
 * X-Forwarded-For from the right to the first untrusted address.
 */
export function trustFunction(proxies: readonly string[]): (address: string) => boolean {
  const ranges = proxies.flatMap((proxy) => (proxy === 'loopback' ? ['127.0.0.0/8', '::1/128'] : [proxy]));
  for (const range of ranges) if (!isAddressRange(range)) throw new Error(`TRUSTED_PROXIES: "${range}" is neither an address nor a range such as 10.0.0.0/8`);
  return addressMatcher(ranges);
}

/** The visitor's address: the rightmost one that is not a trusted proxy; the connection's own address if the header is invalid. */
export function clientAddress(request: FastifyRequest): string {
  const claimed = unwrapAddress(request.ip);
  return isIP(claimed) === 0 ? unwrapAddress(request.socket.remoteAddress ?? '') : claimed;
}

/**
 * The key that limits count by: an IPv4 address, or the /64 of an IPv6 address, because one customer is assigned a /64 and can use all of its addresses (RFC
 * 6177).
 */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
