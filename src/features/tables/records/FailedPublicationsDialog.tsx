import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicationFailure } from '@contract/tables/publications';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { encodeFieldError } from '@/ui/form/fieldError';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { useFieldEnv } from '../fieldTypes/env';
import { useDiscardPublicationMutation, useRetryPublicationMutation } from '../tablesApi';

/** Why a scheduled publication failed: its own reason, or the errors of the record's fields. */
function useReasons(table: ContentTable): (failure: PublicationFailure) => readonly string[] {
  const { t } = useTranslation('tables');
  const say = useFieldErrorMessage();
  return ({ errors, reason }) =>
    errors.length === 0
      ? [t(`publications.reason.${reason}`)]
      : errors.map(({ field, code, message, min, max }) => {
          const known = table.fields.find((other) => other.id === field);
          const fieldError = { code, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
          return `${known?.title ?? ''} · ${message ?? say(encodeFieldError(fieldError)) ?? t('publications.reason.invalid')}`;
        });
}

type ItemProps = {
  readonly table: ContentTable;
  readonly failure: PublicationFailure;
  readonly busy: boolean;
  readonly onPublish: () => void;
  readonly onOpen: () => void;
  readonly onDiscard: () => void;
};

const FailedItem = ({ table, failure, busy, onPublish, onOpen, onDiscard }: ItemProps): ReactElement => {
  const { t } = useTranslation('tables');
  const { format, timeZone } = useFieldEnv();
  const reasons = useReasons(table);
  const { label, by, dueAt } = failure;
  const when = format.dateTime(dueAt, { timeZone });
  return (
    <li>
      <b>{label === null || label === '' ? t('cards.untitled') : label}</b>
      <p>{by === '' ? t('publications.due', { when }) : t('publications.dueBy', { when, name: by })}</p>
      {reasons(failure).map((reason) => (
        <p key={reason} className="tables-error">
          {reason}
        </p>
      ))}
      <div>
        {table.may.includes('publish') && (
          <Button disabled={busy} onClick={onPublish}>
            {t('publications.retry')}
          </Button>
        )}
        <Button onClick={onOpen}>{t('publications.open')}</Button>
        <Button disabled={busy} onClick={onDiscard}>
          {t('publications.discard')}
        </Button>
      </div>
    </li>
  );
};

/** The failed publications of a table, with their reasons and remedies. `failures`: at least one. */
export const FailedPublicationsDialog = ({
  siteId,
  table,
  failures,
  onClose,
  onOpen,
  onBatches,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly failures: readonly PublicationFailure[];
  readonly onClose: () => void;
  readonly onOpen: (record: string) => void;
  readonly onBatches: (batches: readonly string[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const dispatch = useAppDispatch();
  const [retry, retrying] = useRetryPublicationMutation();
  const [discard, discarding] = useDiscardPublicationMutation();
  const busy = retrying.isLoading || discarding.isLoading;
  const showFailure = (error: unknown) => {
    notifyFailure(dispatch, error);
  };
  const publish = async ({ id: failure }: PublicationFailure) => {
    const { data, error } = await retry({ siteId, table: table.id, failure });
    if (!data) return showFailure(error);
    if (data.batchId !== null) onBatches([data.batchId]);
    return void dispatch(noticeShown({ tone: 'good', message: { key: 'tables:bulk.published', values: { count: 1 } } }));
  };
  const giveUp = async ({ id: failure }: PublicationFailure) => {
    const { error } = await discard({ siteId, table: table.id, failure });
    if (error !== undefined) showFailure(error);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('publications.title')}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1.5 }}>
          {t('publications.lead')}
        </Typography>
        <ul className="tables-stuck">
          {failures.map((failure) => (
            <FailedItem
              key={failure.id}
              table={table}
              failure={failure}
              busy={busy}
              onPublish={() => void publish(failure)}
              onOpen={() => {
                onClose();
                onOpen(failure.recordId);
              }}
              onDiscard={() => void giveUp(failure)}
            />
          ))}
        </ul>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button variant="contained" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
