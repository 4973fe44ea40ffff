import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import { PlainButton } from '@/ui/PlainButton';

function AddLink(): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  return (
    <Link className="plain-button" data-primary="" to={href('home.create.empty')}>
      {t('sites:add')}
    </Link>
  );
}

type NoSitesProps = {
  readonly total: number;
  readonly show: 'active' | 'archived';
  readonly q: string;
  /** By state or tag. */
  readonly filtered: boolean;
  readonly mayCreate: boolean;
  readonly onClear: () => void;
  readonly onUnfilter: () => void;
  readonly onArchived: () => void;
};

/** Why the list is empty, and one next step. */
export default function NoSites({ total, show, q, filtered, mayCreate, onClear, onUnfilter, onArchived }: NoSitesProps): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  if (q !== '') {
    return (
      <EmptyState kind="noMatch" title={t('empty.noMatch', { q })} action={<PlainButton onClick={onClear}>{t('sites:search.clear')}</PlainButton>}>
        {t('empty.noMatchText')}
      </EmptyState>
    );
  }
  if (filtered)
    return <EmptyState kind="noMatch" title={t('empty.noFiltered')} action={<PlainButton onClick={onUnfilter}>{t('empty.unfilter')}</PlainButton>} />;
  if (show === 'archived') return <EmptyState title={t('empty.archived')}>{t('empty.archivedText')}</EmptyState>;
  if (total > 0) {
    return (
      <EmptyState title={t('empty.noActive')} action={<PlainButton onClick={onArchived}>{t('empty.showArchived')}</PlainButton>}>
        {t('empty.noActiveText')}
      </EmptyState>
    );
  }
  if (!mayCreate)
    return (
      <EmptyState kind="noRight" ghost="cards" title={t('empty.noneForMe')}>
        {t('empty.noneForMeText')}
      </EmptyState>
    );
  return (
    <EmptyState ghost="cards" title={t('empty.none')} action={<AddLink />}>
      {t('empty.noneText')}
    </EmptyState>
  );
}
