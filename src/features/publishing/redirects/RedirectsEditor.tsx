import { Button } from '@mui/material';
import { useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import { withoutChains } from '@contract/seo/redirectGraph';
import type { HostRule, RedirectProblem } from '@contract/seo/redirectGraph';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { useToday } from '@/lib/useToday';
import { removeRow } from '@/lib/removeRow';
import { EmptyState } from '@/ui/EmptyState';
import { SearchBox } from '@/ui/SearchBox';
import { PartForm } from '../PartForm';
import { usePartDraft } from '../usePartDraft';
import { ImportDialog } from './ImportDialog';
import { RedirectDialog } from './RedirectDialog';
import { problemsOf, putRedirects, siteOf } from './redirectRules';
import type { Redirect, RedirectList } from './redirectRules';
import { RedirectTable } from './RedirectTable';
import type { Found, Use } from './RedirectTable';
import { RedirectTester } from './RedirectTester';

/** How many redirects need attention, and the way to end chains. */
function Problems({
  problems,
  onShorten,
}: {
  readonly problems: ReadonlyMap<number, RedirectProblem>;
  readonly onShorten: (() => void) | null;
}): ReactElement | null {
  const { t } = useTranslation('publishing');
  const all = [...problems.values()];
  const count = (...codes: RedirectProblem['code'][]): number => all.filter(({ code }) => codes.includes(code)).length;
  const [loops, chains, duplicates] = [count('loop', 'endless'), count('chain'), count('duplicate')];
  if (all.length === 0) return null;
  return (
    <div className="publishing-buttons">
      <p role="status" className={loops > 0 ? 'publishing-failure' : 'publishing-quiet'}>
        {[
          loops > 0 ? t('redirect.loops', { count: loops }) : '',
          chains > 0 ? t('redirect.chains', { count: chains }) : '',
          duplicates > 0 ? t('redirect.duplicates', { count: duplicates }) : '',
        ]
          .filter((text) => text !== '')
          .join(' ')}
      </p>
      {chains > 0 && onShorten && <Button onClick={onShorten}>{t('redirect.shorten')}</Button>}
    </div>
  );
}

/** Uses of redirects, and the hostnames that they share addresses with. */
export type RedirectUse = {
  readonly primary: string | null;
  readonly hosts: readonly ({ readonly host: string } & HostRule)[];
  readonly hits: readonly ({ readonly from: string } & Use)[];
};
/** `null`: a new redirect; `many`: a dialog for a file or many lines. */
type Open = { readonly found: Found | null } | 'many';

type Props = {
  readonly site: Site;
  readonly parts: SiteParts;
  readonly readOnly: boolean;
  /** Absent: uses are not shown, and hostnames are not followed. */
  readonly use?: RedirectUse;
  /** Searched for at first. */
  readonly find?: string;
  /** The path of a new redirect, whose dialog is open at first; empty: none. */
  readonly from?: string;
};

/** The redirects of a site: add, edit, remove, import, find, test. Loops are named before saving, which refuses them. */
export function RedirectsEditor({ site, parts, readOnly, use, find = '', from: newPath = '' }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const today = useToday(site.timeZone);
  const draft = usePartDraft(site.id, 'redirects', parts.redirects);
  const [text, setText] = useState(find);
  const [open, setOpen] = useState<Open | null>(newPath === '' || readOnly ? null : { found: null });
  const addButton = useRef<HTMLButtonElement>(null);
  const redirects = draft.content;
  const hosts = useMemo(() => siteOf(use ?? null), [use]);
  const uses = useMemo(() => use && new Map(use.hits.map((one) => [one.from, one])), [use]);
  const problems = useMemo(() => problemsOf(redirects, hosts), [redirects, hosts]);
  const q = text.trim().toLowerCase();
  const rows = redirects
    .map((redirect, at) => ({ redirect, at }))
    .filter(({ redirect: { from, to, note } }) => `${from}\n${to}\n${note}`.toLowerCase().includes(q));
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
            {t('redirect.import')}
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
          <Problems problems={problems} onShorten={readOnly ? null : () => draft.change(withoutChains(redirects, hosts))} />
          {rows.length === 0 ? (
            <p className="publishing-quiet">{t('redirect.noMatch')}</p>
          ) : (
            <RedirectTable
              rows={rows}
              problems={problems}
              uses={uses ?? null}
              today={today}
              readOnly={readOnly}
              onEdit={(found) => setOpen({ found })}
              onRemove={(found, button) => {
                if (!removeRow(button, () => draft.change(without(found)))) addButton.current?.focus();
              }}
            />
          )}
          <RedirectTester redirects={redirects} site={hosts} />
        </>
      )}
      {open === 'many' && <ImportDialog redirects={redirects} site={hosts} onClose={() => setOpen(null)} onDone={put} />}
      {open !== null && open !== 'many' && (
        <RedirectDialog
          redirect={open.found?.redirect ?? null}
          path={newPath}
          onClose={() => setOpen(null)}
          onDone={(redirect) => put([redirect], open.found?.redirect.from === redirect.from || !open.found ? redirects : without(open.found))}
        />
      )}
    </PartForm>
  );
}
