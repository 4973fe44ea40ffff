import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config';
import { isLoopback } from '../loopback';

/** `__Host-` requires https. `readConfig` refuses plain http to other machines unless it is explicitly allowed. */
export const sessionCookieNames = ['__Host-sid', 'sid'] as const;

export type CookieStyle = {
  readonly session: (typeof sessionCookieNames)[number];
  /** Records that a person has signed in from this browser before; grants no access by itself. */
  readonly device: '__Host-device' | 'device';
  readonly options: CookieSerializeOptions;
  /** The cookie is sent unencrypted over a network. */
  readonly insecure: boolean;
};

export function cookieStyle(config: Pick<Config, 'publicUrl'>): CookieStyle {
  const { protocol, hostname } = new URL(config.publicUrl);
  const secure = protocol === 'https:';
  return {
    session: secure ? '__Host-sid' : 'sid',
    device: secure ? '__Host-device' : 'device',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
    insecure: !secure && !isLoopback(hostname),
  };
}
