import { Box, Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, IconButton, Link, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router-dom';
import type { ChecklistItem } from '@contract/filings/checklist';
import type { FilingChecklist } from '@contract/filings/schemas';
import { filingLimits } from '@contract/filings/terms';
import type { ResourceKind } from '@contract/resources/kinds';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { PickResource } from '@/features/resources/library/PickResource';
import { downloadAddress } from '@/features/resources/resourcesApi';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { Segmented } from '@/ui/form/Segmented';
import { Icon } from '@/ui/Icon';
import { useAttachFilingDocumentMutation, useChangeFilingChecklistMutation, useDetachFilingDocumentMutation, useFilingChecklistQuery } from './filingsApi';

type Target = { readonly siteId: string; readonly id: string };
type Document = FilingChecklist['documents'][number];
const pickedKinds = ['attachment', 'image'] as const satisfies readonly ResourceKind[];

type PickerProps = Target & { readonly item: ChecklistItem | null; readonly attached: readonly string[]; readonly onClose: () => void };

/** Chooses a file of the site as a document. */
function DocumentDialog({ siteId, id, item, attached, onClose }: PickerProps): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const titleId = useId();
  const [kind, setKind] = useState<(typeof pickedKinds)[number]>('attachment');
  const [attach, { isLoading }] = useAttachFilingDocumentMutation();
  const choose = async (resource: string): Promise<void> => {
    const { error } = await attach({ siteId, id, body: { resource, item } });
    if (error === undefined) onClose();
    else notifyFailure(dispatch, error);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="md">
      <DialogTitle id={titleId}>{item === null ? t('documents.add') : t('documents.addFor', { item: t(`item.${item}`) })}</DialogTitle>
      <DialogContent aria-busy={isLoading}>
        <Typography variant="body2" sx={{ mb: 1 }}>
          {t('documents.pickText', { days: filingLimits.documentDays })}{' '}
          <RouterLink className="text-link in-text" to={href('site.resource.attachments', { siteId })}>
            {t('documents.toResources')}
          </RouterLink>
        </Typography>
        <PickResource siteId={siteId} kind={kind} chosen={attached} onChoose={(resource) => void choose(resource.id)}>
          <Segmented
            label={t('documents.kind')}
            value={kind}
            choices={pickedKinds.map((value) => ({ value, label: t(`documents.${value}`) }))}
            onChoose={setKind}
          />
        </PickResource>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('documents.cancel')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Documents({ siteId, id, rows, label }: Target & { readonly rows: readonly Document[]; readonly label: string }): ReactElement | null {
  const { t } = useTranslation('filings');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [detach, { isLoading }] = useDetachFilingDocumentMutation();
  if (rows.length === 0) return null;
  const remove = async (resource: string): Promise<void> => {
    const { error } = await detach({ siteId, id, resource });
    if (error !== undefined) notifyFailure(dispatch, error);
  };
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, pl: 4, listStyle: 'none' }}>
      {rows.map(({ resource, name, sha256, bytes, at, by, purgeAt }) => (
        <Box component="li" key={resource} sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Typography variant="body2" component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Link href={downloadAddress(siteId, { id: resource, sha256 })} download>
              {name}
            </Link>{' '}
            <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
              {[
                bytesText(bytes, format),
                format.relative(at),
                by ?? t('byNobody'),
                ...(purgeAt === null ? [] : [t('documents.purgedAt', { date: format.date(purgeAt, { weekday: false }) })]),
              ].join(' · ')}
            </Typography>
          </Typography>
          <IconButton aria-label={t('documents.remove', { name })} disabled={isLoading} onClick={() => void remove(resource)}>
            <Icon name="close" />
          </IconButton>
        </Box>
      ))}
    </Box>
  );
}

/** What has to be prepared for a filing, item by item, with the documents that are attached. */
export function Checklist(target: Target): ReactElement | null {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const { data } = useFilingChecklistQuery(target);
  const [tick] = useChangeFilingChecklistMutation();
  const [adding, setAdding] = useState<{ readonly item: ChecklistItem | null } | null>(null);
  if (data === undefined) return null;
  const { items, documents } = data;
  const listed = new Set<string>(items.map(({ item }) => item));
  const others = documents.filter(({ item }) => item === null || !listed.has(item));
  const change = async (item: ChecklistItem, done: boolean): Promise<void> => {
    const { error } = await tick({ ...target, body: { item, done } });
    if (error !== undefined) notifyFailure(dispatch, error);
  };
  return (
    <section aria-label={t('checklist.title')}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 500 }}>
        {t('checklist.progress', { done: items.filter(({ done }) => done).length, count: items.length })}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
        {t('checklist.note', { days: filingLimits.documentDays })}
      </Typography>
      <Box component="ul" aria-label={t('checklist.title')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {items.map(({ item, done }) => (
          <Box component="li" key={item}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <FormControlLabel
                sx={{ mr: 'auto', minWidth: 0 }}
                control={<Checkbox checked={done} onChange={(_event, on) => void change(item, on)} />}
                label={t(`item.${item}`)}
              />
              <Button size="small" aria-label={t('documents.addFor', { item: t(`item.${item}`) })} onClick={() => setAdding({ item })}>
                {t('documents.attach')}
              </Button>
            </Box>
            <Documents {...target} rows={documents.filter((one) => one.item === item)} label={t('documents.of', { item: t(`item.${item}`) })} />
          </Box>
        ))}
      </Box>
      <Documents {...target} rows={others} label={t('documents.others')} />
      <Button size="small" sx={{ mt: 1, ml: -1 }} onClick={() => setAdding({ item: null })}>
        {t('documents.add')}
      </Button>
      {adding !== null && (
        <DocumentDialog {...target} item={adding.item} attached={documents.map(({ resource }) => resource)} onClose={() => setAdding(null)} />
      )}
    </section>
  );
}
