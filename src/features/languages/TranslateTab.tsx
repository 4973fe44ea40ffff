import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranslationOverview, TranslationText } from '@contract/languages/translations';
import { translationStates } from '@contract/languages/translationTerms';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { plainOf } from '@/features/tables/record/RichText';
import { useLanguageName } from '@/lib/languageName';
import { language, oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { PagedList } from '@/ui/list/PagedList';
import { Tag } from '@/ui/Tag';
import { groupValue, readGroup, usePlaceNames } from './placeNames';
import { stateTones } from './stateTones';
import { TextEditor } from './TextEditor';
import { useTranslationTextsQuery } from './translationsApi';

const states = ['open', 'all', ...translationStates] as const;
const address = { tag: language(), what: text(), id: text('', 60), state: oneOf(states, 'open'), page: whole(1), size: whole(20, 1, 100) };
const keyName = ({ key }: TranslationText): string => JSON.stringify(key);

type Props = { readonly site: Site; readonly overview: TranslationOverview; readonly mayTranslate: boolean };

/** The texts of a page: the list, and the chosen one in the editor. What was typed stays while others are looked at. */
function Texts({
  site,
  tag,
  rows,
  mayTranslate,
}: Pick<Props, 'site' | 'mayTranslate'> & { readonly tag: string; readonly rows: readonly TranslationText[] }): ReactElement {
  const { t } = useTranslation('translations');
  const names = usePlaceNames();
  const [chosen, setChosen] = useState<string | null>(null);
  const [moved, setMoved] = useState(false);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const blocker = useUnsavedWork(Object.keys(drafts).length > 0);
  const at = Math.max(
    0,
    rows.findIndex((row) => keyName(row) === chosen),
  );
  const row = rows[at];
  const move = (by: number): void => {
    const next = rows[at + by];
    if (!next) return;
    setChosen(keyName(next));
    setMoved(true);
  };
  const draft = (name: string, value: string | null): void =>
    setDrafts(({ [name]: _old, ...others }) => (value === null ? others : { ...others, [name]: value }));
  return (
    <div className="translation-desk">
      <LeaveDialog blocker={blocker} />
      <ul aria-label={t('texts')} className="translation-list">
        {rows.map((one) => (
          <li key={keyName(one)}>
            <button type="button" aria-current={one === row} onClick={() => setChosen(keyName(one))}>
              <span>{names.text(one)}</span>
              <small>{(one.format === 'html' ? plainOf(one.source.text) : one.source.text).slice(0, 120)}</small>
              <Tag tone={stateTones[one.state]}>{t(`state.${one.state}`)}</Tag>
              {drafts[keyName(one)] !== undefined && <small>{t('unsaved')}</small>}
            </button>
          </li>
        ))}
      </ul>
      {row && (
        <TextEditor
          key={keyName(row)}
          siteId={site.id}
          tag={tag}
          text={row}
          mayTranslate={mayTranslate}
          value={drafts[keyName(row)] ?? row.text ?? ''}
          autoFocus={moved}
          onType={(value) => draft(keyName(row), value === (row.text ?? '') ? null : value)}
          onSaved={() => {
            draft(keyName(row), null);
            move(1);
          }}
          place={{ at: at + 1, count: rows.length }}
          onMove={move}
        />
      )}
    </div>
  );
}

/** Translating side by side: filters, the texts of a page, and an editor with source and translation. */
export function TranslateTab({ site, overview, mayTranslate }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const names = usePlaceNames();
  const languageName = useLanguageName();
  const { state, filter, paging } = useListAddress(address, ['what', 'id', 'state']);
  const targets = overview.languages.filter(({ total }) => total > 0).map(({ tag }) => tag);
  const unfinished = overview.languages.find(({ missing, outdated }) => missing + outdated > 0);
  const tag = targets.includes(state.tag) ? state.tag : (unfinished?.tag ?? targets[0] ?? '');
  const result = useTranslationTextsQuery(
    {
      siteId: site.id,
      tag,
      page: paging.page,
      size: paging.size,
      ...readGroup(overview.groups, state.what),
      ...(state.id === '' ? {} : { id: state.id }),
      ...(state.state === 'all' ? {} : { state: state.state }),
    },
    { skip: tag === '' },
  );
  if (tag === '')
    return (
      <EmptyState ghost="rows" title={t('noTexts')}>
        {t('noTextsText')}
      </EmptyState>
    );
  return (
    <>
      <div className="translation-filters" role="search">
        <FilterSelect
          label={t('language')}
          value={tag}
          choices={targets.map((one) => ({ value: one, label: languageName(one) }))}
          onChoose={(next) => filter({ tag: next })}
        />
        <FilterSelect
          label={t('what')}
          value={state.what}
          choices={[{ value: '', label: t('everything') }, ...overview.groups.map((one) => ({ value: groupValue(one), label: names.group(one) }))]}
          onChoose={(what) => filter({ what, id: '' })}
        />
        <FilterSelect
          label={t('stateLabel')}
          value={state.state}
          choices={states.map((one) => ({ value: one, label: t(`state.${one}`) }))}
          onChoose={(next) => filter({ state: next as (typeof states)[number] })}
        />
      </div>
      <PagedList
        result={result}
        paging={paging}
        empty={
          <EmptyState
            kind="noMatch"
            title={t(state.state === 'open' ? 'nothingOpen' : 'noMatch')}
            action={
              state.state !== 'all' && (
                <Button variant="outlined" onClick={() => filter({ state: 'all' })}>
                  {t('showAll')}
                </Button>
              )
            }
          >
            {state.state === 'open' && t('nothingOpenText')}
          </EmptyState>
        }
      >
        {(rows) => <Texts key={tag} site={site} tag={tag} rows={rows} mayTranslate={mayTranslate} />}
      </PagedList>
    </>
  );
}
