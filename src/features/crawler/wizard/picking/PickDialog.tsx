import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, NativeSelect, OutlinedInput, useMediaQuery } from '@mui/material';
import type { Element } from 'domhandler';
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageSample } from '@contract/crawler/schemas';
import type { RenderMode } from '@contract/crawler/terms';
import { isFailure } from '@/lib/failure';
import { useDebounced } from '@/lib/useDebounced';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useSamplePageMutation, useTestExtractionMutation } from '../../crawlerApi';
import { addressOf } from '../draft';
import type { ExtractionRule } from '../draft';
import { ExtractedRows } from '../ExtractedRows';
import { PickedColumns } from './PickedColumns';
import { pick, readBy, rowsOf, withRows } from './picking';
import type { Choices, Outcome } from './picking';
import { exampleOf, likelyRows, rowChoices } from './rows';
import type { RowChoice } from './rows';
import { ancestorsOf, pageOf } from './samplePage';
import type { SamplePage } from './samplePage';
import { nameOf, SampleView } from './SampleView';
import './picking.css';

type Props = {
  readonly siteId: string;
  readonly url: string;
  readonly render: RenderMode;
  readonly rule: ExtractionRule;
  readonly onClose: () => void;
  readonly onUse: (rule: ExtractionRule, url: string) => void;
};

/** The rows that the choices give, read by the server from the page that the sample was made of. */
function LivePreview({ siteId, url, render, rule }: Pick<Props, 'siteId' | 'url' | 'render' | 'rule'>): ReactElement | null {
  const { t } = useTranslation('crawler');
  const [test, { data, error, isLoading }] = useTestExtractionMutation();
  const isComplete = rule.columns.length > 0 && rule.columns.every(({ name }) => name.trim() !== '');
  const request = useDebounced(JSON.stringify(isComplete ? rule : null), 400);
  const run = useEffectEvent((): void => {
    if (request !== 'null') void test({ siteId, body: { url, extraction: JSON.parse(request) as ExtractionRule, render, sampled: true } });
  });
  useEffect(() => run(), [request, url]);
  if (!isComplete) return null;
  return (
    <section className="picking-preview" aria-label={t('extraction.preview')} aria-busy={isLoading}>
      {error !== undefined && <ErrorPanel failure={isFailure(error) ? error : null} onRetry={run} retrying={isLoading} />}
      {data && error === undefined && <ExtractedRows result={data} columns={(JSON.parse(request) as ExtractionRule | null)?.columns ?? []} render="off" />}
    </section>
  );
}

