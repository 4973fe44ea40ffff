import { hash } from 'node:crypto';

/**
 * The id of an address in `crawl_urls`: 53 bits of SHA-256 of site and normalized address. Two addresses of a site with ten million have one id with a probability of less than
 * 1 in 100; the second is then never requested.
 */
export function urlId(siteId: string, url: string): number {
  const digest = hash('sha256', `${siteId}\n${url}`, 'buffer');
  return (digest.readUInt32BE(0) >>> 11) * 2 ** 32 + digest.readUInt32BE(4);
}
