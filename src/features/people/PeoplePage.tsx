import { Button } from '@mui/material';
import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { selectMay } from '@/features/session/sessionSlice';
import { flag, oneOf, useSearchState } from '@/lib/searchState';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { InviteDialog } from './InviteDialog';
import { PeopleTab } from './PeopleTab';
import { usePeopleLive } from './usePeopleLive';
import { useInvitesQuery } from './peopleApi';

const InvitesTab = lazy(() => import(/* webpackChunkName: "people-more" */ './InvitesTab'));
const GrantsTab = lazy(() => import(/* webpackChunkName: "people-more" */ './GrantsTab'));
const AuditTab = lazy(() => import(/* webpackChunkName: "people-audit" */ './audit/AuditTab'));
const PolicyTab = lazy(() => import(/* webpackChunkName: "people-more" */ './PolicyTab'));

const tabs = ['people', 'invites', 'grants', 'audit', 'policy'] as const;
type Tab = (typeof tabs)[number];
const address = { tab: oneOf(tabs, 'people'), invite: flag() };
const parts: Readonly<Record<Tab, () => ReactElement>> = {
  people: () => <PeopleTab />,
  invites: () => <InvitesTab />,
  grants: () => <GrantsTab />,
  audit: () => <AuditTab />,
  policy: () => <PolicyTab />,
};

/** Who may sign in and what they may do, one tab per subject, each with its address. */
export function Component(): ReactElement {
  const { t } = useTranslation('people');
  const [{ tab, invite }, change] = useSearchState(address);
  const mayManage = useAppSelector((state) => selectMay(state, 'people.manage'));
  const mayAudit = useAppSelector((state) => selectMay(state, 'audit.read'));
  const { data: invites } = useInvitesQuery();
  usePeopleLive();
  const visible = tabs.filter((one) => one !== 'audit' || mayAudit);
  const count = { invites: invites?.filter((one) => one.state === 'open').length ?? 0 } as const;
  return (
    <>
      <PageHeader
        title={t('title')}
        note={t('lead')}
        actions={
          mayManage && (
            <Button variant="contained" onClick={() => change({ invite: true })}>
              {t('invite.open')}
            </Button>
          )
        }
      />
      <TabLinks
        label={t('tab.label')}
        current={tab}
        tabs={visible.map((id) => ({
          id,
          name: t(`tab.${id}`),
          to: id === 'people' ? '?' : `?tab=${id}`,
          ...(id === 'invites' && { count: count.invites }),
        }))}
      />
      <Suspense key={tab} fallback={<RowsSkeleton rows={8} />}>
        {parts[tab]()}
      </Suspense>
      {mayManage && invite && <InviteDialog onClose={() => change({ invite: false }, 'replace')} />}
    </>
  );
}
