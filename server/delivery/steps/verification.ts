import { etagOf } from '../response';
import type { DeliveryResponse } from '../response';
import type { Delivery } from '../step';

const types: Readonly<Record<string, string>> = { html: 'text/html', xml: 'application/xml', txt: 'text/plain' };

/**
 * Files by which services recognise who controls a site, on every host of the site and whatever its state, because a service asks within minutes and often before
 * anything is published. Their contents are written by people: a browser runs nothing of them and gives them no origin.
 */
export async function verification({ services, site, method, path }: Delivery): Promise<DeliveryResponse | null> {
  const [, name = '', extension = ''] = /^\/([\w-]{4,120}\.(html|xml|txt))$/.exec(path) ?? [];
  if (name === '' || (method !== 'GET' && method !== 'HEAD') || site.state === 'deleted' || site.state === 'suspended') return null;
  const content = (await services.proofs.of(site.id)).files.get(name);
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
