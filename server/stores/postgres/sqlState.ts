/** SQLSTATE of an error of the database, else null. Drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ('code' in cause && typeof cause.code === 'string' && /^[0-9A-Z]{5}$/.test(cause.code)) return cause.code;
  return null;
}

/** What a statement was prepared for, a column, a table, a type, an operator of a type: gone, or another one by now. */
const redefined = new Set(['0A000', '42703', '42P01', '42804', '42883']);
/** A statement that was made from definitions which have changed meanwhile. */
export const isRedefined = (error: unknown): boolean => redefined.has(sqlState(error) ?? '');
