import { previewRoot, pseudoSuffix } from '../../../contract/publishing/preview';
import { isOpen } from '../../../contract/sites/terms';
import { parseUrl } from '../../../contract/parseUrl';
import { isPreviewToken } from '../../areas/publishing';
import { deliverEdition } from '../deliverEdition';
import { originOf } from '../origin';
import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Arrival, Delivery, Step } from '../step';

type PreviewPath = { readonly token: string; readonly pseudo: boolean; readonly rest: string };
/** `/_p/<token>/…`, in the pseudo-language `/_p/<token>.pseudo/…`: the token, and the path of the page. */
function partsOf(path: string): PreviewPath | null {
  const [, token, suffix, rest = ''] = /^\/_p\/([^/.]{1,200})(\.pseudo)?(\/.*)?$/s.exec(path) ?? [];
  return token === undefined ? null : { token, pseudo: suffix !== undefined, rest };
}

const isValid = ({ ctx, site }: Pick<Arrival, 'ctx' | 'site'>, token: string): boolean => isOpen(site.state) && isPreviewToken(ctx, site, token);

/** Whether a page of a preview requests a file. Who may see the page may see its pictures, even if the site is closed to visitors. */
export function isForPreview({ ctx, site, request }: Arrival): boolean {
  const { referer = '' } = request.headers;
  const from = parseUrl(referer);
  const parts = from === null ? null : partsOf(from.pathname);
  return parts !== null && isValid({ ctx, site }, parts.token);
}

async function workingPage(delivery: Delivery, { token, pseudo, rest }: PreviewPath): Promise<DeliveryResponse> {
  const { ctx, services, site } = delivery;
  const release = await services.releases.working(site);
  const origin = originOf(ctx, site);
  // As under the main address: previews stand at the system host.
  const filings = await services.filings.of(site.id, new URL(origin).hostname);
  const edition = { site, release, root: `${previewRoot}/${token}${pseudo ? pseudoSuffix : ''}`, origin, preview: true, pseudo, filings };
  const response = await deliverEdition({ ...delivery, path: rest === '' ? '/' : rest }, edition);
  // Pages that say that something is missing or wrong are framed too.
  const policy = response.headers['content-security-policy']?.replace(/frame-ancestors [^;]*/, `frame-ancestors ${new URL(ctx.config.publicUrl).origin}`);
  const framed = policy === undefined ? {} : { 'content-security-policy': policy };
  return {
    ...response,
    headers: { ...response.headers, ...framed, 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' },
  };
}

/**
 * The working copy at `/_p/<token>/…`, for everybody who has an address that is signed and has not expired. Nothing of it is stored or indexed, and only the console
 * may frame it.
 */
export const preview: Step = (delivery) => {
  const { path } = delivery;
  if (!path.startsWith(previewRoot)) return null;
  const parts = partsOf(path);
  if (parts === null) return path === previewRoot || path.startsWith(`${previewRoot}/`) ? plainResponse(404, '') : null;
  return isValid(delivery, parts.token) ? workingPage(delivery, parts) : plainResponse(404, '');
};
