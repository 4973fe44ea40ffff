import { Box, Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Digests } from '@contract/digests/schemas';
import type { Site } from '@contract/sites/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedGuard } from '@/lib/useUnsavedGuard';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { RowList } from '@/ui/list/RowList';
import { SaveBar } from '@/ui/SaveBar';
import { RowsSkeleton } from '@/ui/skeletons';
import { DigestsPart } from './DigestsPart';
import { usePreviewDigestQuery, useSendDigestMutation } from './digestsApi';
import { useDigestsForm } from './useDigestsForm';

const kinds = ['weekly', 'monthly'] as const;
type Kind = (typeof kinds)[number];
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

/** The mail as a contact would receive it. */
function Preview({ site, kind, onClose }: { readonly site: Site; readonly kind: Kind; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const titleId = useId();
  const result = usePreviewDigestQuery({ siteId: site.id, kind }, { refetchOnMountOrArgChange: true });
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('reports.previewTitle')}</DialogTitle>
      <DialogContent>
        <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
          {({ subject, paragraphs, facts }) => (
            <>
              <Typography component="h3" sx={{ fontWeight: 600, mb: 1, overflowWrap: 'anywhere' }}>
                {subject}
              </Typography>
              {paragraphs.map((text) => (
                <Typography key={text} variant="body2" sx={{ mb: 1.5 }}>
                  {text}
                </Typography>
              ))}
              <Box
                component="dl"
                sx={{ m: 0, display: 'grid', gridTemplateColumns: 'minmax(80px, max-content) 1fr', columnGap: 2, rowGap: 0.75, fontSize: 'var(--text-body)' }}
              >
                {facts.map(({ label, value }) => (
                  <Box key={label} sx={{ display: 'contents' }}>
                    <Box component="dt" sx={{ color: 'text.secondary' }}>
                      {label}
                    </Box>
                    <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                      {value}
                    </Box>
                  </Box>
                ))}
              </Box>
            </>
          )}
        </ResultState>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('reports.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Settings({ site, digests }: { readonly site: Site; readonly digests: Digests }): ReactElement {
  const { t } = useTranslation('sharing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const { form, submit, discard, saving, failure } = useDigestsForm(site, digests);
  const [send, sending] = useSendDigestMutation();
  const [previewed, setPreviewed] = useState<Kind | null>(null);
  const { isDirty } = form.formState;
  const blocker = useUnsavedGuard(isDirty && !saving);
  const { report: count } = digests.hearers;

  const sendNow = async (kind: Kind) => {
    if (!(await confirm({ title: t(`reports.sendTitle.${kind}`), body: t('reports.sendText', { count }), confirm: t('reports.send') }))) return;
    const { data, error } = await send({ siteId: site.id, body: { kind } });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else if (data)
      dispatch(noticeShown({ message: data.sent === 0 ? { key: 'sharing:reports.sentNone' } : { key: 'sharing:reports.sent', values: { count: data.sent } } }));
  };
  return (
    <Form form={form} onSubmit={submit}>
      {failure && <ErrorPanel failure={failure} title={failure.code === 'stale_revision' ? t('reports.stale') : t('reports.failed')} />}
      <RowList>
        {kinds.map((kind) => (
          <Box
            component="li"
            key={kind}
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, py: 1, borderBottom: 1, borderColor: 'divider' }}
          >
            <Controller
              control={form.control}
              name={kind}
              render={({ field }) => (
                <FormControlLabel
                  sx={{ flex: '1 1 140px', mr: 0 }}
                  control={<Checkbox checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
                  label={
                    <>
                      <Typography variant="body2">{t(`reports.${kind}`)}</Typography>
                      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                        {t(`reports.${kind}Detail`)}
                      </Typography>
                    </>
                  }
                />
              )}
            />
            <Button type="button" onClick={() => setPreviewed(kind)} aria-label={`${t('reports.preview')} ${t(`reports.${kind}`)}`}>
              {t('reports.preview')}
            </Button>
            <Button
              type="button"
              disabled={count === 0}
              aria-busy={sending.isLoading}
              onClick={() => void sendNow(kind)}
              aria-label={`${t('reports.send')} ${t(`reports.${kind}`)}`}
            >
              {t('reports.send')}
            </Button>
          </Box>
        ))}
      </RowList>
      <Box sx={{ maxWidth: 240, mt: 2 }}>
        <SelectField control={form.control} name="hour" label={t('reports.hour')} help={t('reports.zone', { zone: site.timeZone })} choices={hours} />
      </Box>
      <SaveBar dirty={isDirty} saving={saving} onDiscard={discard} />
      <LeaveDialog blocker={blocker} />
      {previewed !== null && <Preview site={site} kind={previewed} onClose={() => setPreviewed(null)} />}
    </Form>
  );
}

/** Digests: which, when, to whom, their appearance, and what was sent. */
export function ReportsTab({ site }: { readonly site: Site }): ReactElement {
  return (
    <DigestsPart site={site} part="reports">
      {(digests) => <Settings site={site} digests={digests} />}
    </DigestsPart>
  );
}
