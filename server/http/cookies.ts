import { isIP } from 'node:net';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config';

/** decisions.md 12: `__Host-` needs https; plain http is for this machine, elsewhere only when asked for. */
export const sessionCookieNames = ['__Host-sid', 'sid'] as const;

export type CookieStyle = {
  readonly session: (typeof sessionCookieNames)[number];
  /** Remembers that a person has signed in from this browser before; opens nothing by itself. */
  readonly device: '__Host-device' | 'device';
  readonly options: CookieSerializeOptions;
  /** The cookie travels readable over a network. */
  readonly insecure: boolean;
};

const isLoopback = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost') || (host.startsWith('127.') && isIP(host) === 4) || host === '[::1]';

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
