import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { useTexts } from '@/lib/useTexts';
import type { Selection } from './useSiteList';

/** Selects a site for a change of many. With Shift, all sites since the last one. */
export function PickSite({ site, selection }: { readonly site: Site; readonly selection: Selection }): ReactElement {
  const t = useTexts('sites');
  return (
    <label className="pick-area">
      <input
        type="checkbox"
        className="pick"
        tabIndex={-1}
        aria-label={t('select.one', { name: site.name })}
        checked={selection.ids.has(site.id)}
        // A click in every browser, also by the keyboard.
        onChange={(event) => selection.pick(site.id, (event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
