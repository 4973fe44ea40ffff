import { Button, NativeSelect, OutlinedInput } from '@mui/material';
import type { Element } from 'domhandler';
import { useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RenderMode } from '@contract/crawler/terms';
import { isFailure } from '@/lib/failure';
import { useDebounced } from '@/lib/useDebounced';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useTestExtractionMutation } from '../../crawlerApi';
import type { ExtractionRule } from '../draft';
import { ExtractedRows } from '../ExtractedRows';
import { PickedColumns } from './PickedColumns';
import { pick, readBy, rowsOf, withRows } from './picking';
import type { Choices, Outcome, Result } from './picking';
import { exampleOf, likelyRows, rowChoices } from './rows';
import type { RowChoice } from './rows';
import { ancestorsOf } from './samplePage';
import type { SamplePage } from './samplePage';
import { nameOf, SampleView } from './SampleView';

/** The page that was sampled, and the extraction that is edited. */
type Sampled = { readonly siteId: string; readonly url: string; readonly render: RenderMode; readonly rule: ExtractionRule };

/** The rows that the choices give, read by the server from the page that the sample was made of. */
function LivePreview({ siteId, url, render, rule }: Sampled): ReactElement | null {
  const { t } = useTranslation('crawler');
  const [test, { data, error, isLoading }] = useTestExtractionMutation();
  const isComplete = rule.columns.length > 0 && rule.columns.every(({ name }) => name.trim() !== '');
  const request = useDebounced(JSON.stringify(isComplete ? rule : null), 400);
  const run = (): void => {
    if (request !== 'null') void test({ siteId, body: { url, extraction: JSON.parse(request) as ExtractionRule, render, sampled: true } });
  };
  const begin = useEffectEvent(run);
  useEffect(() => begin(), [request, url]);
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

function useUsualNames() {
  const { t } = useTranslation('crawler');
  return {
    title: t('picking.names.title'),
    image: t('picking.names.image'),
    link: t('picking.names.link'),
    date: t('picking.names.date'),
    price: t('picking.names.price'),
    text: t('picking.names.text'),
  };
}

type ElementPathProps = { readonly page: SamplePage; readonly current: Element; readonly onChoose: (element: Element) => void };

/** The element that was chosen last and those around it, which can be chosen instead. */
function ElementPath({ page, current, onChoose }: ElementPathProps): ReactElement {
  const { t } = useTranslation('crawler');
  return (
    <nav className="picking-path" aria-label={t('picking.around')}>
      {[current, ...ancestorsOf(current)]
        .slice(0, 5)
        .toReversed()
        .map((element) => (
          <button key={page.indexOf(element)} type="button" aria-current={element === current ? 'true' : undefined} onClick={() => onChoose(element)}>
            {nameOf(element)}
          </button>
        ))}
    </nav>
  );
}

type Props = Sampled & { readonly page: SamplePage; readonly choices: Choices; readonly onChange: (choices: Choices) => void };

/** The page, what was chosen on it, and the rows that this gives. */
export function PickingPane({ page, choices, onChange, ...sampled }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const outcomeText = useOutcomeText();
  const names = useUsualNames();
  const { document } = page;
  const [current, setCurrent] = useState<Element | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [past, setPast] = useState<readonly Choices[]>([]);
  const change = ({ choices: next, outcome: what }: Omit<Result, 'outcome'> & { readonly outcome: Outcome | null }): void => {
    setOutcome(what);
    if (next === choices) return;
    setPast([...past.slice(-50), choices]);
    onChange(next);
  };
  const undo = (): void => {
    onChange(past.at(-1) ?? choices);
    setPast(past.slice(0, -1));
    setOutcome(null);
  };
  const choose = (element: Element): void => {
    setCurrent(element);
    change(pick(choices, element, document, names));
  };
  const setRows = (choice: RowChoice | null): void => change(withRows(choices, choice, document));
  const offered = useMemo(() => (current === null ? [] : rowChoices(current, document)), [current, document]);
  const { rows } = choices;
  const proposed = useMemo(() => (rows.trim() !== '' || current === null ? null : likelyRows(current, offered)), [rows, current, offered]);
  const marks = useMemo(() => {
    const found = rowsOf(choices, document);
    const columns = choices.columns.flatMap((column) => readBy(column, choices, document).filter((one) => one !== null));
    return { rows: found.length > 0 ? found : (proposed?.elements ?? []), columns };
  }, [choices, document, proposed]);
  return (
    <div className="picking">
      <SampleView page={page} marks={marks} current={current} onMove={setCurrent} onPick={choose} />
      <div className="picking-side">
        {current !== null && <ElementPath page={page} current={current} onChoose={choose} />}
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
            <Button size="small" onClick={undo}>
              {t('picking.undo')}
            </Button>
          )}
        </div>
        <RowsChoice choices={choices} offered={offered} onChoose={setRows} />
        <PickedColumns choices={choices} document={document} onChange={(next) => change({ choices: next, outcome: null })} />
      </div>
      <LivePreview {...sampled} rule={{ ...sampled.rule, ...choices }} />
    </div>
  );
}
