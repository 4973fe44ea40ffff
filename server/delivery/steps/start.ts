import { startPage } from '../pages';
import { pageResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Delivery, Step } from '../step';

const startOf = async ({ services, site, filings }: Delivery): Promise<DeliveryResponse> =>
  pageResponse(200, startPage(site, filings, (await services.proofs.of(site.id)).head));

export const start: Step = (delivery) => (delivery.path === '/' ? startOf(delivery) : null);
