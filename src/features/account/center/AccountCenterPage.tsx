import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@contract/session/schemas';
import { selectSession } from '@/features/session/sessionSlice';
import { withMessages } from '@/i18n';
import { oneOf, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { PageSkeleton, RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { useUserQuery } from '../accountApi';
import { selectUser } from '../userSlice';
import { LookSection } from './LookSection';
import { ProfileSection } from './ProfileSection';
import './center.css';

const SecurityTab = lazy(() => withMui(withMessages(import(/* webpackChunkName: "account-security" */ '../security/SecurityTab'), ['security', 'form'])));
const SessionsTab = lazy(() => withMui(import(/* webpackChunkName: "account-more" */ './SessionsTab')));
const HistoryTab = lazy(() => withMui(withMessages(import(/* webpackChunkName: "account-more" */ './HistoryTab'), ['chart'])));
const TokensTab = lazy(() => withMui(withMessages(import(/* webpackChunkName: "account-tokens" */ './TokensTab'), ['form', 'chart'])));
const NoticesTab = lazy(() => withMui(import(/* webpackChunkName: "account-more" */ './NoticesTab')));
const DataTab = lazy(() => withMui(withMessages(import(/* webpackChunkName: "account-more" */ './DataTab'), ['form'])));

const tabs = ['profile', 'security', 'sessions', 'history', 'tokens', 'notices', 'data'] as const;
type Tab = (typeof tabs)[number];
const address = { tab: oneOf(tabs, 'profile') };

const parts: Readonly<Record<Tab, (user: User) => ReactElement>> = {
  profile: (user) => (
    <>
      <ProfileSection user={user} />
      <LookSection user={user} />
    </>
  ),
  security: (user) => <SecurityTab user={user} />,
  sessions: () => <SessionsTab />,
  history: () => <HistoryTab />,
  tokens: () => <TokensTab />,
  notices: (user) => <NoticesTab user={user} />,
  data: (user) => <DataTab user={user} />,
};
/** Tables and lists are wider than forms. */
const width: Partial<Record<Tab, number>> = { history: 1040, tokens: 880 };

/** The person's own account, one tab per subject, each with its address (`?tab=`). */
export function Component(): ReactElement {
  const { t } = useTranslation('account');
  const userId = useAppSelector(selectSession)?.userId ?? '';
  const { error, isFetching, refetch } = useUserQuery({ id: userId }, { skip: userId === '' });
  const user = useAppSelector(selectUser);
  const [{ tab }] = useSearchState(address);
  if (!user) {
    if (isFailure(error) && !isFetching) return <ErrorPanel failure={error} onRetry={() => void refetch()} />;
    return <PageSkeleton kind="form" message={t('center.loading')} />;
  }
  return (
    <>
      <PageHeader title={t('center.title')} />
      <TabLinks label={t('tab.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tab.${id}`), to: id === 'profile' ? '?' : `?tab=${id}` }))} />
      <div key={tab} className="account-tab" style={{ maxWidth: width[tab] ?? 760 }}>
        <Suspense fallback={<RowsSkeleton rows={6} />}>{parts[tab](user)}</Suspense>
      </div>
    </>
  );
}
