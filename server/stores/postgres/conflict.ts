/** The name of the unique constraint that an insert or update violated (SQLSTATE 23505), else null. Drizzle wraps the driver's error. */
export function violatedConstraint(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if ('code' in cause && cause.code === '23505' && 'constraint' in cause && typeof cause.constraint === 'string') return cause.constraint;
  }
  return null;
}
