import { Alert, Button } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { tagsOf } from '@contract/languages/tags';
import type { Route, RoutesPart } from '@contract/publishing/parts';
import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import type { ThemeManifest } from '@contract/publishing/theme';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { useTablesQuery } from '@/features/tables/tablesApi';
import { removeRow } from '@/lib/removeRow';
import { Section } from '@/ui/Section';
import { PartForm } from '../PartForm';
import { SettingRow } from '../SettingRow';
import { usePartDraft } from '../usePartDraft';
import { useTextIn } from '../useTextIn';
import { CollectionDialog } from './CollectionDialog';
import { collectionRoutes, conflictOf, destinationsOf, pageTemplates, putRoute, removeRoute, templateRoutes } from './routeList';
import type { CollectionRoute, Indexed, TemplateRoute } from './routeList';
import { TemplateDialog } from './TemplateDialog';

type ListProps = {
  readonly manifest: ThemeManifest | null;
  readonly routes: RoutesPart;
  readonly readOnly: boolean;
  readonly onRemove: (at: number, button: HTMLElement) => void;
};

function RowButtons({
  name,
  onEdit,
  onRemove,
}: {
  readonly name: string;
  readonly onEdit: (() => void) | null;
  readonly onRemove: (button: HTMLElement) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <>
      {onEdit && (
        <Button aria-label={t('menu.editOf', { name })} onClick={onEdit}>
          {t('menu.edit')}
        </Button>
      )}
      <Button aria-label={t('menu.removeOf', { name })} onClick={({ currentTarget }) => onRemove(currentTarget)}>
        {t('menu.remove')}
      </Button>
    </>
  );
}

/** Collections of the theme with their tables (null until they have loaded), and routes of collections that another theme had. */
function Collections({
  manifest,
  routes,
  tables,
  readOnly,
  onRemove,
  onEdit,
}: ListProps & {
  readonly tables: readonly ContentTable[] | null;
  readonly onEdit: (key: string, found: Indexed<CollectionRoute> | null) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const found = collectionRoutes(routes);
  const unused = Object.keys(manifest?.collections ?? {}).filter((key) => !found.some(({ route }) => route.collection === key));
  const titleOf = (key: string): string => textIn(manifest?.collections[key]?.title) || key;
  const tableOf = (id: string): string => (tables === null ? '…' : (tables.find((table) => table.id === id)?.title ?? t('address.tableMissing')));
  return (
    <ul className="address-list">
      {found.map((one) => {
        const { collection, table, listPath, recordPath } = one.route;
        const paths = [listPath, recordPath].filter((path) => path !== null);
        const isKnown = manifest?.collections[collection] !== undefined;
        const places = paths.length === 0 ? t('address.noPages') : paths.join(' · ');
        return (
          <SettingRow
            key={one.at}
            name={titleOf(collection)}
            detail={`${t('address.from', { table: tableOf(table) })} · ${isKnown || manifest === null ? places : t('address.unknownCollection')}`}
            actions={
              !readOnly && (
                <RowButtons
                  name={titleOf(collection)}
                  onEdit={isKnown ? () => onEdit(collection, one) : null}
                  onRemove={(button) => onRemove(one.at, button)}
                />
              )
            }
          />
        );
      })}
      {unused.map((key) => (
        <SettingRow
          key={key}
          name={titleOf(key)}
          detail={t('address.unused')}
          actions={
            !readOnly && (
              <Button variant="outlined" aria-label={t('address.connectOf', { name: titleOf(key) })} onClick={() => onEdit(key, null)}>
                {t('address.connect')}
              </Button>
            )
          }
        />
      ))}
    </ul>
  );
}

/** Pages at addresses of their own. */
function Pages({ manifest, routes, readOnly, onRemove, onEdit }: ListProps & { readonly onEdit: (found: Indexed<TemplateRoute>) => void }): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const found = templateRoutes(routes);
  if (found.length === 0) return <p className="publishing-quiet">{t('address.noOwnPages')}</p>;
  return (
    <ul className="address-list">
      {found.map((one) => {
        const { path, template, title } = one.route;
        const name = textIn(manifest?.templates[template]?.label) || template;
        const isKnown = manifest === null || manifest.templates[template] !== undefined;
        return (
          <SettingRow
            key={one.at}
            name={path}
            detail={`${textIn(title) || name}${isKnown ? '' : ` · ${t('address.unknownTemplate')}`}`}
            actions={!readOnly && <RowButtons name={path} onEdit={manifest ? () => onEdit(one) : null} onRemove={(button) => onRemove(one.at, button)} />}
          />
        );
      })}
    </ul>
  );
}

