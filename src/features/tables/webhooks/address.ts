import { deliveryStates, webhookEvents } from '@contract/tables/webhooks';
import { flag, oneOf, text } from '@/lib/searchState';

/** State of this part in the URL: the webhook (`new`: one being created), its editor, a delivery, and the filters of the log. */
export const address = {
  hook: text('', 40),
  edit: flag(),
  delivery: text('', 20),
  state: oneOf(['all', ...deliveryStates], 'all'),
  event: oneOf(['all', ...webhookEvents, 'test'], 'all'),
};
/** None of these: the list. */
export const listAddress = { hook: '', edit: false, delivery: '', state: 'all', event: 'all' } as const;
