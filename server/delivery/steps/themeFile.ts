import { readThemeFile, themeFileStream } from '../../areas/publishing';
import { openPageContext, renderStyles } from '../render';
import type { Edition } from '../edition';
import type { ThemeAsset } from '../release';
import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import { storedResponse } from '../stored';
import type { Delivery, EditionStep } from '../step';

/** By extension; other files of a theme are not delivered. Documents that run scripts are not among them. */
const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
};
const isText = (contentType: string): boolean => /^text\/|json|svg/.test(contentType);
const immutable = 'public, max-age=31536000, immutable';

async function textOf(delivery: Delivery, edition: Edition, asset: ThemeAsset): Promise<string> {
  if (asset.isTemplate) {
    const context = await openPageContext(delivery.services, edition, edition.release.languages[0] ?? 'en');
    return renderStyles(delivery.services, context, asset.path);
  }
  return (await readThemeFile(delivery.ctx, edition.site.id, asset.sha256)).toString();
}

/** A file of `assets` of the theme at `/_t/<hash>/<name>`, for a year: another content has another address. */
export const themeFile: EditionStep = (delivery, edition) => {
  if (!delivery.path.startsWith('/_t/')) return null;
  const [, hash, encodedName = ''] = /^\/_t\/([\da-f]{16})\/(.{1,300})$/.exec(delivery.path) ?? [];
  return hash === undefined ? plainResponse(404, '') : assetAt(delivery, edition, hash, encodedName);
};

async function assetAt(delivery: Delivery, edition: Edition, hash: string, encodedName: string): Promise<DeliveryResponse | null> {
  const asset = edition.release.theme?.assets.get(decoded(encodedName));
  const contentType = contentTypes[/\.(\w+)$/.exec(asset?.name ?? '')?.[1]?.toLowerCase() ?? ''];
  // A page of the release before may still be open while another one is published: what it needs is usually the same.
  if (!asset || contentType === undefined) return plainResponse(404, '');
  const headers = {
    'content-type': contentType,
    'cache-control': asset.hash === hash ? immutable : 'public, max-age=0, must-revalidate',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  if (!isText(contentType)) return streamed(delivery, edition, asset, headers);
  const key = { path: `/_t/${asset.hash}/${asset.name}`, language: '' };
  const response = await storedResponse(delivery, edition, key, async () => ({
    status: 200,
    headers: { 'content-type': contentType },
    text: await textOf(delivery, edition, asset),
  }));
  return response && { ...response, headers: response.status === 200 ? { ...response.headers, ...headers } : response.headers };
}

const streamed = (delivery: Delivery, edition: Edition, asset: ThemeAsset, headers: Readonly<Record<string, string>>): DeliveryResponse => ({
  status: 200,
  headers: { ...headers, etag: `"${asset.sha256.slice(0, 32)}"` },
  body: themeFileStream(delivery.ctx, edition.site.id, asset.sha256),
});

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}
