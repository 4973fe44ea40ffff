import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useRemoveSiteImportMutation, useSiteImportsQuery } from './siteImportApi';

/** Imports that the person has begun, to continue, read their report or undo them. */
export function ImportList({ onOpen }: { readonly onOpen: (id: string) => void }): ReactElement | null {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { data = [] } = useSiteImportsQuery();
  const [remove] = useRemoveSiteImportMutation();
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="import-earlier">
      <h2 id="import-earlier">{t('list.title')}</h2>
      <ul className="import-list">
        {data.map(({ id, name, state, createdAt }) => (
          <li key={id}>
            <button type="button" onClick={() => onOpen(id)}>
              {name}
            </button>
            <span className="import-quiet">{`${t(`state.${state}`)} · ${format.dateTime(createdAt)}`}</span>
            {!['detecting', 'running', 'undoing'].includes(state) && (
              <Button
                size="small"
                aria-label={t('list.removeNamed', { name })}
                onClick={() => void remove({ id }).then(({ error }) => notifyFailure(dispatch, error))}
              >
                {t('list.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
