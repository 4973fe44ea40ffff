import type { Context } from '../../context';
import { sameSecret } from '../../secrets';

/**
 * An invitation has one token and two links. The link shown to the inviter contains only the token; the mailed one adds a signature that only this installation
 * can create. Accepting through the mailed link therefore proves access to the mailbox.
 */
const seal = (ctx: Pick<Context, 'secrets'>, token: string): string => ctx.secrets.mac('invite mail', token);

export const mailedToken = (ctx: Pick<Context, 'secrets'>, token: string): string => `${token}.${seal(ctx, token)}`;

/** null: not a token of either kind. */
export function readInviteToken(ctx: Pick<Context, 'secrets'>, value: string): { readonly token: string; readonly mailed: boolean } | null {
  const [token = '', signature, ...rest] = value.split('.');
  if (rest.length > 0) return null;
  if (signature === undefined) return { token, mailed: false };
  return sameSecret(signature, seal(ctx, token)) ? { token, mailed: true } : null;
}
