import { isIP } from 'node:net';

/** Whether a host name of an address is this machine's own (RFC 6761 for names below `localhost`). */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (host.startsWith('127.') && isIP(host) === 4) || host === '[::1]';
