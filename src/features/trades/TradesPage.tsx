import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { useSearchState, writeSearch } from '@/lib/searchState';
import { PageHeader } from '@/ui/PageHeader';
import { TabLinks } from '@/ui/TabLinks';
import { pageAddress, tabs } from './address';
import { InvoicesTab } from './invoice/InvoicesTab';
import { OrderDrawer } from './order/OrderDrawer';
import { OrdersTab } from './order/OrdersTab';
import { StatementTab } from './statement/StatementTab';
import { TitlesTab } from './invoice/TitlesTab';
import { useTradeRights } from './useTrades';

/** The ledger: orders, invoices, statements and billing details. The open order has its own address (`?order=`), on every tab. */
export function Component(): ReactElement {
  const { t } = useTranslation('trades');
  const [params] = useSearchParams();
  const [{ tab, order, edit, ask }, change] = useSearchState(pageAddress);
  const { write } = useTradeRights();
  const lead = (text: string, to: Parameters<typeof writeSearch<typeof pageAddress>>[2]) => (
    <Button component={Link} to={`?${writeSearch(pageAddress, params, to).toString()}`} variant="contained" preventScrollReset>
      {text}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        note={t('lead')}
        actions={tab === 'orders' ? write && lead(t('orders.add'), { order: 'new', edit: false }) : tab === 'invoices' && lead(t('invoice.ask'), { ask: true })}
      />
      <TabLinks label={t('tabs.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tabs.${id}`), to: id === 'orders' ? '?' : `?tab=${id}` }))} />
      {tab === 'orders' && <OrdersTab />}
      {tab === 'invoices' && <InvoicesTab asking={ask} onAsked={() => change({ ask: false }, 'replace')} />}
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
