import type { RouteNode } from './types';

/** Pages of the person and of the installation. */
export const accountRoutes = {
  id: 'account',
  path: 'account',
  title: 'account',
  redirect: 'center/account_center',
  plain: true,
  children: [
    {
      id: 'account.center',
      path: 'center/account_center',
      title: 'center',
      load: () => import(/* webpackChunkName: "account-center" */ '@/features/account/center/AccountCenterPage'),
      chunk: 'account-center',
      plain: true,
      messages: ['account'],
      skeleton: 'form',
      nav: { group: 'account', icon: 'person' },
    },
    {
      id: 'account.users',
      path: 'users/account_users',
      title: 'users',
      load: () => import(/* webpackChunkName: "account-users" */ '@/features/people/PeoplePage'),
      chunk: 'account-users',
      messages: ['people', 'audit', 'form', 'chart'],
      needs: { instance: 'people.read' },
      nav: { group: 'account', icon: 'people' },
    },
    {
      id: 'account.contacts',
      path: 'contacts/account_contacts',
      title: 'contacts',
      load: () => import(/* webpackChunkName: "account-contacts" */ '@/features/contacts/ContactsPage'),
      chunk: 'account-contacts',
      messages: ['contacts', 'form', 'chart'],
      needs: { instance: 'contacts.read' },
      nav: { group: 'account', icon: 'contacts' },
    },
    {
      id: 'account.trades',
      path: 'trades/account_trades',
      title: 'trades',
      load: () => import(/* webpackChunkName: "account-trades" */ '@/features/trades/TradesPage'),
      chunk: 'account-trades',
      messages: ['trades', 'form', 'chart'],
      needs: { instance: 'trades.read' },
      nav: { group: 'account', icon: 'receipt' },
    },
  ],
} as const satisfies RouteNode;
