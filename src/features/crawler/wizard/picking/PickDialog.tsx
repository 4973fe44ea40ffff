import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, OutlinedInput, useMediaQuery } from '@mui/material';
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import type { ReactElement, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageSample } from '@contract/crawler/schemas';
import type { RenderMode } from '@contract/crawler/terms';
import { isFailure } from '@/lib/failure';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useSamplePageMutation } from '../../crawlerApi';
import { addressOf } from '../draft';
import type { ExtractionRule } from '../draft';
import type { Choices } from './picking';
import { PickingPane } from './PickingPane';
import { pageOf } from './samplePage';
import './picking.css';

type Props = {
  readonly siteId: string;
  readonly url: string;
  readonly render: RenderMode;
  readonly rule: ExtractionRule;
  readonly onClose: () => void;
  readonly onUse: (rule: ExtractionRule, url: string) => void;
};

/** A page as the crawler reads it. Reading can be stopped, and stops when the dialog closes. */
function useSample({ siteId, url: first, render }: Pick<Props, 'siteId' | 'url' | 'render'>) {
  const [url, setUrl] = useState(first);
  const [read, { data: sample, error, isLoading }] = useSamplePageMutation();
  const reading = useRef<{ abort: () => void } | null>(null);
  const stop = (): void => reading.current?.abort();
  const load = (next: string): void => {
    stop();
    setUrl(next);
    reading.current = read({ siteId, body: { url: next, render } });
  };
  const begin = useEffectEvent(() => {
    if (URL.canParse(first)) load(first);
  });
  useEffect(() => {
    begin();
    return () => reading.current?.abort();
  }, []);
  const page = useMemo(() => (sample === undefined || sample.error !== null ? null : pageOf(sample.nodes)), [sample]);
  const failure = isFailure(error) && error.kind !== 'aborted' ? error : null;
  return {
    url,
    sample: isLoading || failure !== null ? undefined : sample,
    page: isLoading ? null : page,
    failure: isLoading ? null : failure,
    isLoading,
    load,
    stop,
  };
}

type AddressProps = Pick<ReturnType<typeof useSample>, 'url' | 'isLoading' | 'load' | 'stop'> & { readonly wasRead: boolean };

function Address({ url, isLoading, load, stop, wasRead }: AddressProps): ReactElement {
  const { t } = useTranslation('crawler');
  const [address, setAddress] = useState(url);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    // The form of the wizard is around this one for React, though not in the document.
    event.stopPropagation();
    const next = addressOf(address.trim());
    setAddress(next);
    if (URL.canParse(next)) load(next);
  };
  return (
    <form className="picking-address" onSubmit={submit}>
      <OutlinedInput
        size="small"
        fullWidth
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        slotProps={{ input: { 'aria-label': t('extraction.sample'), maxLength: 2000, spellCheck: false, inputMode: 'url' } }}
      />
      {isLoading ? (
        <Button onClick={stop}>{t('picking.stop')}</Button>
      ) : (
        <Button type="submit" variant="outlined">
          {t(wasRead ? 'picking.readAgain' : 'picking.read')}
        </Button>
      )}
    </form>
  );
}

/** What the reader has to know about a page that was read. */
function Notes({ sample, render }: { readonly sample: PageSample; readonly render: RenderMode }): ReactElement | null {
  const { t } = useTranslation('crawler');
  const notes = [
    ...(sample.status >= 400 ? [t('probe.badStatus', { status: sample.status })] : []),
    ...(sample.hasPasswordField ? [t('picking.passwordField')] : []),
    ...(sample.complete ? [] : [t('picking.incomplete')]),
    ...(render !== 'off' && sample.reading !== 'received' && sample.reading !== 'rendered' ? [t(`extraction.readAs.${sample.reading}`)] : []),
  ];
  return notes.length === 0 ? null : (
    <Alert severity="warning">
      {notes.map((note) => (
        <div key={note}>{note}</div>
      ))}
    </Alert>
  );
}

/** A page to choose the rows and columns of an extraction from. */
export function PickDialog({ siteId, url: first, render, rule, onClose, onUse }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const confirm = useConfirm();
  const titleId = useId();
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const [choices, setChoices] = useState<Choices>({ rows: rule.rows, columns: rule.columns });
  const { url, sample, page, failure, isLoading, load, stop } = useSample({ siteId, url: first, render });
  const close = async (): Promise<void> => {
    const isChanged = choices.rows !== rule.rows || choices.columns !== rule.columns;
    if (!isChanged || (await confirm({ title: t('picking.discard'), confirm: t('picking.discardConfirm'), danger: true }))) onClose();
  };
  const isUsable = choices.columns.length > 0 && choices.columns.every(({ name }) => name.trim() !== '');
  return (
    <Dialog
      open
      onClose={() => void close()}
      aria-labelledby={titleId}
      fullWidth
      fullScreen={isNarrow}
      maxWidth="xl"
      slotProps={{ paper: { className: 'picking-dialog' } }}
    >
      <DialogTitle id={titleId}>{t('picking.title')}</DialogTitle>
      <DialogContent className="picking-content">
        <Address url={url} isLoading={isLoading} load={load} stop={stop} wasRead={sample !== undefined} />
        {isLoading && (
          <div aria-busy="true">
            <p role="status">{t('probe.busy', { url })}</p>
            <RowsSkeleton rows={10} />
          </div>
        )}
        {failure !== null && <ErrorPanel failure={failure} onRetry={() => load(url)} />}
        {sample?.error != null && (
          <ErrorPanel title={t('picking.notRead')} onRetry={() => load(url)}>
            <p>{t(`picking.errors.${sample.error}`)}</p>
          </ErrorPanel>
        )}
        {sample?.error === null && <Notes sample={sample} render={render} />}
        {page !== null && <PickingPane key={url} page={page} choices={choices} onChange={setChoices} siteId={siteId} url={url} render={render} rule={rule} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void close()}>{t('picking.cancel')}</Button>
        <Button variant="contained" disabled={!isUsable} onClick={() => onUse({ ...rule, ...choices }, url)}>
          {t('picking.use')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
