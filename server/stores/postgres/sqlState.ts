/** SQLSTATE of a database error, else null. Drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ('code' in cause && typeof cause.code === 'string' && /^[0-9A-Z]{5}$/.test(cause.code)) return cause.code;
  return null;
}

/** Errors if something that a statement was prepared for (a column, table, type or operator) was dropped or replaced. */
const redefined = new Set(['0A000', '42703', '42P01', '42804', '42883']);
/** Whether a statement failed because the definitions it was built from have changed in the meantime. */
export const isRedefined = (error: unknown): boolean => redefined.has(sqlState(error) ?? '');
