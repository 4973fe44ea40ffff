import type { DeliveryResponse } from './response';
import type { Delivery, Step } from './step';
import { machines } from './steps/machines';
import { methods } from './steps/methods';
import { notFound } from './steps/notFound';
import { robots } from './steps/robots';
import { start } from './steps/start';
import { state } from './steps/state';

/** In order of evaluation. */
const steps: readonly Step[] = [state, methods, robots, machines, start];

/** Response of the first step that has one. */
export async function deliver(delivery: Delivery): Promise<DeliveryResponse> {
  for (const step of steps) {
    const response = await step(delivery);
    if (response) return response;
  }
  return notFound(delivery);
}
