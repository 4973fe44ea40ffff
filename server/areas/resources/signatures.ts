import type { DeliveredVariant } from '../../../contract/resources/addresses';
import type { CaptionUse } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import { sameSecret } from '../../secrets';

/** Captions of a video in one language, as the variant that a signature names. */
type SignedTrack = `captions/${string}.${CaptionUse}`;
export const signedTrack = ({ language, use }: { readonly language: string; readonly use: CaptionUse }): SignedTrack => `captions/${language}.${use}`;

/**
 * What a signed address delivers: one variant of one content, whatever replaces it later. `sha256`: of the content, of the poster, or of the text of captions.
 * `download`: the name under which it is downloaded, null to show it.
 */
export type Signed = {
  readonly siteId: string;
  readonly id: string;
  readonly sha256: string;
  readonly variant: DeliveredVariant | SignedTrack;
  readonly download: string | null;
};
type Clock = Pick<Context, 'secrets' | 'now'>;

const signatureOf = ({ secrets }: Pick<Context, 'secrets'>, { siteId, id, sha256, variant, download }: Signed, expires: number): string =>
  secrets.mac('resource-address', [siteId, id, sha256, variant, expires, ...(download === null ? [] : [download])].join('\n'));

/** Query of a signed address. `expires`: epoch seconds. */
export const signedQuery = (ctx: Pick<Context, 'secrets'>, signed: Signed, expires: number): string =>
  `?e=${expires}&s=${signatureOf(ctx, signed, expires)}${signed.download === null ? '' : `&n=${encodeURIComponent(signed.download)}`}`;

/** Seconds for which a signed address still works; null if the signature is wrong or has expired. */
export function secondsLeft(ctx: Clock, signed: Signed, { e, s }: { readonly e?: unknown; readonly s?: unknown }): number | null {
  if (typeof e !== 'string' || typeof s !== 'string' || !/^[1-9]\d{0,11}$/.test(e)) return null;
  const left = Number(e) - Math.floor(ctx.now() / 1000);
  return left > 0 && sameSecret(s, signatureOf(ctx, signed, Number(e))) ? left : null;
}

/** Headers that restrict which pages may load a file: a public file may be loaded by any page, a signed one by pages of its origin. `seconds`: left of the signature; null: public. */
export const openness = (seconds: number | null): Readonly<Record<string, string>> =>
  seconds === null ? { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' } : { 'cross-origin-resource-policy': 'same-origin' };
