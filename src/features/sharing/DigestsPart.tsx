import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Digests } from '@contract/digests/schemas';
import type { Site } from '@contract/sites/schemas';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { AlertRecipients, RecipientCount } from './RecipientCount';
import { SentList } from './SentList';
import { useDigestsQuery } from './digestsApi';

/** Reports or alerts: the subject, the recipients, the settings, and what was sent. */
export function DigestsPart({
  site,
  part,
  children,
}: {
  readonly site: Site;
  readonly part: 'reports' | 'alerts';
  readonly children: (digests: Digests) => ReactElement;
}): ReactElement {
  const { t } = useTranslation('sharing');
  const result = useDigestsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Typography variant="body2" sx={{ maxWidth: 640, mb: 2, color: 'text.secondary' }}>
        {t(`${part}.lead`)}
      </Typography>
      <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
        {(digests) => (
          <>
            {part === 'reports' ? (
              <RecipientCount count={digests.hearers.report} mail={digests.mail} part="reports" />
            ) : (
              <AlertRecipients people={digests.people} contacts={digests.hearers.traffic} mail={digests.mail} />
            )}
            {children(digests)}
            <SentList sent={digests.sent.filter(({ kind }) => (kind === 'alert') === (part === 'alerts'))} />
          </>
        )}
      </ResultState>
    </>
  );
}
