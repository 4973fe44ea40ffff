import { Button } from '@mui/material';
import { useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteParts } from '@contract/publishing/schemas';
import { redirectPatternLimits } from '@contract/publishing/redirectPattern';
import { publishingLimits } from '@contract/publishing/terms';
import { withoutChains } from '@contract/seo/redirectGraph';
import type { HostRule, RedirectProblem, RedirectSite } from '@contract/seo/redirectGraph';
import type { Site } from '@contract/sites/schemas';
import { csvText, saveText } from '@/lib/csvFile';
import { useFormat } from '@/lib/format';
import { useToday } from '@/lib/useToday';
import { removeRow } from '@/lib/removeRow';
import { EmptyState } from '@/ui/EmptyState';
import { SearchBox } from '@/ui/SearchBox';
import { PartForm } from '../PartForm';
import { usePartDraft } from '../usePartDraft';
import { ImportDialog } from './ImportDialog';
import { RedirectDialog } from './RedirectDialog';
import { movePattern, patternPlaces, problemsOf, putRedirects, replaceRedirect, siteOf } from './redirectRules';
import type { Redirect, RedirectList } from './redirectRules';
import { RedirectedPages } from './RedirectedPages';
import { RedirectTable } from './RedirectTable';
import type { Found, Use } from './RedirectTable';
import { RedirectTester } from './RedirectTester';

/** How many redirects need attention, and the way to end chains. */
function Problems({
  problems,
  hasPatterns,
  onShorten,
}: {
  readonly problems: ReadonlyMap<number, RedirectProblem>;
  readonly hasPatterns: boolean;
  readonly onShorten: (() => void) | null;
}): ReactElement | null {
  const { t } = useTranslation('publishing');
  const all = [...problems.values()];
  const count = (...codes: RedirectProblem['code'][]): number => all.filter(({ code }) => codes.includes(code)).length;
  const [loops, chains, duplicates, covered] = [count('loop', 'endless'), count('chain'), count('duplicate'), count('covered')];
  const note = hasPatterns ? <p className="publishing-quiet">{t('redirect.patternCheck')}</p> : null;
  if (all.length === 0) return note;
  return (
    <>
      <div className="publishing-buttons">
        <p role="status" className={loops > 0 ? 'publishing-failure' : 'publishing-quiet'}>
          {[
            loops > 0 ? t('redirect.loops', { count: loops }) : '',
            chains > 0 ? t('redirect.chains', { count: chains }) : '',
            duplicates > 0 ? t('redirect.duplicates', { count: duplicates }) : '',
            covered > 0 ? t('redirect.coveredCount', { count: covered }) : '',
          ]
            .filter((text) => text !== '')
            .join(' ')}
        </p>
        {onShorten && all.some(({ target }) => target !== null) && <Button onClick={onShorten}>{t('redirect.shorten')}</Button>}
      </div>
      {note}
    </>
  );
}

const columns = ['from', 'to', 'status', 'note', 'expires'];
/** A file that the import reads again as it is. */
const saveCsv = (redirects: RedirectList): void =>
  saveText(
    'redirects.csv',
    'text/csv',
    csvText([columns, ...redirects.map(({ from, to, status, note, expiresOn }) => [from, to, status, note, expiresOn ?? ''])]),
  );

/** Uses of redirects, and the hostnames that they share addresses with. */
export type RedirectUse = {
  readonly primary: string | null;
  readonly hosts: readonly ({ readonly host: string } & HostRule)[];
  readonly hits: readonly ({ readonly from: string } & Use)[];
};
/** `null`: a new redirect; `many`: a dialog for a file or many lines. */
type Open = { readonly found: Found | null } | 'many';

/** What adds or edits redirects. */
function Dialogs({
  open,
  redirects,
  site,
  path,
  onClose,
  onChange,
}: {
  readonly open: Open;
  readonly redirects: RedirectList;
  readonly site: RedirectSite;
  /** Of a new redirect. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onChange: (redirects: RedirectList) => void;
}): ReactElement {
  const change = (next: RedirectList): void => {
    onClose();
    onChange(next);
  };
  const put = (added: readonly Redirect[]): void => change(putRedirects(redirects, added).slice(0, publishingLimits.redirects));
  if (open === 'many') return <ImportDialog redirects={redirects} site={site} onClose={onClose} onDone={put} />;
  return (
    <RedirectDialog
      redirect={open.found?.redirect ?? null}
      path={path}
      hasRoom={patternPlaces(redirects).length < redirectPatternLimits.patterns}
      onClose={onClose}
      onDone={(redirect) => (open.found ? change(replaceRedirect(redirects, open.found.at, redirect)) : put([redirect]))}
    />
  );
}

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
  const patterns = useMemo(() => patternPlaces(redirects), [redirects]);
  const q = text.trim().toLowerCase();
  const rows = redirects
    .map((redirect, at) => ({ redirect, at }))
    .filter(({ redirect: { from, to, note } }) => `${from}\n${to}\n${note}`.toLowerCase().includes(q));
  const count = (some: RedirectList): string => t('redirect.count', { count: some.length, countText: format.number(some.length) });
  const without = ({ at }: Found): RedirectList => redirects.filter((_one, index) => index !== at);
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
            <Button onClick={() => saveCsv(redirects)}>{t('redirect.export')}</Button>
          </div>
          <Problems problems={problems} hasPatterns={patterns.length > 0} onShorten={readOnly ? null : () => draft.change(withoutChains(redirects, hosts))} />
          <RedirectedPages siteId={site.id} redirects={redirects} site={hosts} today={today} />
          {rows.length === 0 ? (
            <p className="publishing-quiet">{t('redirect.noMatch')}</p>
          ) : (
            <RedirectTable
              rows={rows}
              patterns={patterns}
              problems={problems}
              uses={uses ?? null}
              today={today}
              readOnly={readOnly}
              onEdit={(found) => setOpen({ found })}
              onRemove={(found, button) => {
                if (!removeRow(button, () => draft.change(without(found)))) addButton.current?.focus();
              }}
              onMove={({ at }, by) => draft.change(movePattern(redirects, at, by))}
            />
          )}
          <RedirectTester redirects={redirects} site={hosts} />
        </>
      )}
      {open !== null && <Dialogs open={open} redirects={redirects} site={hosts} path={newPath} onClose={() => setOpen(null)} onChange={draft.change} />}
    </PartForm>
  );
}
