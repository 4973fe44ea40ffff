import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageFacets } from '@contract/crawler/inventorySchemas';
import { pageKinds, pageNumbers } from '@contract/crawler/inventoryTerms';
import { indexReasons } from '@contract/crawler/terms';
import { useFormat } from '@/lib/format';
import type { StateOf } from '@/lib/searchState';
import { FilterSelect } from '@/ui/FilterSelect';
import { SearchBox } from '@/ui/SearchBox';
import type { pageAddress } from '../pageAddress';
import { useRuleTexts } from '../../rules/useRuleTexts';

export type PageState = StateOf<typeof pageAddress>;
type Props = {
  readonly state: PageState;
  readonly facets: PageFacets | undefined;
  readonly search: { readonly value: string; readonly onChange: (value: string) => void };
  readonly onFilter: (change: Partial<PageState>) => void;
};

/** Adds limits of a number. */
function RangeFilter({ state, onFilter }: Pick<Props, 'state' | 'onFilter'>): ReactElement {
  const { t } = useTranslation('inventory');
  const [name, setName] = useState<string>('depth');
  const [limits, setLimits] = useState({ from: '', to: '' });
  const isNumber = (text: string): boolean => /^\d{0,12}(?:\.\d{1,12})?$/.test(text);
  const usable = isNumber(limits.from) && isNumber(limits.to) && limits.from + limits.to !== '';
  const add = (): void => {
    onFilter({ range: [...state.range.filter((one) => !one.startsWith(`${name}:`)), `${name}:${limits.from}:${limits.to}`] });
    setLimits({ from: '', to: '' });
  };
  const input = (part: 'from' | 'to'): ReactElement => (
    <input
      className="inventory-limit"
      inputMode="decimal"
      aria-label={t(`filter.${part}`)}
      placeholder={t(`filter.${part}`)}
      value={limits[part]}
      aria-invalid={!isNumber(limits[part])}
      onChange={(event) => setLimits({ ...limits, [part]: event.target.value })}
    />
  );
  return (
    <form
      className="inventory-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable) add();
      }}
    >
      <FilterSelect label={t('filter.number')} value={name} choices={pageNumbers.map((value) => ({ value, label: t(`column.${value}`) }))} onChoose={setName} />
      {input('from')}
      {input('to')}
      <Button type="submit" size="small" disabled={!usable}>
        {t('filter.add')}
      </Button>
    </form>
  );
}

function Chips({ state, onFilter }: Pick<Props, 'state' | 'onFilter'>): ReactElement | null {
  const { t } = useTranslation('inventory');
  const chips = [
    ...state.range.map((range) => {
      const [name = '', from = '', to = ''] = range.split(':');
      const column = t(`column.${pageNumbers.find((one) => one === name) ?? 'depth'}`);
      return {
        id: range,
        text: `${column} ${from === '' ? '' : `≥ ${from}`} ${to === '' ? '' : `≤ ${to}`}`.replaceAll(/\s+/g, ' ').trim(),
        change: { range: state.range.filter((one) => one !== range) },
      };
    }),
    ...(state.family === '' ? [] : [{ id: 'family', text: t('filter.ofFamily', { family: state.family }), change: { family: '' } }]),
  ];
  if (chips.length === 0) return null;
  return (
    <div className="inventory-chips">
      {chips.map(({ id, text, change }) => (
        <Button key={id} size="small" variant="outlined" aria-label={t('filter.remove', { filter: text })} onClick={() => onFilter(change)}>
          {text} ×
        </Button>
      ))}
    </div>
  );
}

