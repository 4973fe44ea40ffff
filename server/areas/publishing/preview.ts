import type { previewEndpoints as endpoints } from '../../../contract/publishing/preview';
import { previewRoot, pseudoSuffix } from '../../../contract/publishing/preview';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { sameSecret } from '../../secrets';
import { actorOf } from '../audit';
import { endPreviewAddresses, findSite, systemHostOf } from '../sites';
import { composeParts, workingName } from './parts';
import type { ComposedParts } from './parts';
import { shippedTheme } from './themes/shipped';
import { readThemeFiles } from './themes/store';
import { shippedThemes } from '../../../contract/publishing/terms';

/** A site as the signatures of its previews cover it: with another number, none of them is valid any more. */
type PreviewedSite = { readonly id: string; readonly previewNumber: number };

const signatureOf = ({ secrets }: Pick<Context, 'secrets'>, { id, previewNumber }: PreviewedSite, expires: number): string =>
  secrets.mac('preview', `${id}\n${previewNumber}\n${expires}`);

/** Whether a token of a preview address is of this site and has neither expired nor been ended. */
export function isPreviewToken(ctx: Pick<Context, 'secrets' | 'now'>, site: PreviewedSite, token: string): boolean {
  const [, expires = '', signature = ''] = /^([1-9]\d{0,11})-([\w-]{20,100})$/.exec(token) ?? [];
  return expires !== '' && Number(expires) > ctx.now() / 1000 && sameSecret(signature, signatureOf(ctx, site, Number(expires)));
}

/** A signed address of the working copy on the site's own host. Throws `not_found` if the pages of the site are hosted elsewhere. */
export async function previewSite(
  ctx: Context,
  { site: { id }, body }: CallOf<typeof endpoints.previewSite>,
): Promise<ResponseOf<typeof endpoints.previewSite>> {
  const site = (await findSite(ctx, id)) ?? fail('not_found');
  const expires = Math.floor(ctx.now() / 1000) + body.expiresIn;
  const address = previewAddress(ctx, site, expires);
  return { address, pseudoAddress: `${address}${pseudoSuffix}`, expiresAt: new Date(expires * 1000).toISOString() };
}

/** The address of the working copy until `expires` (epoch seconds). Throws `not_found` if the pages of the site are hosted elsewhere. */
export function previewAddress(ctx: Pick<Context, 'config' | 'secrets'>, site: PreviewedSite & Parameters<typeof systemHostOf>[0], expires: number): string {
  const origin = systemHostOf(site, ctx.config) ?? fail('not_found');
  return `${origin}${previewRoot}/${String(expires)}-${signatureOf(ctx, site, expires)}`;
}

/** Ends all preview addresses of a site that were created until now. */
export const endPreviews = (ctx: Context, call: CallOf<typeof endpoints.endPreviews>): Promise<void> => endPreviewAddresses(ctx, call.site.id, actorOf(call));

/** Contents of theme files by hash. A site that never had a release may not have copies of the files of the default theme yet. */
async function readWorkingFiles(ctx: Context, siteId: string, hashes: readonly string[], base: string | null): Promise<Map<string, Buffer>> {
  const name = shippedThemes.find((one) => one === base);
  const shipped = new Map(name === undefined ? [] : [...(await shippedTheme(name)).values()].map(({ sha256, content }) => [sha256, content]));
  const stored = await readThemeFiles(
    ctx,
    siteId,
    hashes.filter((hash) => !shipped.has(hash)),
  );
  return new Map([...shipped, ...stored]);
}

export type WorkingSite = {
  /** Equal working copies have the same name. */
  readonly id: string;
  readonly parts: ComposedParts['contents'];
  /** Contents of the theme by hash. */
  readonly read: (ctx: Context, siteId: string, hashes: readonly string[]) => Promise<Map<string, Buffer>>;
};

/** The working copy of a site, as a release of it would be. */
export async function workingSite(ctx: Context, site: { readonly id: string; readonly defaultLang: string }): Promise<WorkingSite> {
  const { contents, hashes } = await composeParts(ctx.postgres.db, site);
  const { base } = contents.theme as { readonly base: string | null };
  return { id: workingName(hashes), parts: contents, read: (own, siteId, requested) => readWorkingFiles(own, siteId, requested, base) };
}
