/** The driver's error with this SQLSTATE, which Drizzle wraps; null if the error is another one. */
function driverError(error: unknown, state: string): Error | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if ('code' in cause && cause.code === state) return cause;
  }
  return null;
}

/** The name of the unique constraint that an insert or update violated (SQLSTATE 23505), else null. */
export function violatedConstraint(error: unknown): string | null {
  const found = driverError(error, '23505');
  return found && 'constraint' in found && typeof found.constraint === 'string' ? found.constraint : null;
}

/** Whether a row refers to another one that does not exist (SQLSTATE 23503). */
export const violatesForeignKey = (error: unknown): boolean => driverError(error, '23503') !== null;
