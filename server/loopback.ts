import { isIP } from 'node:net';

/** Whether a host name refers to this machine (RFC 6761 for names below `localhost`). */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (host.startsWith('127.') && isIP(host) === 4) || host === '[::1]';
