import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { oneOf, useSearchState } from '@/lib/searchState';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { AddressesEditor } from '../addresses/AddressesEditor';
import { useSitePartsQuery } from '../publishingApi';
import { RedirectsEditor } from '../redirects/RedirectsEditor';
import { useThemeQuery } from '../theme/themeApi';
import { MenusEditor } from './MenusEditor';

const parts = ['menus', 'addresses', 'redirects'] as const;
const address = { part: oneOf(parts, 'menus') };

/** How visitors get around: menus, addresses of records and pages, redirects. */
export function MenusTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  const [{ part }, change] = useSearchState(address);
  const result = useSitePartsQuery({ siteId: site.id });
  const { data: theme } = useThemeQuery({ siteId: site.id });
  const readOnly = !mayOnSite(site.role, 'site.compose');
  const manifest = theme?.manifest ?? null;
  const choices = parts.map((value) => ({ value, label: t(`part.${value === 'addresses' ? 'routes' : value}`) }));
  return (
    <>
      <div className="publishing-parts">
        <Toggles label={t('menu.parts')} value={part} choices={choices} onChoose={(next) => change({ part: next }, 'push')} />
      </div>
      <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
        {(stored) => {
          const props = { site, parts: stored, manifest, readOnly };
          if (part === 'redirects') return <RedirectsEditor {...props} />;
          return part === 'addresses' ? <AddressesEditor {...props} /> : <MenusEditor {...props} />;
        }}
      </ResultState>
    </>
  );
}