/** What each row is: the page, or one of the elements that repeat around what was chosen last. */
function RowsChoice({
  choices,
  offered,
  onChoose,
}: {
  readonly choices: Choices;
  readonly offered: readonly RowChoice[];
  readonly onChoose: (choice: RowChoice | null) => void;
}): ReactElement {
  const { t } = useTranslation('crawler');
  const id = useId();
  const isOffered = choices.rows.trim() === '' || offered.some(({ selector }) => selector === choices.rows);
  return (
    <div className="picking-rows">
      <label htmlFor={id}>{t('picking.rows')}</label>
      <NativeSelect
        id={id}
        fullWidth
        value={choices.rows}
        onChange={(event) => onChoose(offered.find(({ selector }) => selector === event.target.value) ?? null)}
        input={<OutlinedInput size="small" />}
      >
        <option value="">{t('picking.onePage')}</option>
        {!isOffered && <option value={choices.rows}>{choices.rows}</option>}
        {offered.map((choice) => (
          <option key={choice.selector} value={choice.selector}>
            {t('picking.oneEach', { count: choice.elements.length, selector: choice.selector, example: exampleOf(choice) })}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}

function useOutcomeText(): (outcome: Outcome) => string {
  const { t } = useTranslation('crawler');
  return (outcome) => {
    if (outcome.kind === 'added' || outcome.kind === 'present') return t(`picking.outcome.${outcome.kind}`, { name: outcome.name });
    if (outcome.kind !== 'rows') return t(`picking.outcome.${outcome.kind}`);
    const rows = t('picking.outcome.rows', { count: outcome.count });
    return outcome.removed.length === 0 ? rows : `${rows} ${t('picking.outcome.removed', { names: outcome.removed.join(t('picking.and')) })}`;
  };
}

type WorkProps = Omit<Props, 'onUse' | 'onClose'> & { readonly page: SamplePage; readonly choices: Choices; readonly onChange: (choices: Choices) => void };

function Work({ page, choices, onChange, ...props }: WorkProps): ReactElement {
  const { t } = useTranslation('crawler');
  const outcomeText = useOutcomeText();
  const names = {
    title: t('picking.names.title'),
    image: t('picking.names.image'),
    link: t('picking.names.link'),
    date: t('picking.names.date'),
    price: t('picking.names.price'),
    text: t('picking.names.text'),
  };
  const { document } = page;
  const [current, setCurrent] = useState<Element | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [past, setPast] = useState<readonly Choices[]>([]);
  const change = (next: Choices, what: Outcome | null = null): void => {
    setOutcome(what);
    if (next === choices) return;
    setPast([...past.slice(-50), choices]);
    onChange(next);
  };
  const offered = useMemo(() => (current === null ? [] : rowChoices(current, document)), [current, document]);
  const proposed = choices.rows.trim() === '' && current !== null ? likelyRows(current, offered) : null;
  const marks = useMemo(() => {
    const rows = rowsOf(choices, document);
    return {
      rows: rows.length > 0 ? rows : (proposed?.elements ?? []),
      columns: choices.columns.flatMap((column) => readBy(column, choices, document).filter((one) => one !== null)),
    };
  }, [choices, document, proposed]);
  const choose = (element: Element): void => {
    setCurrent(element);
    const { choices: next, outcome: what } = pick(choices, element, document, names);
    change(next, what);
  };
  const setRows = (choice: RowChoice | null): void => {
    const { choices: next, outcome: what } = withRows(choices, choice, document);
    change(next, what);
  };
  const path = current === null ? [] : [current, ...ancestorsOf(current)].slice(0, 5).toReversed();
  return (
    <div className="picking">
      <SampleView page={page} marks={marks} current={current} onMove={setCurrent} onPick={choose} />
      <div className="picking-side">
        {path.length > 1 && (
          <nav className="picking-path" aria-label={t('picking.around')}>
            {path.map((element) => (
              <button key={page.indexOf(element)} type="button" aria-current={element === current ? 'true' : undefined} onClick={() => choose(element)}>
                {nameOf(element)}
              </button>
            ))}
          </nav>
        )}
        <RowsChoice choices={choices} offered={offered} onChoose={setRows} />
        <div role="status" className="picking-outcome">
          {outcome === null ? t('picking.start') : outcomeText(outcome)} {proposed !== null && t('picking.similar', { count: proposed.elements.length })}
        </div>
        <div className="picking-actions">
          {proposed !== null && (
            <Button size="small" variant="outlined" onClick={() => setRows(proposed)}>
              {t('picking.useRows')}
            </Button>
          )}
          {past.length > 0 && (
            <Button
              size="small"
              onClick={() => {
                onChange(past.at(-1) as Choices);
                setPast(past.slice(0, -1));
                setOutcome(null);
              }}
            >
              {t('picking.undo')}
            </Button>
          )}
        </div>
        <PickedColumns choices={choices} document={document} onChange={change} />
      </div>
      <LivePreview {...props} rule={{ ...props.rule, ...choices }} />
    </div>
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

/** A page to choose the columns of an extraction from. */
export default function PickDialog({ siteId, url: first, render, rule, onClose, onUse }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const confirm = useConfirm();
  const titleId = useId();
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const [address, setAddress] = useState(first);
  const [url, setUrl] = useState(first);
  const [choices, setChoices] = useState<Choices>({ rows: rule.rows, columns: rule.columns });
  const [read, { data: sample, error, isLoading }] = useSamplePageMutation();
  const reading = useRef<{ abort: () => void } | null>(null);
  const page = useMemo(() => (sample === undefined || sample.error !== null ? null : pageOf(sample.nodes)), [sample]);
  const load = (next: string): void => {
    reading.current?.abort();
    setUrl(next);
    setAddress(next);
    reading.current = URL.canParse(next) ? read({ siteId, body: { url: next, render } }) : null;
  };
  const begin = useEffectEvent(() => load(first));
  useEffect(() => {
    if (first !== 'https://') begin();
    return () => reading.current?.abort();
  }, [first]);
  const close = async (): Promise<void> => {
    const isChanged = choices.rows !== rule.rows || choices.columns !== rule.columns;
    if (!isChanged || (await confirm({ title: t('picking.discard'), confirm: t('picking.discardConfirm'), danger: true }))) onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    load(addressOf(address.trim()));
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
        <form className="picking-address" onSubmit={submit}>
          <OutlinedInput
            size="small"
            fullWidth
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            slotProps={{ input: { 'aria-label': t('extraction.sample'), maxLength: 2000, spellCheck: false, inputMode: 'url' } }}
          />
          {isLoading ? (
            <Button onClick={() => reading.current?.abort()}>{t('picking.stop')}</Button>
          ) : (
            <Button type="submit" variant="outlined">
              {t(sample === undefined ? 'picking.read' : 'picking.readAgain')}
            </Button>
          )}
        </form>
        {isLoading && (
          <div aria-busy="true">
            <p role="status">{t('probe.busy', { url })}</p>
            <RowsSkeleton rows={10} />
          </div>
        )}
        {!isLoading && error !== undefined && <ErrorPanel failure={isFailure(error) ? error : null} onRetry={() => load(url)} />}
        {!isLoading && error === undefined && sample?.error != null && (
          <ErrorPanel title={t('picking.notRead')} onRetry={() => load(url)}>
            <p>{t(`picking.errors.${sample.error}`)}</p>
          </ErrorPanel>
        )}
        {!isLoading && sample !== undefined && sample.error === null && <Notes sample={sample} render={render} />}
        {!isLoading && page !== null && (
          <Work key={sample?.url} page={page} choices={choices} onChange={setChoices} siteId={siteId} url={url} render={render} rule={rule} />
        )}
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
