import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@/ui/Icon';
import { Kbd } from '@/ui/Kbd';
import { SearchBox } from '@/ui/SearchBox';
import { Toggles } from '@/ui/Toggles';
import { shows, sorts, stateFilters } from './siteRows';
import type { Show, SiteSort, StateFilter } from './siteRows';

export type HomeView = 'cards' | 'table';
export const homeViews = ['cards', 'table'] as const;

type Props = {
  readonly q: string;
  readonly show: Show;
  /** null if all sites are in the same state. */
  readonly state: StateFilter | null;
  /** Tags to choose from, and the chosen one; '' for all sites. */
  readonly tags: readonly { readonly name: string; readonly count: number }[];
  readonly tag: string;
  readonly sort: SiteSort;
  /** null if there is no choice. */
  readonly view: HomeView | null;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly onSearch: (q: string) => void;
  readonly onShow: (show: Show) => void;
  readonly onState: (state: StateFilter) => void;
  readonly onTag: (tag: string) => void;
  readonly onSort: (sort: SiteSort) => void;
  readonly onView: (view: HomeView) => void;
  readonly onLeaveSearch: () => void;
};

/** Escape clears it; ArrowDown and Enter move to the first site. */
function SiteSearch({ q, searchBox, onSearch, onLeaveSearch }: Pick<Props, 'q' | 'searchBox' | 'onSearch' | 'onLeaveSearch'>): ReactElement {
  const { t } = useTranslation('sites');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && q !== '') {
      event.stopPropagation();
      onSearch('');
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      onLeaveSearch();
    }
  };
  return (
    <SearchBox
      inputRef={searchBox}
      value={q}
      label={t('search.label')}
      placeholder={t('search.placeholder')}
      maxLength={200}
      onChange={onSearch}
      onKeyDown={onKeyDown}
    >
      {q === '' && <Kbd keys="/" />}
    </SearchBox>
  );
}

/** Search, filter, order and layout. The bin has no search or order. */
export function HomeBar({
  q,
  show,
  state,
  tags,
  tag,
  sort,
  view,
  searchBox,
  onSearch,
  onShow,
  onState,
  onTag,
  onSort,
  onView,
  onLeaveSearch,
}: Props): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <div className="home-bar">
      <Toggles label={t('show.label')} value={show} choices={shows.map((one) => ({ value: one, label: t(`show.${one}`) }))} onChoose={onShow} />
      {show !== 'bin' && (
        <div className="side">
          <SiteSearch q={q} searchBox={searchBox} onSearch={onSearch} onLeaveSearch={onLeaveSearch} />
          {state !== null && (
            <select className="home-sort" value={state} aria-label={t('state.label')} onChange={(event) => onState(event.target.value as StateFilter)}>
              {stateFilters.map((one) => (
                <option key={one} value={one}>
                  {t(`state.${one}`)}
                </option>
              ))}
            </select>
          )}
          {(tags.length > 0 || tag !== '') && (
            <select className="home-sort" value={tag} aria-label={t('tags.filter')} onChange={(event) => onTag(event.target.value)}>
              <option value="">{t('tags.any')}</option>
              {!tags.some(({ name }) => name === tag) && tag !== '' && <option value={tag}>{tag}</option>}
              {tags.map(({ name, count }) => (
                <option key={name} value={name}>
                  {t('tags.count', { name, n: count })}
                </option>
              ))}
            </select>
          )}
          <select className="home-sort" value={sort} aria-label={t('sort.label')} onChange={(event) => onSort(event.target.value as SiteSort)}>
            {sorts.map((one) => (
              <option key={one} value={one}>
                {t(`sort.${one}`)}
              </option>
            ))}
          </select>
          {view !== null && (
            <Toggles
              label={t('view.label')}
              value={view}
              choices={homeViews.map((one) => ({ value: one, label: t(`view.${one}`), icon: <Icon name={one === 'cards' ? 'cards' : 'rows'} /> }))}
              onChoose={onView}
            />
          )}
        </div>
      )}
    </div>
  );
}
