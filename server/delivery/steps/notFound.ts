import { lostPage } from '../pages';
import { pageResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Delivery } from '../step';

export const notFound = ({ site }: Delivery): DeliveryResponse => pageResponse(404, lostPage(site));
