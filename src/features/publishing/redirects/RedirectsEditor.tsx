import { Button } from '@mui/material';
import { useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { removeRow } from '@/lib/removeRow';
import { EmptyState } from '@/ui/EmptyState';
import { SearchBox } from '@/ui/SearchBox';
import { Tag } from '@/ui/Tag';
import { PartForm } from '../PartForm';
import { usePartDraft } from '../usePartDraft';
import { PasteDialog, RedirectDialog } from './RedirectDialogs';
import { putRedirects, warningsOf } from './redirectRules';
import type { Redirect, RedirectList, Warning } from './redirectRules';

/** Rows that are drawn at once. */
const pageSize = 100;

type Found = { readonly redirect: Redirect; readonly at: number };

function RedirectRow({
  redirect,
  warning,
  readOnly,
  onEdit,
  onRemove,
}: {
  readonly redirect: Redirect;
  readonly warning: Warning | undefined;
  readonly readOnly: boolean;
  readonly onEdit: () => void;
  readonly onRemove: (button: HTMLElement) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const { from, to, status } = redirect;
  return (
    <tr>
      <td>
        <code>{from}</code>
      </td>
      <td>
        {status === 410 ? <span className="publishing-quiet">{t('redirect.gone')}</span> : <code>{to}</code>}{' '}
        {warning && <Tag tone={warning === 'loop' ? 'bad' : 'warning'}>{t(`redirect.${warning}`)}</Tag>}
      </td>
      <td>{status}</td>
      {!readOnly && (
        <td>
          <Button aria-label={t('menu.editOf', { name: from })} onClick={onEdit}>
            {t('menu.edit')}
          </Button>
          <Button aria-label={t('menu.removeOf', { name: from })} onClick={({ currentTarget }) => onRemove(currentTarget)}>
            {t('menu.remove')}
          </Button>
        </td>
      )}
    </tr>
  );
}

type TableProps = {
  readonly rows: readonly Found[];
  readonly warnings: ReadonlyMap<number, Warning>;
  readonly readOnly: boolean;
  readonly onEdit: (found: Found) => void;
  readonly onRemove: (found: Found, button: HTMLElement) => void;
};

function RedirectTable({ rows, warnings, readOnly, onEdit, onRemove }: TableProps): ReactElement {
  const { t } = useTranslation('publishing');
  const [count, setCount] = useState(pageSize);
  return (
    <>
      <div className="redirect-frame">
        <table className="redirect-table" aria-label={t('part.redirects')}>
          <thead>
            <tr>
              <th scope="col">{t('redirect.from')}</th>
              <th scope="col">{t('redirect.to')}</th>
              <th scope="col">{t('redirect.status')}</th>
              {!readOnly && (
                <th scope="col">
                  <span className="only-read">{t('redirect.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((found) => (
              <RedirectRow
                key={found.redirect.from}
                redirect={found.redirect}
                warning={warnings.get(found.at)}
                readOnly={readOnly}
                onEdit={() => onEdit(found)}
                onRemove={(button) => onRemove(found, button)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > count && <Button onClick={() => setCount(count + pageSize)}>{t('redirect.more')}</Button>}
    </>
  );
}

/** How many redirects need attention. */
function Warnings({ warnings }: { readonly warnings: ReadonlyMap<number, Warning> }): ReactElement | null {
  const { t } = useTranslation('publishing');
  const all = [...warnings.values()];
  const loops = all.filter((one) => one === 'loop').length;
  const chains = all.length - loops;
  if (all.length === 0) return null;
  return (
    <p role="status" className={loops > 0 ? 'publishing-failure' : 'publishing-quiet'}>
      {[loops > 0 ? t('redirect.loops', { count: loops }) : '', chains > 0 ? t('redirect.chains', { count: chains }) : '']
        .filter((text) => text !== '')
        .join(' ')}
    </p>
  );
}

/** `null`: a new redirect; `many`: a dialog for many lines. */
type Open = { readonly found: Found | null } | 'many';

/** The redirects of a site: add, edit, remove, paste many, find. */
export function RedirectsEditor({ site, parts, readOnly }: { readonly site: Site; readonly parts: SiteParts; readonly readOnly: boolean }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const draft = usePartDraft(site.id, 'redirects', parts.redirects);
  const [text, setText] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const redirects = draft.content;
  const warnings = useMemo(() => warningsOf(redirects), [redirects]);
  const q = text.trim().toLowerCase();
  const rows = redirects.map((redirect, at) => ({ redirect, at })).filter(({ redirect: { from, to } }) => `${from}\n${to}`.toLowerCase().includes(q));
  const count = (some: RedirectList): string => t('redirect.count', { count: some.length, countText: format.number(some.length) });
  const without = ({ at }: Found): RedirectList => redirects.filter((_one, index) => index !== at);
  const put = (added: readonly Redirect[], from: RedirectList = redirects): void => {
    setOpen(null);
    draft.change(putRedirects(from, added).slice(0, publishingLimits.redirects));
  };
  return (
    <PartForm
      label={t('part.redirects')}
      draft={draft}
      readOnly={readOnly}
      differences={(mine, theirs) => [{ label: t('part.redirects'), mine: count(mine), theirs: count(theirs) }]}
      tools={
        <>
          <Button ref={addButton} variant="outlined" onClick={() => setOpen({ found: null })}>
            {t('redirect.add')}
          </Button>
          <Button variant="outlined" onClick={() => setOpen('many')}>
            {t('redirect.paste')}
          </Button>
        </>
      }
    >
      {redirects.length === 0 ? (
        <EmptyState ghost="rows" title={t('redirect.none')}>
          {t('redirect.noneText')}
        </EmptyState>
      ) : (
        <>
          <div className="publishing-buttons">
            <SearchBox label={t('redirect.find')} value={text} onChange={setText} maxLength={200} />
            <span className="publishing-quiet">{count(redirects)}</span>
          </div>
          <Warnings warnings={warnings} />
          {rows.length === 0 ? (
            <p className="publishing-quiet">{t('redirect.noMatch')}</p>
          ) : (
            <RedirectTable
              rows={rows}
              warnings={warnings}
              readOnly={readOnly}
              onEdit={(found) => setOpen({ found })}
              onRemove={(found, button) => {
                if (!removeRow(button, () => draft.change(without(found)))) addButton.current?.focus();
              }}
            />
          )}
        </>
      )}
      {open === 'many' && <PasteDialog onClose={() => setOpen(null)} onDone={put} />}
      {open !== null && open !== 'many' && (
        <RedirectDialog
          redirect={open.found?.redirect ?? null}
          onClose={() => setOpen(null)}
          onDone={(redirect) => put([redirect], open.found?.redirect.from === redirect.from || !open.found ? redirects : without(open.found))}
        />
      )}
    </PartForm>
  );
}
