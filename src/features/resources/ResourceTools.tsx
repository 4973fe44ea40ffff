import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceFilters, resourceLimits, resourceSorts } from '@contract/resources/terms';
import type { ResourceKind } from '@contract/resources/terms';
import type { Resource, ResourceFolder } from '@contract/resources/schemas';
import { useFormat } from '@/lib/format';
import { FilterSelect } from '@/ui/FilterSelect';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { SearchBox } from '@/ui/SearchBox';
import { Toggles } from '@/ui/Toggles';
import { MoveDialog, TagDialog } from './bulkDialogs';
import { isPicture } from './kinds';
import type { ResourceAddress } from './resourceAddress';
import { useResourceTagsQuery } from './resourcesApi';
import { StorageButton } from './storage/StorageButton';
import type { ResourceActions } from './useResourceActions';

export const resourceViews = ['grid', 'masonry', 'list'] as const;
export type ResourceView = (typeof resourceViews)[number];

/** Filters that say something about every kind; the others are about images. */
const general: readonly string[] = ['unused', 'duplicates'];

/** Search, filters, order and layout of the list. Duplicates are neither searched nor ordered. */
export function ResourceTools({
  siteId,
  kind,
  state,
  search,
  view,
  onFilter,
  onView,
  onDescribe,
}: {
  readonly siteId: string;
  readonly kind: ResourceKind;
  readonly state: ResourceAddress;
  readonly search: { readonly value: string; readonly onChange: (q: string) => void };
  readonly view: ResourceView;
  readonly onFilter: (change: Partial<ResourceAddress>) => void;
  readonly onView: (view: ResourceView) => void;
  /** Opens the editor of alternative texts; null where there is no button for it. */
  readonly onDescribe: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('resources');
  const { data: tags = [] } = useResourceTagsQuery({ siteId });
  const isList = state.bin || state.filter !== 'duplicates';
  const filters = resourceFilters.filter(
    (filter) => (filter !== 'duplicates' || !state.bin) && (kind === 'image' || general.includes(filter) || (filter === 'noAlt' && kind === 'svg')),
  );
  return (
    <div className="resource-tools">
      {isList && <SearchBox label={t('tools.search')} value={search.value} onChange={search.onChange} maxLength={200} />}
      <FilterSelect
        label={t('tools.filter')}
        value={state.filter}
        choices={[{ value: 'any', label: t('filter.any') }, ...filters.map((filter) => ({ value: filter, label: t(`filter.${filter}`) }))]}
        onChoose={(next) =>
          onFilter({ filter: filters.find((one) => one === next) ?? 'any', ...(next === 'duplicates' ? { q: '', tag: '', folder: '' } : {}) })
        }
      />
      {isList && (tags.length > 0 || state.tag !== '') && (
        <FilterSelect
          label={t('tools.tag')}
          value={state.tag}
          choices={[{ value: '', label: t('tools.anyTag') }, ...tags.map(({ tag, count }) => ({ value: tag, label: t('tools.tagCount', { tag, count }) }))]}
          onChoose={(tag) => onFilter({ tag })}
        />
      )}
      {isList && (
        <FilterSelect
          label={t('tools.sort')}
          value={state.sort}
          choices={resourceSorts.map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
          onChoose={(next) => onFilter({ sort: resourceSorts.find((one) => one === next) ?? 'newest' })}
        />
      )}
      <span className="resource-tools-side">
        {onDescribe && <PlainButton onClick={onDescribe}>{t('altTexts.open')}</PlainButton>}
        <StorageButton siteId={siteId} />
        {!state.bin && (
          <PlainButton data-quiet="" onClick={() => onFilter({ bin: true, folder: '', ...(state.filter === 'duplicates' ? { filter: 'any' } : {}) })}>
            {t('bin.open')}
          </PlainButton>
        )}
        {isList && (
          <Toggles
            label={t('tools.view')}
            value={view}
            choices={[
              { value: 'grid', label: t('tools.grid'), icon: <Icon name="cards" /> },
              ...(isPicture(kind) ? [{ value: 'masonry' as const, label: t('tools.masonry'), icon: <Icon name="dashboard" /> }] : []),
              { value: 'list', label: t('tools.list'), icon: <Icon name="rows" /> },
            ]}
            onChoose={onView}
          />
        )}
      </span>
    </div>
  );
}

/** Actions on the selected resources. `loaded`: how many are in the list so far. */
export function BulkBar({
  selected,
  loaded,
  folders,
  current,
  bin,
  actions,
  onAll,
  onClear,
}: {
  readonly selected: readonly Resource[];
  readonly loaded: number;
  readonly folders: readonly ResourceFolder[];
  /** Id of the folder that is open, if one is. */
  readonly current: string;
  readonly bin: boolean;
  readonly actions: ResourceActions;
  readonly onAll: () => void;
  readonly onClear: () => void;
}): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const [dialog, setDialog] = useState<'move' | 'tag' | null>(null);
  const [busy, setBusy] = useState(false);
  const ids = selected.map(({ id }) => id);
  const count = ids.length;
  const run = async (work: () => Promise<boolean>): Promise<boolean> => {
    setBusy(true);
    const done = await work();
    if (done) onClear();
    setBusy(false);
    return done;
  };
  const button = (label: string, onClick: () => void, danger = false) => (
    <PlainButton data-quiet="" disabled={busy} {...(danger ? { 'data-danger': '' } : {})} onClick={onClick}>
      {label}
    </PlainButton>
  );
  return (
    <div className="resource-bulk bottom-bar" role="toolbar" aria-label={t('bulk.label')}>
      <b role="status">{t('bulk.selected', { count, number: format.number(count) })}</b>
      {!bin && button(t('move.do'), () => setDialog('move'))}
      {!bin && button(t('tags.do'), () => setDialog('tag'))}
      {!bin && selected.every(({ kind }) => kind === 'svg') && button(t('svg.sprite'), () => void actions.sprite(ids))}
      {!bin && button(t('remove.do'), () => void run(() => actions.remove(ids)), true)}
      {bin && button(t('bin.restore'), () => void run(() => actions.restore(ids)))}
      {bin && button(t('purge.do'), () => void run(() => actions.purge(ids)), true)}
      <span className="resource-tools-side">
        {button(
          loaded > resourceLimits.bulk ? t('select.first', { number: format.number(resourceLimits.bulk) }) : t('select.all', { number: format.number(loaded) }),
          onAll,
        )}
        {button(t('bulk.clear'), onClear)}
      </span>
      {dialog === 'move' && (
        <MoveDialog
          count={count}
          folders={folders}
          current={current}
          onMove={(folder) => run(() => actions.move(ids, folder))}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'tag' && <TagDialog count={count} onTag={(add, remove) => run(() => actions.tag(ids, add, remove))} onClose={() => setDialog(null)} />}
    </div>
  );
}
