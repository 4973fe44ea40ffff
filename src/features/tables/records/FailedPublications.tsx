import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { usePublicationFailuresQuery } from '../tablesApi';
import { FailedPublicationsDialog } from './lazyParts';

/** Failed scheduled publications of a table, with their reasons and remedies. Renders nothing where there are none. */
export const FailedPublications = (props: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly onOpen: (record: string) => void;
  readonly onBatches: (batches: readonly string[]) => void;
}): ReactElement | null => {
  const { siteId, table } = props;
  const { t } = useTranslation('tables');
  const { data: failures = [] } = usePublicationFailuresQuery({ siteId, table: table.id }, { skip: !table.drafts });
  const [open, setOpen] = useState(false);
  if (failures.length === 0) return null;
  return (
    <>
      <div className="tables-unsaved" role="status">
        <Icon name="warning" size={16} />
        <span>{t('publications.bar', { count: failures.length })}</span>
        <PlainButton data-quiet="" onClick={() => setOpen(true)}>
          {t('edits.show')}
        </PlainButton>
      </div>
      {open && <FailedPublicationsDialog {...props} failures={failures} onClose={() => setOpen(false)} />}
    </>
  );
};
