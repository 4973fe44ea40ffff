import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { formulaLimits } from '@contract/tables/formula';
import { useDebounced } from '@/lib/useDebounced';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { useTryFormulaQuery } from '@/features/tables/parts/designApi';
import { CellView } from '@/features/tables/fieldTypes/CellView';
import { offersAt } from './formulaCompletion';
import type { Offer } from './formulaCompletion';
import type { Editing } from './editing';

/** The server's evaluation of the formula: the position of an error, or the results for a few records. */
const Trial = ({
  site,
  table,
  field,
  formula,
  decimals,
}: Pick<Editing, 'site' | 'table' | 'field'> & { readonly formula: string; readonly decimals: number | undefined }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const debouncedFormula = useDebounced(formula, 400);
  const { currentData, data, isFetching, error } = useTryFormulaQuery(
    { siteId: site.id, table: table.id, body: { formula: debouncedFormula, field: field?.id, decimals } },
    { skip: debouncedFormula.trim() === '' },
  );
  const trial = currentData ?? data;
  if (isFailure(error) && !isFetching) return <ErrorPanel title={t('failed')} failure={error} />;
  if (!trial) return <p className="design-quiet">{isFetching ? t('formula.trying') : ''}</p>;
  const { error: formulaError, problem, yields, samples } = trial;
  if (problem !== null || formulaError)
    return (
      <p role="status" style={{ margin: 0, color: 'var(--bad)', fontSize: 'var(--text-table)', overflowWrap: 'anywhere' }}>
        {problem === 'cycle' || !formulaError ? t('formula.cycle') : t(`formula.errors.${formulaError.code}`, { name: formulaError.name })}
        {formulaError && formulaError.length > 0 && formulaError.length < debouncedFormula.length && (
          <>
            {' · '}
            <code className="design-mono">
              {debouncedFormula.slice(Math.max(0, formulaError.at - 12), formulaError.at)}
              <mark>{debouncedFormula.slice(formulaError.at, formulaError.at + formulaError.length)}</mark>
            </code>
          </>
        )}
      </p>
    );
  return (
    <div aria-busy={isFetching} style={{ display: 'grid', gap: 8 }}>
      <p className="design-quiet" role="status">
        {yields && t('formula.yields', { kind: t(`formula.kind.${yields}`) })} · {samples.length === 0 ? t('formula.noSamples') : t('formula.samples')}
      </p>
      <dl className="design-samples">
        {samples.map(({ id, label, value }) => [
          <dt key={`${id}t`}>{label}</dt>,
          <dd key={id}>
            {value === null || value === '' ? (
              <span className="design-quiet">{t('formula.empty')}</span>
            ) : (
              <CellView
                field={{
                  id: 'f_trial',
                  type: 'formula',
                  title: '',
                  options: decimals === undefined ? {} : { decimals },
                  yields: yields ?? 'text',
                  problem: null,
                  readonly: true,
                  required: false,
                }}
                value={value}
              />
            )}
          </dd>,
        ])}
      </dl>
    </div>
  );
};

/** Completions at the caret. */
const Offers = ({
  id,
  offers,
  chosen,
  onTake,
}: {
  readonly id: string;
  readonly offers: readonly Offer[];
  readonly chosen: Offer | undefined;
  readonly onTake: (offer: Offer) => void;
}): ReactElement => {
  const { t, i18n } = useTranslation('tableDesign');
  const language = i18n.language.startsWith('zh') ? 'zh' : 'en';
  return (
    <div id={id} className="design-offers" role="listbox" aria-label={t('formula.offers')}>
      {offers.map((offer) => (
        <button
          key={offer.id}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={offer === chosen}
          title={offer.fn?.says[language]}
          // The caret must not move.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(offer)}
        >
          {offer.name}
        </button>
      ))}
    </div>
  );
};

/** A formula with completion of functions and fields, checked while it is typed. */
export const FormulaEditor = (editing: Editing): ReactElement => {
  const { table, field, draft, mayDesign, setOption, errorAt } = editing;
  const { t, i18n } = useTranslation('tableDesign');
  const listId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const formula = draft.options.formula ?? '';
  const offers = caret === null || !mayDesign ? [] : offersAt(formula, caret, table.fields, field?.id ?? null);
  const chosen = offers[Math.min(at, offers.length - 1)];
  const language = i18n.language.startsWith('zh') ? 'zh' : 'en';
  const take = (offer: Offer): void => {
    const next = `${formula.slice(0, offer.from)}${offer.text}${formula.slice(caret ?? formula.length).replace(offer.fn ? /^\(/ : /^[}｝]/, '')}`;
    const to = offer.from + offer.text.length;
    setOption({ formula: next });
    setCaret(null);
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(to, to);
    });
  };
  const press = (event: KeyboardEvent): void => {
    if (!chosen || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((Math.min(at, offers.length - 1) + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length);
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      take(chosen);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setCaret(null);
    }
  };
  return (
    <>
      <Field label={t('formula.label')} help={t('formula.help')} error={errorAt('options.formula')}>
        {({ 'aria-invalid': invalid, ...aria }) => (
          <>
            <textarea
              {...aria}
              {...(invalid ? { 'aria-invalid': true as const } : {})}
              ref={input}
              className="tables-input design-mono"
              rows={4}
              value={formula}
              maxLength={formulaLimits.length}
              readOnly={!mayDesign}
              spellCheck={false}
              autoCapitalize="off"
              aria-autocomplete="list"
              aria-controls={listId}
              onKeyDown={press}
              onBlur={() => setCaret(null)}
              onChange={(event) => {
                setOption({ formula: event.target.value === '' ? undefined : event.target.value });
                setCaret(event.target.selectionStart);
                setAt(0);
              }}
            />
            <Offers id={listId} offers={offers} chosen={chosen} onTake={take} />
            {chosen?.fn && (
              <p className="design-quiet">
                <code className="design-mono">{chosen.fn.signature[language]}</code> {chosen.fn.says[language]}
              </p>
            )}
          </>
        )}
      </Field>
      {mayDesign && formula.trim() !== '' && <Trial {...editing} formula={formula} decimals={draft.options.decimals} />}
    </>
  );
};
