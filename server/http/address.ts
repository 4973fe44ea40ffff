import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** `::ffff:203.0.113.9` → `203.0.113.9`; a zone (`fe80::1%eth0`) is dropped. */
export const unwrapAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

/**
 * Whether an address is one of our own proxies. `proxies`: addresses and CIDR ranges, `loopback` for this machine.
 * Goes into Fastify's `trustProxy`, which then walks X-Forwarded-For from the right to the first address not trusted.
 */
export function trustFunction(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of proxies.flatMap((p) => (p === 'loopback' ? ['127.0.0.0/8', '::1/128'] : [p]))) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) throw new Error(`TRUSTED_PROXIES: "${entry}" is neither an address nor a range such as 10.0.0.0/8`);
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return (raw) => {
    const address = unwrapAddress(raw);
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** The visitor's address: right-most one that is not a trusted proxy; the connection's own where the header holds rubbish. */
export function clientAddress(request: FastifyRequest): string {
  const claimed = unwrapAddress(request.ip);
  return isIP(claimed) === 0 ? unwrapAddress(request.socket.remoteAddress ?? '') : claimed;
}

/**
 * What limits count by: an IPv4 address, or the /64 of an IPv6 one, because that is what one customer is given and can
 * move about in freely (RFC 6177).
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
