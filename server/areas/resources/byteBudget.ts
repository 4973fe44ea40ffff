import { fail } from '../../http/failure';

/**
 * Returns a function that runs tasks which have files in memory, of together at most `most` bytes; a single larger one may run alone. It throws `unavailable`
 * when there is no room, before the task begins.
 */
export function byteBudget(most: number): <T>(bytes: number, task: () => Promise<T>) => Promise<T> {
  let used = 0;
  return async (bytes, task) => {
    if (used > 0 && used + bytes > most) return fail('unavailable', { retryAfter: 5 });
    used += bytes;
    try {
      return await task();
    } finally {
      used -= bytes;
    }
  };
}
