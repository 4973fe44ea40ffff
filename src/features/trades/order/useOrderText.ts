import { useTranslation } from 'react-i18next';
import { useMoney } from '../useTrades';
import { previewAmounts } from './orderForm';
import type { TypedOrder } from './orderForm';

type Named = readonly { readonly value: string; readonly label: string }[];

/** One field of an order as text, for comparing two versions. */
export function useOrderText(): (field: keyof TypedOrder, order: TypedOrder, people: Named, sites: Named) => string {
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (field, order, people, sites) => {
    switch (field) {
      case 'customerId':
        return people.find((one) => one.value === order.customerId)?.label ?? order.customerId;
      case 'siteId':
        return sites.find((one) => one.value === order.siteId)?.label ?? order.siteId;
      case 'kind':
        return t(`kind.${order.kind}`);
      case 'currency':
        return t(`currency.${order.currency}`);
      case 'items':
        return t('form.itemsText', {
          names: order.items.map((item) => item.name).join(t('form.comma')),
          total: money(previewAmounts(order.items, order.currency).sums.total, order.currency),
        });
      case 'title':
      case 'from':
      case 'to':
      case 'renewalNote':
      case 'dueAt':
      case 'note':
      case 'memo':
        return order[field];
    }
  };
}
