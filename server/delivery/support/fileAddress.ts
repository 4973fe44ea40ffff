import { supportLimits } from '../../../contract/support/terms';
import type { SupportFileKind } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { expiryIn, isValid, sign } from '../../kit/challenge';

/** Addresses of files are signed: pictures of a page cannot carry the token of the visitor. */

/** Bytes of a body, with some for what is above the limit of a site, so that the answer says so. */
export const mostFileBytes = supportLimits.fileMegabytes.most * 1_000_000 + 100_000;
/** Seconds for which an address is valid at least, and in which it does not change, so that browsers may cache pictures. */
const lifetime = 6 * 3600;
const step = 3600;

const types: Readonly<Record<SupportFileKind, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  pdf: ['application/pdf'],
  text: ['text/plain'],
};
/** What the dialog of a browser offers; files are accepted by their content. */
export const acceptedTypes = (kinds: readonly SupportFileKind[]): string[] => kinds.flatMap((kind) => types[kind]);

const signedFor = (id: string) => ({ purpose: 'support file', subject: id });

/** The address of a file, relative to the calls of visitors. */
export function filePath(ctx: Pick<Context, 'secrets' | 'now'>, id: string): string {
  const until = Math.ceil(Number(expiryIn(ctx, lifetime)) / step) * step;
  return `files/${id}/${sign(ctx, signedFor(id), String(until))}`;
}

/** Whether an address was signed for the file and has not expired. */
export const isFileKey = (ctx: Pick<Context, 'secrets' | 'now'>, id: string, key: string): boolean => isValid(ctx, signedFor(id), key);
