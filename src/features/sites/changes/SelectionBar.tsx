import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { SitesChange } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { PlainButton } from '@/ui/PlainButton';
import { changesListener, nameOfChange, siteChangesRequested } from './siteChangesListeners';
import type { Selection } from '../useSiteList';

/** Tabs that one click opens. */
const tabsMost = 10;

/** Opens sites in tabs; the number of those that the browser allowed. Browsers may allow only one for each click. */
const openTabs = (sites: readonly Site[]): number =>
  sites.slice(0, tabsMost).filter(({ id }) => {
    const tab = window.open(href('site', { siteId: id }), '_blank');
    if (tab) tab.opener = null;
    return tab !== null;
  }).length;

type Props = {
  readonly rows: readonly Site[];
  readonly selection: Selection;
  readonly onTags: (siteIds: readonly string[]) => void;
  /** Back into the list. */
  readonly onBack: () => void;
};

/** What can be done with the selected sites. Those that somebody may not change are reported with the reason. */
export default function SelectionBar({ rows, selection, onTags, onBack }: Props): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const format = useFormat();
  const dispatch = useAppDispatch();
  const chosen = rows.filter(({ id }) => selection.ids.has(id));
  const siteIds = chosen.map(({ id }) => id);
  const isArchive = chosen.every(({ state }) => state === 'archived');
  const isPinned = chosen.every(({ pinned }) => pinned);
  const mayAny = (action: 'site.rename' | 'site.archive') => chosen.some(({ role }) => mayOnSite(role, action));

  const make = (change: SitesChange) => {
    dispatch(changesListener);
    dispatch(siteChangesRequested({ steps: [{ siteIds, change }], name: nameOfChange(change) }));
    selection.clear();
  };
  /** The button is gone afterwards. */
  const selectAll = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (currentTarget.nextElementSibling instanceof HTMLElement) currentTarget.nextElementSibling.focus();
    selection.all();
  };
  const open = () => {
    const opened = openTabs(chosen);
    if (opened < chosen.length)
      dispatch(noticeShown({ tone: 'warning', message: { key: 'siteChanges:select.opened', values: { opened, total: chosen.length } } }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Tab' || !event.shiftKey || event.target !== event.currentTarget.querySelector('button')) return;
    event.preventDefault();
    onBack();
  };
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('select.bar')} tabIndex={-1} onKeyDown={onKeyDown}>
      <b role="status">{t('select.count', { count: chosen.length, n: format.number(chosen.length) })}</b>
      {chosen.length < rows.length && (
        <PlainButton data-quiet="" onClick={selectAll}>
          {t('select.everything', { n: format.number(rows.length) })}
        </PlainButton>
      )}
      {mayAny('site.rename') && (
        <PlainButton data-quiet="" onClick={() => onTags(siteIds)}>
          {t('select.tags')}
        </PlainButton>
      )}
      <PlainButton data-quiet="" onClick={() => make({ kind: 'pin', pinned: !isPinned })}>
        {t(isPinned ? 'menu.unpin' : 'menu.pin')}
      </PlainButton>
      {mayAny('site.archive') && (
        <PlainButton data-quiet="" onClick={() => make({ kind: 'move', to: isArchive ? 'open' : 'archived' })}>
          {t(isArchive ? 'menu.to.open' : 'menu.to.archived')}
        </PlainButton>
      )}
      <PlainButton data-quiet="" onClick={open}>
        {t('select.open')}
      </PlainButton>
      <PlainButton data-quiet="" className="plain-button clear" onClick={selection.clear}>
        {t('select.clear')}
      </PlainButton>
    </div>
  );
}
