import { Button } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { tagsOf } from '@contract/languages/tags';
import type { MenusPart } from '@contract/publishing/parts';
import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import type { ThemeManifest } from '@contract/publishing/theme';
import type { Site } from '@contract/sites/schemas';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { Section } from '@/ui/Section';
import { PartForm } from '../PartForm';
import { usePartDraft } from '../usePartDraft';
import { useTextIn } from '../useTextIn';
import { destinationsOf } from '../addresses/routeList';
import { ItemDialog } from './ItemDialog';
import { itemsOf, putItem, rowsOf } from './menuTree';
import type { MenuRow } from './menuTree';
import { MenuTree } from './MenuTree';

/** Menus of the theme first, then those that only the site has. */
const keysOf = (menus: MenusPart, manifest: ThemeManifest | null): string[] => [...new Set([...Object.keys(manifest?.menus ?? {}), ...Object.keys(menus)])];

const NewKey = z.strictObject({ key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/) });

/** A menu that the theme does not declare, under a key that templates use. */
function KeyDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: (key: string) => void }): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(NewKey, { defaultValues: { key: '' } });
  return (
    <FormDialog
      form={form}
      title={t('menu.addMenu')}
      lead={t('menu.keyLead')}
      submitLabel={t('menu.addSubmit')}
      onSubmit={({ key }) => onDone(key)}
      onClose={onClose}
    >
      <TextField control={form.control} name="key" label={t('menu.key')} verbatim autoFocus maxLength={40} messages={{ pattern: t('menu.keyPattern') }} />
    </FormDialog>
  );
}

type Props = { readonly site: Site; readonly parts: SiteParts; readonly manifest: ThemeManifest | null; readonly readOnly: boolean };
/** An item that is edited, or a new one (null), in a menu. */
type Edited = { readonly key: string; readonly item: MenuRow['item'] | null };

function MenuSection({
  site,
  title,
  menu,
  readOnly,
  onChange,
  onEdit,
  onRemove,
}: {
  readonly site: Site;
  readonly title: string;
  readonly menu: MenusPart[string];
  readonly readOnly: boolean;
  readonly onChange: (menu: MenusPart[string]) => void;
  readonly onEdit: (item: MenuRow['item'] | null) => void;
  /** Null for menus of the theme. */
  readonly onRemove: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const addButton = useRef<HTMLButtonElement>(null);
  const rows = rowsOf(menu);
  const isFull = rows.length >= publishingLimits.menuItems;
  return (
    <Section
      title={title}
      actions={
        !readOnly && (
          <>
            {onRemove && (
              <Button aria-label={t('menu.removeMenuOf', { name: title })} onClick={onRemove}>
                {t('menu.removeMenu')}
              </Button>
            )}
            <Button ref={addButton} variant="outlined" disabled={isFull} aria-label={t('menu.addTo', { name: title })} onClick={() => onEdit(null)}>
              {t('menu.add')}
            </Button>
          </>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="publishing-quiet">{t('menu.empty')}</p>
      ) : (
        <MenuTree
          site={site}
          rows={rows}
          readOnly={readOnly}
          onChange={(next) => onChange(itemsOf(next))}
          onEdit={({ item }) => onEdit(item)}
          onEmptied={() => addButton.current?.focus()}
        />
      )}
    </Section>
  );
}

/** The menus of a site. */
export function MenusEditor({ site, parts, manifest, readOnly }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const draft = usePartDraft(site.id, 'menus', parts.menus);
  const [edited, setEdited] = useState<Edited | null>(null);
  const [isNaming, setNaming] = useState(false);
  const menus = draft.content;
  const titleOf = (key: string): string => textIn(manifest?.menus[key]) || key;
  const change = (key: string, menu: MenusPart[string]): void => draft.change({ ...menus, [key]: menu });
  const remove = (key: string): void => draft.change(Object.fromEntries(Object.entries(menus).filter(([one]) => one !== key)));
  const count = (menu: MenusPart[string] | undefined): string => t('menu.count', { count: rowsOf(menu ?? []).length });
  const differences = (mine: MenusPart, theirs: MenusPart) =>
    keysOf({ ...mine, ...theirs }, null)
      .filter((key) => JSON.stringify(mine[key]) !== JSON.stringify(theirs[key]))
      .map((key) => ({ label: titleOf(key), mine: count(mine[key]), theirs: count(theirs[key]) }));
  const keys = keysOf(menus, manifest);
  return (
    <PartForm
      label={t('menu.title')}
      draft={draft}
      readOnly={readOnly}
      differences={differences}
      tools={
        <Button variant="outlined" onClick={() => setNaming(true)}>
          {t('menu.addMenu')}
        </Button>
      }
    >
      <p className="publishing-quiet">{t(readOnly ? 'menu.leadRead' : 'menu.lead')}</p>
      {keys.map((key) => (
        <MenuSection
          key={key}
          site={site}
          title={titleOf(key)}
          menu={menus[key] ?? []}
          readOnly={readOnly}
          onChange={(menu) => change(key, menu)}
          onEdit={(item) => setEdited({ key, item })}
          onRemove={manifest?.menus[key] ? null : () => remove(key)}
        />
      ))}
      {keys.length === 0 && <p className="publishing-quiet">{t('menu.none')}</p>}
      {isNaming && (
        <KeyDialog
          onClose={() => setNaming(false)}
          onDone={(key) => {
            setNaming(false);
            if (!(key in menus)) change(key, []);
          }}
        />
      )}
      {edited && (
        <ItemDialog
          site={site}
          item={edited.item}
          languages={tagsOf(parts.languages.content)}
          destinations={destinationsOf(parts.routes.content)}
          onClose={() => setEdited(null)}
          onDone={(item) => {
            setEdited(null);
            change(edited.key, itemsOf(putItem(rowsOf(menus[edited.key] ?? []), item)));
          }}
        />
      )}
    </PartForm>
  );
}
