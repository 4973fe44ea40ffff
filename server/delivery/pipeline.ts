import { deliverEdition } from './deliverEdition';
import { firstOf } from './firstOf';
import { originOf } from './origin';
import type { DeliveryResponse } from './response';
import type { Delivery, Step } from './step';
import { host } from './steps/host';
import { machines } from './steps/machines';
import { methods } from './steps/methods';
import { notFound } from './steps/notFound';
import { preview } from './steps/preview';
import { closedRobots } from './steps/robots';
import { start } from './steps/start';
import { state } from './steps/state';

/** In order of evaluation. */
const steps: readonly Step[] = [host, methods, preview, state];
/** Of a site that was never released. */
const stepsBeforeRelease: readonly Step[] = [closedRobots, machines, start];

/** Response of the first step that has one. */
export async function deliver(delivery: Delivery): Promise<DeliveryResponse> {
  const early = await firstOf(steps, delivery);
  if (early) return early;
  const { ctx, services, site } = delivery;
  const live = services.releases.live(site.id);
  const release = live instanceof Promise ? await live : live;
  if (!release) return (await firstOf(stepsBeforeRelease, delivery)) ?? notFound(delivery);
  const found = services.support.of(site.id);
  const support = found instanceof Promise ? await found : found;
  return deliverEdition(delivery, { site, release, root: '', origin: originOf(ctx, site), preview: false, filings: delivery.filings, support });
}
