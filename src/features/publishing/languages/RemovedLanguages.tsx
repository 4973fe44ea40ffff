import { Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RemovedLanguage } from '@contract/publishing/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { isFailure } from '@/lib/failure';
import { useLanguageRemovalsQuery, useRestoreLanguageMutation } from '../publishingApi';
import { SettingRow } from '../SettingRow';

type Props = { readonly siteId: string; readonly readOnly: boolean };

function Removed({ siteId, readOnly, row }: Props & { readonly row: RemovedLanguage }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const language = useLanguageName()(row.tag);
  const [restore, { isLoading }] = useRestoreLanguageMutation();
  const bring = async (): Promise<void> => {
    const { error } = await restore({ siteId, tag: row.tag });
    if (error !== undefined) notifyFailure(dispatch, error);
    else dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:languages.restored', values: { language } } }));
  };
  const date = format.relative(row.removedAt);
  const removed = row.by === null ? t('languages.removedAt', { date }) : t('languages.removedBy', { date, who: row.by });
  const due = row.purging ? t('languages.purging') : t('languages.purgedAt', { date: format.date(row.purgeAt, { weekday: false }) });
  return (
    <SettingRow
      name={language}
      detail={`${removed} · ${due}`}
      actions={
        !readOnly &&
        !row.purging && (
          <Button size="small" disabled={isLoading} aria-label={t('languages.restoreOf', { language })} onClick={() => void bring()}>
            {t('languages.restore')}
          </Button>
        )
      }
    />
  );
}

/** Languages that were removed, until their texts are deleted. */
export function RemovedLanguages(props: Props): ReactElement | null {
  const { t } = useTranslation('publishing');
  const { data, error } = useLanguageRemovalsQuery({ siteId: props.siteId });
  if (isFailure(error)) return <ErrorPanel failure={error} />;
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <section>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {t('languages.removed')}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {t('languages.removedNote')}
      </Typography>
      <ul className="address-list" aria-label={t('languages.removed')}>
        {data.rows.map((row) => (
          <Removed key={row.tag} {...props} row={row} />
        ))}
      </ul>
    </section>
  );
}
