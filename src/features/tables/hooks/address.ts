import { deliveryStates, hookEvents } from '@contract/tables/webhooks';
import { flag, oneOf, text } from '@/lib/searchState';

/** What of the part stands in the address: the webhook (`new`: one that is being made), its editor, a delivery, and how the log is narrowed. */
export const address = {
  hook: text('', 40),
  edit: flag(),
  delivery: text('', 20),
  state: oneOf(['all', ...deliveryStates], 'all'),
  event: oneOf(['all', ...hookEvents, 'test'], 'all'),
};
/** Nothing of it: the list. */
export const nowhere = { hook: '', edit: false, delivery: '', state: 'all', event: 'all' } as const;
