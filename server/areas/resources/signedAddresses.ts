import { captionAddress, posterAddress, resourceAddress } from '../../../contract/resources/addresses';
import type { resourceEndpoints as endpoints } from '../../../contract/resources/schemas';
import { isBlocked, resourcePresetNames, videoFormats } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { systemHostOf } from '../sites';
import { captionHash } from './captions';
import { isConfidential } from './confidential';
import { captionsOf, findPoster } from './mediaQueries';
import * as queries from './queries';
import type { ResourceRow } from './queries';
import { signedQuery, signedTrack } from './signatures';
import type { Signed } from './signatures';

/** Size of a poster in a page, as the HTML that the console copies has it. */
const posterPreset = 'large';

type Signing = { readonly origin: string; readonly expires: number };
type Addresses = ResponseOf<typeof endpoints.signResource>;

/** What a page needs to show a video. Each address has a signature of its own, so that none gives access to more. */
async function signCompanions(ctx: Context, row: ResourceRow, { origin, expires }: Signing): Promise<Pick<Addresses, 'poster' | 'captions'>> {
  const { db } = ctx.postgres;
  const query = (signed: Pick<Signed, 'sha256' | 'variant'>): string =>
    signedQuery(ctx, { siteId: row.siteId, id: row.id, ...signed, download: null }, expires);
  const poster = row.posterSha256 === null ? null : await findPoster(db, row.siteId, row.posterSha256);
  const captions = await captionsOf(db, row.id);
  return {
    poster:
      poster && !isBlocked(poster)
        ? posterAddress({ ...row, origin, posterSha256: poster.sha256 }, posterPreset) + query({ sha256: poster.sha256, variant: posterPreset })
        : null,
    captions: captions.map(({ language, use, label, source }) => ({
      language,
      use,
      label,
      address: captionAddress({ origin, id: row.id, language, use }) + query({ sha256: captionHash(source), variant: signedTrack({ language, use }) }),
    })),
  };
}

/**
 * An address of the current version that works until a time, and those of the poster and captions of a video. They are on the site's own host, or on the
 * console's if the site's pages are hosted elsewhere.
 */
export async function signResource(ctx: Context, { site, params, body }: CallOf<typeof endpoints.signResource>): Promise<Addresses> {
  const { row, blob } = (await queries.findResource(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  const { preset: variant, downloadAs: download } = body;
  if (
    row.deletedAt !== null ||
    isConfidential(row) ||
    isBlocked(blob) ||
    (resourcePresetNames.some((one) => one === variant) && blob.kind !== 'image') ||
    (videoFormats.some((one) => one === variant) && blob.kind !== 'video')
  )
    return fail('not_found');
  const expires = Math.floor(ctx.now() / 1000) + body.expiresIn;
  const origin = systemHostOf(site.row, ctx.config) ?? ctx.config.publicUrl;
  const address = resourceAddress({ ...row, name: download ?? row.name, origin, preset: variant });
  return {
    address: address + signedQuery(ctx, { siteId: site.id, id: row.id, sha256: row.sha256, variant, download }, expires),
    expiresAt: new Date(expires * 1000).toISOString(),
    ...(blob.kind === 'video' ? await signCompanions(ctx, row, { origin, expires }) : { poster: null, captions: [] }),
  };
}
