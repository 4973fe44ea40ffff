import type { DeliveryResponse } from './response';

/** Response of the first step that has one; null if none has. */
export async function firstOf<A extends readonly unknown[]>(
  steps: readonly ((...args: A) => DeliveryResponse | null | Promise<DeliveryResponse | null>)[],
  ...args: A
): Promise<DeliveryResponse | null> {
  for (const step of steps) {
    const response = await step(...args);
    if (response) return response;
  }
  return null;
}
