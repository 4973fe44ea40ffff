import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { AuditLine } from '@/features/people/audit/AuditLine';
import { href } from '@/routes/paths';
import { CardSection, Quiet } from './CardSection';
import type { Dashboard } from './useDashboard';

/** What people and the program changed lately. */
export const ActivityCard = ({ dashboard }: { dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  return (
    <CardSection
      id="activity"
      dashboard={dashboard}
      title={t('card.activity')}
      more={`${href('account.users')}?tab=audit`}
      columns={12}
      empty={<Quiet>{t('activity.empty')}</Quiet>}
    >
      {({ rows }) => (
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label={t('card.activity')}>
          {rows.map((entry) => (
            <AuditLine key={entry.id} entry={entry} personName={() => undefined} />
          ))}
        </ul>
      )}
    </CardSection>
  );
};