/** By issue, sitemaps and links. */
function LinkFilters({ state, facets, onFilter }: Omit<Props, 'search'>): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const rules = useRuleTexts();
  const counted = (label: string, pages: number): string => `${label} (${format.number(pages)})`;
  return (
    <>
      <FilterSelect
        label={t('filter.rule')}
        value={state.rule}
        choices={[
          { value: '', label: t('filter.anyRule') },
          ...(facets?.rules ?? []).map(({ value, pages }) => ({ value, label: counted(rules.text(value, 'name'), pages) })),
        ]}
        onChoose={(rule) => onFilter({ rule })}
      />
      <FilterSelect
        label={t('column.sitemap')}
        value={state.sitemap}
        choices={[
          { value: '', label: t('filter.anySitemap') },
          { value: '1', label: counted(t('filter.inSitemap'), facets?.inSitemap ?? 0) },
          { value: '0', label: t('filter.notInSitemap') },
        ]}
        onChoose={(sitemap) => onFilter({ sitemap })}
      />
      <FilterSelect
        label={t('filter.orphans')}
        value={state.orphan}
        choices={[
          { value: '', label: t('filter.anyLinked') },
          { value: '1', label: counted(t('filter.orphan'), facets?.orphans ?? 0) },
          { value: '0', label: t('filter.linked') },
        ]}
        onChoose={(orphan) => onFilter({ orphan })}
      />
    </>
  );
}

/** Everything that pages can be narrowed by, with the number of pages of each value. */
export function PageFilters({ state, facets, search, onFilter }: Props): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const counted = (label: string, pages: number): string => `${label} (${format.number(pages)})`;
  const countOf = (name: 'statuses' | 'indexing' | 'kinds', value: string): number => facets?.[name].find((one) => one.value === value)?.pages ?? 0;
  const choicesOf = (name: 'statuses' | 'languages' | 'templates', label: (value: string, at: number) => string) =>
    (facets?.[name] ?? []).map(({ value, pages }, at) => ({ value, label: counted(label(value, at), pages) }));
  const inGroup = (first: string): number => (facets?.statuses ?? []).reduce((sum, { value, pages }) => sum + (value.startsWith(first) ? pages : 0), 0);
  return (
    <>
      <div className="inventory-filters">
        <SearchBox label={t('filter.search')} {...search} />
        <FilterSelect
          label={t('filter.kind')}
          value={state.kind}
          choices={[
            { value: 'all', label: t('filter.anyKind') },
            ...pageKinds.map((value) => ({ value, label: counted(t(`kind.${value}`), countOf('kinds', value)) })),
          ]}
          onChoose={(kind) => onFilter({ kind })}
        />
        <FilterSelect
          label={t('column.status')}
          value={state.status}
          choices={[
            { value: '', label: t('filter.anyStatus') },
            ...['2', '3', '4', '5'].map((first) => ({ value: `${first}xx`, label: counted(`${first}xx`, inGroup(first)) })),
            ...choicesOf('statuses', (value) => (value === 'none' ? t('page.noResponse') : value)),
          ]}
          onChoose={(status) => onFilter({ status })}
        />
        <FilterSelect
          label={t('column.indexing')}
          value={state.indexing}
          choices={[
            { value: '', label: t('filter.anyIndexing') },
            { value: 'indexable', label: counted(t('indexing.ok'), countOf('indexing', 'ok')) },
            { value: 'not_indexable', label: t('filter.notIndexable') },
            ...indexReasons.filter((one) => one !== 'ok').map((value) => ({ value, label: counted(t(`indexing.${value}`), countOf('indexing', value)) })),
          ]}
          onChoose={(indexing) => onFilter({ indexing })}
        />
        <FilterSelect
          label={t('column.template')}
          value={state.template}
          choices={[{ value: '', label: t('filter.anyTemplate') }, ...choicesOf('templates', (_value, at) => t('template.name', { number: at + 1 }))]}
          onChoose={(template) => onFilter({ template })}
        />
        <FilterSelect
          label={t('column.language')}
          value={state.language}
          choices={[{ value: '', label: t('filter.anyLanguage') }, ...choicesOf('languages', (value) => value)]}
          onChoose={(language) => onFilter({ language })}
        />
        <LinkFilters state={state} facets={facets} onFilter={onFilter} />
        <RangeFilter state={state} onFilter={onFilter} />
      </div>
      <Chips state={state} onFilter={onFilter} />
    </>
  );
}
