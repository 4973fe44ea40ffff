import { Button, Checkbox, FormControlLabel } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { tagsOf } from '@contract/languages/tags';
import { mayOnSite } from '@contract/permissions';
import type { SeoPage } from '@contract/seo/schemas';
import { pageProblems } from '@contract/seo/terms';
import type { Site } from '@contract/sites/schemas';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { useLanguageName } from '@/lib/languageName';
import { language, oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { SearchBox } from '@/ui/SearchBox';
import { Tag } from '@/ui/Tag';
import { originOf } from '../originOf';
import { useSeoPagesQuery } from '../seoApi';
import { BulkTools } from './BulkTools';
import { PageEditor } from './PageEditor';

const address = { q: text(), problem: oneOf(['', ...pageProblems], ''), tag: language(), page: whole(1), size: whole(20, 1, 100) };

type RowProps = {
  readonly site: Site;
  readonly tag: string;
  readonly page: SeoPage;
  readonly revision: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onSelect: (selected: boolean) => void;
};

function PageRow({ site, tag, page, revision, isOpen, isSelected, onOpen, onSelect }: RowProps): ReactElement {
  const { t } = useTranslation('seo');
  const mayEdit = mayOnSite(site.role, 'site.publish');
  return (
    <li className="seo-page">
      <div className="seo-page-line">
        {mayEdit && (
          <Checkbox
            size="small"
            checked={isSelected}
            onChange={(_event, on) => onSelect(on)}
            slotProps={{ input: { 'aria-label': t('pages.bulk.select', { path: page.path }) } }}
          />
        )}
        <span>
          <b>{page.title}</b>
          <code>{page.path}</code>
          <small>{page.description ?? t('pages.noDescription')}</small>
          <span className="seo-tags">
            {page.override !== null && <Tag>{t('pages.own')}</Tag>}
            {page.problems.map((problem) => (
              <Tag key={problem} tone={problem === 'noindex' ? 'info' : 'warning'}>
                {t(`problem.${problem}`)}
              </Tag>
            ))}
          </span>
        </span>
        {mayEdit && (
          <Button aria-expanded={isOpen} aria-label={t('pages.edit', { path: page.path })} onClick={() => onOpen(!isOpen)}>
            {t('pages.change')}
          </Button>
        )}
      </div>
      {isOpen && <PageEditor site={site} tag={tag} page={page} revision={revision} address={`${originOf(site)}${page.path}`} onClose={() => onOpen(false)} />}
    </li>
  );
}

type Selection = { readonly paths: ReadonlySet<string>; readonly onSelect: (some: readonly string[], isOn: boolean) => void };

function SelectAll({ rows, paths, onSelect }: Selection & { readonly rows: readonly SeoPage[] }): ReactElement {
  const { t } = useTranslation('seo');
  const all = rows.map(({ path }) => path);
  const selected = all.filter((path) => paths.has(path)).length;
  return (
    <FormControlLabel
      control={
        <Checkbox
          size="small"
          checked={selected === all.length}
          indeterminate={selected > 0 && selected < all.length}
          onChange={(_event, on) => onSelect(all, on)}
        />
      }
      label={t('pages.bulk.all')}
    />
  );
}

/** Titles, descriptions and indexing of every page, edited in place. */
export default function PagesTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('seo');
  const languageName = useLanguageName();
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(address, ['q', 'problem']);
  const { data: parts } = useSitePartsQuery({ siteId: site.id });
  const languages = parts ? tagsOf(parts.languages.content) : [];
  const tag = languages.find((one) => one === state.tag) ?? languages[0] ?? site.defaultLang;
  const result = useSeoPagesQuery({
    siteId: site.id,
    tag,
    page: paging.page,
    size: paging.size,
    ...(state.q === '' ? {} : { q: state.q }),
    ...(state.problem === '' ? {} : { problem: state.problem }),
  });
  const [open, setOpen] = useState<string | null>(null);
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set());
  const mayEdit = mayOnSite(site.role, 'site.publish');
  const select = (some: readonly string[], isOn: boolean): void =>
    setPaths(new Set(isOn ? [...paths, ...some] : [...paths].filter((path) => !some.includes(path))));
  const problems = [{ value: '', label: t('pages.anyProblem') }, ...pageProblems.map((value) => ({ value, label: t(`problem.${value}`) }))];
  return (
    <>
      <div className="seo-filters">
        <SearchBox label={t('pages.search')} {...search} />
        <FilterSelect
          label={t('pages.problem')}
          value={state.problem}
          choices={problems}
          onChoose={(problem) => filter({ problem: pageProblems.find((one) => one === problem) ?? '' })}
        />
        {languages.length > 1 && (
          <FilterSelect
            label={t('pages.language')}
            value={tag}
            choices={languages.map((value) => ({ value, label: languageName(value) }))}
            onChoose={(next) => filter({ tag: next })}
          />
        )}
      </div>
      <PagedList
        result={result}
        paging={paging}
        empty={
          isFiltered ? (
            <NoMatch title={t('pages.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t('pages.none')}>
              {t('pages.noneText')}
            </EmptyState>
          )
        }
      >
        {(rows, { revision }) => (
          <>
            {mayEdit && <BulkTools site={site} tag={tag} selected={rows.filter(({ path }) => paths.has(path))} onClear={() => setPaths(new Set())} />}
            {mayEdit && <SelectAll rows={rows} paths={paths} onSelect={select} />}
            <ul className="seo-pages" aria-label={t('tabs.pages')}>
              {rows.map((page) => (
                <PageRow
                  key={page.path}
                  site={site}
                  tag={tag}
                  page={page}
                  revision={revision}
                  isOpen={open === page.path}
                  isSelected={paths.has(page.path)}
                  onSelect={(isOn) => select([page.path], isOn)}
                  onOpen={(isOpen) => setOpen(isOpen ? page.path : null)}
                />
              ))}
            </ul>
          </>
        )}
      </PagedList>
    </>
  );
}
