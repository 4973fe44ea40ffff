import { etagOf } from './response';
import type { DeliveryResponse } from './response';
import type { Services } from './services';
import type { Arrival } from './step';

const types: Readonly<Record<string, string>> = { html: 'text/html', xml: 'application/xml', txt: 'text/plain' };
const pattern = /^\/([\w-]{4,120}\.(html|xml|txt))$/;

async function fileOf(proofs: Services['proofs'], { site }: Arrival, name: string, extension: string): Promise<DeliveryResponse | null> {
  const content = (await proofs.of(site.id)).files.get(name);
  if (content === undefined) return null;
  return {
    status: 200,
    headers: {
      'content-type': `${types[extension] ?? 'text/plain'}; charset=utf-8`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      etag: etagOf(content),
    },
    body: content,
  };
}

/**
 * Files by which services recognise who controls a site, on every host of the site, whatever its state and from every country, because a service asks within minutes
 * and often before anything is published. Their contents are written by people: a browser runs nothing of them and gives them no origin. Null for all other requests.
 */
export function verification(arrival: Arrival, { proofs }: Pick<Services, 'proofs'>): Promise<DeliveryResponse | null> | null {
  const { method, path, site } = arrival;
  const [, name = '', extension = ''] = pattern.exec(path) ?? [];
  if (name === '' || (method !== 'GET' && method !== 'HEAD') || site.state === 'deleted' || site.state === 'suspended') return null;
  return fileOf(proofs, arrival, name, extension);
}
