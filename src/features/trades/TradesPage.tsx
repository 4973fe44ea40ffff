import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchState } from '@/lib/searchState';
import { PageHeader } from '@/ui/PageHeader';
import { TabLinks } from '@/ui/TabLinks';
import { pageAddress, tabs } from './address';
import { InvoicesTab } from './invoice/InvoicesTab';
import { OrderDrawer } from './order/OrderDrawer';
import { OrdersTab } from './order/OrdersTab';
import { StatementTab } from './statement/StatementTab';
import { TitlesTab } from './invoice/TitlesTab';

/** The ledger: orders, invoices, statements and invoice titles. The open order has its own address (`?order=`), on every part. */
export function Component(): ReactElement {
  const { t } = useTranslation('trades');
  const [{ tab, order, edit }, change] = useSearchState(pageAddress);
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} />
      <TabLinks label={t('tabs.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tabs.${id}`), to: id === 'orders' ? '?' : `?tab=${id}` }))} />
      {tab === 'orders' && <OrdersTab />}
      {tab === 'invoices' && <InvoicesTab />}
      {tab === 'statement' && <StatementTab />}
      {tab === 'titles' && <TitlesTab />}
      <OrderDrawer
        id={order === '' ? null : order}
        edit={edit}
        onOpen={(id) => change({ order: id, edit: false }, 'replace')}
        onEdit={(on) => change({ edit: on }, on ? 'push' : 'replace')}
        onClose={() => change({ order: '', edit: false }, 'replace')}
      />
    </>
  );
}
