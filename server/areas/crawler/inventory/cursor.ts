import { fail } from '../../../http/failure';

type Part = string | number;

/** A place in a list: the values that the last row is sorted by. */
const cursorOf = (parts: readonly Part[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The values of a cursor, whose types `like` gives; null at the start of a list. Throws `bad_request` if it is none of this list. */
export function positionOf<const T extends readonly Part[]>(
  before: string | undefined,
  like: T,
): { readonly [K in keyof T]: T[K] extends number ? number : string } | null {
  if (before === undefined) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(before, 'base64url').toString());
  } catch {
    return fail('bad_request');
  }
  if (!Array.isArray(parts) || parts.length !== like.length) return fail('bad_request');
  if (!like.every((one, at) => typeof parts[at] === typeof one && (typeof one !== 'number' || Number.isFinite(parts[at])))) return fail('bad_request');
  return parts as unknown as { readonly [K in keyof T]: T[K] extends number ? number : string };
}

/** The rows of one part of a list, of which one more than `size` was read, and the place of the next part. */
export function partOf<R>(found: readonly R[], size: number, placeOf: (row: R) => readonly Part[]): { rows: R[]; next: string | null } {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: found.length > size && last !== undefined ? cursorOf(placeOf(last)) : null };
}
