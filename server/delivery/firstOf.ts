import type { DeliveryResponse } from './response';

/** Response of the first step that has one; null if none has. */
export async function firstOf<A extends readonly unknown[]>(
  steps: readonly ((...args: A) => DeliveryResponse | null | Promise<DeliveryResponse | null>)[],
  ...args: A
): Promise<DeliveryResponse | null> {
  for (const step of steps) {
    const answer = step(...args);
    // Most steps answer at once that a request is not theirs; waiting for each would cost more than the step.
    const response = answer instanceof Promise ? await answer : answer;
    if (response) return response;
  }
  return null;
}