type Props = { readonly site: Site; readonly parts: SiteParts; readonly manifest: ThemeManifest | null; readonly readOnly: boolean };
type Edited =
  | { readonly kind: 'collection'; readonly key: string; readonly found: Indexed<CollectionRoute> | null }
  | { readonly kind: 'page'; readonly found: Indexed<TemplateRoute> | null };

/** The dialog of the route that is edited, or of a new one. */
function EditedRoute({
  edited,
  manifest,
  routes,
  tables,
  languages,
  onClose,
  onChange,
}: {
  readonly edited: Edited;
  readonly manifest: ThemeManifest;
  readonly routes: RoutesPart;
  readonly tables: readonly ContentTable[];
  readonly languages: readonly string[];
  readonly onClose: () => void;
  readonly onChange: (routes: RoutesPart) => void;
}): ReactElement {
  const at = edited.found?.at ?? null;
  const common = {
    manifest,
    conflictOf: (route: Route) => conflictOf(putRoute(routes, at, route), at ?? routes.length),
    onClose,
    onDone: (route: Route) => {
      onClose();
      onChange(putRoute(routes, at, route));
    },
  };
  return edited.kind === 'collection' ? (
    <CollectionDialog {...common} collectionKey={edited.key} route={edited.found?.route ?? null} tables={tables} />
  ) : (
    <TemplateDialog {...common} route={edited.found?.route ?? null} languages={languages} />
  );
}

/** The addresses of a site: records of tables as collections of the theme, and pages of their own. */
export function AddressesEditor({ site, parts, manifest, readOnly }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const draft = usePartDraft(site.id, 'routes', parts.routes);
  const { data: tables = null } = useTablesQuery({ siteId: site.id });
  const [edited, setEdited] = useState<Edited | null>(null);
  const routes = draft.content;
  const addButton = useRef<HTMLButtonElement>(null);
  const onRemove = (at: number, button: HTMLElement): void => {
    if (!removeRow(button, () => draft.change(removeRoute(routes, at)))) addButton.current?.focus();
  };
  const list = { manifest, routes, readOnly, onRemove };
  const count = (some: RoutesPart): string => t('address.count', { count: some.length });
  const mayAdd = !readOnly && manifest !== null && pageTemplates(manifest).length > 0 && routes.length < publishingLimits.routes;
  return (
    <PartForm
      label={t('part.routes')}
      draft={draft}
      readOnly={readOnly}
      differences={(mine, theirs) => [{ label: t('part.routes'), mine: count(mine), theirs: count(theirs) }]}
    >
      {!destinationsOf(routes).paths.includes('/') && manifest?.templates['home'] === undefined && (
        <Alert severity="info" variant="outlined">
          {t('address.noHome')}
        </Alert>
      )}
      <Section title={t('address.collections')} note={t('address.collectionsNote')}>
        <Collections {...list} tables={tables} onEdit={(key, found) => setEdited({ kind: 'collection', key, found })} />
      </Section>
      <Section
        title={t('address.pages')}
        note={t('address.pagesNote')}
        actions={
          mayAdd && (
            <Button ref={addButton} variant="outlined" onClick={() => setEdited({ kind: 'page', found: null })}>
              {t('address.addPage')}
            </Button>
          )
        }
      >
        <Pages {...list} onEdit={(found) => setEdited({ kind: 'page', found })} />
      </Section>
      {edited && manifest && (
        <EditedRoute
          edited={edited}
          manifest={manifest}
          routes={routes}
          tables={tables ?? []}
          languages={tagsOf(parts.languages.content)}
          onClose={() => setEdited(null)}
          onChange={draft.change}
        />
      )}
    </PartForm>
  );
}
