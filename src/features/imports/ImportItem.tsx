import { isFigures } from '@contract/imports/terms';
import type { Import } from '@contract/imports/schemas';
import { keywordEngineNames } from '@contract/imports/keywordTerms';
import { Box, Button, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import type { Upload } from '@/store/useUploads';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { href } from '@/routes/paths';
import { bytesText } from '@/lib/bytes';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { HistoryPart } from './HistoryPart';
import { useCancelImportMutation, useRemoveImportMutation, useStartImportMutation } from './importsApi';
import { PreviewPart } from './PreviewPart';
import { useProductName } from './useProductName';
import { ReportPart } from './ReportPart';
import { inOrderOf } from './importFiles';

/** Short facts about an import. */
function useFacts(): (it: Import, state: Import['state'] | 'ready') => readonly string[] {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const product = useProductName();
  return (it, state) => [
    t(`state.${state}`),
    ...(it.format === null ? [] : [t(`format.${it.format}`)]),
    ...(it.mode === null || isFigures(it.format) ? [] : [t(`mode.${it.mode}`)]),
    ...(it.keywords === null ? [] : [product(keywordEngineNames[it.keywords.engine]), t('keywords.range', { from: it.keywords.from, to: it.keywords.to })]),
    ...(it.keywords === null || it.keywords.replaced === 'no' ? [] : [t(`keywords.replaced.${it.keywords.replaced}`)]),
    bytesText(it.total, format),
    it.createdBy === null ? t('created', { date: format.relative(it.createdAt) }) : t('createdBy', { name: it.createdBy, date: format.relative(it.createdAt) }),
  ];
}

/** The import's name, which expands and collapses it. */
function OpenButton({ name, open, onToggle }: { readonly name: string; readonly open: boolean; readonly onToggle: () => void }): ReactElement {
  return (
    <Box
      component="button"
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      sx={{
        font: 'inherit',
        color: 'inherit',
        background: 'none',
        border: 0,
        p: 0,
        textAlign: 'left',
        cursor: 'pointer',
        '&:hover': { textDecoration: 'underline' },
      }}
    >
      {name}
    </Box>
  );
}

/** A link to the screen of the imported period. */
function KeywordsLink({ siteId, period }: { readonly siteId: string; readonly period: { readonly from: string; readonly to: string } }): ReactElement {
  const { t } = useTranslation('imports');
  return (
    <Box>
      <Button component={Link} to={{ pathname: href('site.als.keyword', { siteId }), search: `from=${period.from}&to=${period.to}` }}>
        {t('keywords.open')}
      </Button>
    </Box>
  );
}

/** `upload`: what this page has sent. */
type UploadProps = {
  readonly it: Import;
  readonly upload: Upload | undefined;
  readonly onSend: (files: readonly File[]) => void;
  readonly onPause: () => void;
};

/** One import: its state and its possible actions. Expanded, it shows preview or result. */
export function ImportItem({
  siteId,
  timeZone,
  it,
  upload,
  onSend,
  onPause,
  open,
  onToggle,
}: {
  readonly siteId: string;
  readonly timeZone: string;
  readonly open: boolean;
  readonly onToggle: () => void;
} & UploadProps): ReactElement {
  const { t } = useTranslation('imports');
  const factsOf = useFacts();
  const confirm = useConfirm();
  const [remove, removing] = useRemoveImportMutation();
  const [cancel, cancelling] = useCancelImportMutation();
  const [start, starting] = useStartImportMutation();
  const failure = [removing.error, cancelling.error, starting.error].find(isFailure);
  // This page's upload progress is newer than the list.
  const arrived = it.files.map((file, index) => Math.max(file.stored, upload?.stored[index] ?? 0));
  const whole = it.files.every((file, index) => file.size === arrived[index]);
  const state = it.state === 'uploading' && whole ? 'ready' : it.state;
  const stored = arrived.reduce((sum, bytes) => sum + bytes, 0);
  const askRemove = async (): Promise<void> => {
    const sure = await confirm({ title: t('removeTitle'), body: it.report === null ? t('removeUpload') : t('removeText'), confirm: t('remove'), danger: true });
    if (!sure) return;
    onPause();
    void remove({ siteId, id: it.id });
  };
  const facts = factsOf(it, state);
  const name = `${it.files[0]?.name ?? ''} ${it.files.length > 1 ? t('more', { count: it.files.length - 1 }) : ''}`.trimEnd();
  const canOpen = state !== 'uploading';
  return (
    <Box component="li" sx={{ listStyle: 'none', py: 2, borderTop: '1px solid', borderColor: 'divider', display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography variant="h3" sx={{ overflowWrap: 'anywhere' }}>
            {canOpen ? <OpenButton open={open} onToggle={onToggle} name={name} /> : name}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {facts.join(' · ')}
          </Typography>
        </Box>
        {(state === 'failed' || state === 'cancelled') && it.mode !== null && (
          <Button disabled={starting.isLoading} onClick={() => void start({ siteId, id: it.id, body: { mode: it.mode ?? 'compare' } })}>
            {t('goOn')}
          </Button>
        )}
        {(state === 'queued' || state === 'running') && (
          <Button disabled={cancelling.isLoading} onClick={() => void cancel({ siteId, id: it.id })}>
            {t('cancel')}
          </Button>
        )}
        {(state === 'uploading' || state === 'ready' || state === 'done' || state === 'failed' || state === 'cancelled') && (
          <Button color="error" disabled={removing.isLoading} onClick={() => void askRemove()}>
            {t('remove')}
          </Button>
        )}
      </Box>
      {failure && <ErrorPanel failure={failure} />}
      {it.error !== null && <Typography color="error">{it.error}</Typography>}
      {state === 'uploading' && <UploadPart it={it} upload={upload} onSend={onSend} onPause={onPause} stored={stored} />}
      {(state === 'running' || state === 'queued') && <ProgressPart it={it} />}
      {open && state === 'ready' && <PreviewPart siteId={siteId} it={it} timeZone={timeZone} />}
      {open && state !== 'ready' && canOpen && <ReportPart siteId={siteId} it={it} timeZone={timeZone} />}
      {open && state === 'done' && it.keywords !== null && it.keywords.replaced !== 'wholly' && <KeywordsLink siteId={siteId} period={it.keywords} />}
      {open && state === 'done' && it.format === 'plausible' && <HistoryPart siteId={siteId} id={it.id} />}
    </Box>
  );
}

function UploadPart({ it, upload, onSend, onPause, stored }: UploadProps & { readonly stored: number }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(false);
  const sent = t('upload.going', { done: bytesText(stored, format), total: bytesText(it.total, format) });
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Box sx={{ width: '100%' }}>
        <JobProgress title={sent} titleAs="none" share={shareDone(stored, it.total)} detail={sent} />
      </Box>
      {upload?.failure && <ErrorPanel title={t('upload.failed')} failure={upload.failure} />}
      {upload?.sending === true ? (
        <Button onClick={onPause}>{t('upload.stop')}</Button>
      ) : (
        <>
          <Button variant="outlined" onClick={() => input.current?.click()}>
            {t('upload.resume')}
          </Button>
          {wrong && (
            <Typography role="alert" variant="body2" color="error">
              {t('upload.wrong')}
            </Typography>
          )}
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t('upload.resume')}
            onChange={(event) => {
              const files = inOrderOf(it, [...(event.target.files ?? [])]);
              event.target.value = '';
              setWrong(files === null);
              if (files !== null) onSend(files);
            }}
          />
        </>
      )}
    </Box>
  );
}

function ProgressPart({ it }: { readonly it: Import }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const done = it.done ?? 0;
  const text = it.building
    ? [t('building')]
    : [
        t('progress', { done: bytesText(done, format), total: bytesText(it.total, format) }),
        ...(it.perSecond === null ? [] : [t('pace', { rows: format.number(it.perSecond) })]),
        ...(it.secondsLeft === null ? [] : [t('left', { time: format.duration(it.secondsLeft) })]),
      ];
  const share = it.building || it.state === 'queued' ? null : shareDone(done, it.total);
  return <JobProgress title={t(`state.${it.state}`)} titleAs="none" share={share} detail={text.join(' · ')} />;
}
