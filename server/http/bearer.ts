import type { FastifyRequest } from 'fastify';

/** The value of `Authorization: Bearer …` (RFC 6750 §2.1), or null if the header is absent. Any other content yields a value that matches no token. */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return /^Bearer +(\S{1,200}) *$/i.exec(header)?.[1] ?? '';
}
