import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { patternOf } from '@contract/publishing/redirectPattern';
import type { RedirectProblem } from '@contract/seo/redirectGraph';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import type { Redirect } from './redirectRules';

/** Rows that are drawn at once. */
const pageSize = 100;

export type Found = { readonly redirect: Redirect; readonly at: number };
/** Uses of a redirect in 90 days. */
export type Use = { readonly hits: number; readonly lastOn: string };

type RowProps = {
  readonly redirect: Redirect;
  /** Its place among the patterns, from 1; 0: it is none. */
  readonly place: number;
  /** How many patterns there are. */
  readonly patterns: number;
  readonly problem: RedirectProblem | undefined;
  /** Null: uses are not known here. */
  readonly use: Use | null | undefined;
  readonly today: string;
  readonly readOnly: boolean;
  readonly onEdit: () => void;
  readonly onRemove: (button: HTMLElement) => void;
  readonly onMove: (by: -1 | 1) => void;
};

function RedirectRow({ redirect, place, patterns, problem, use, today, readOnly, onEdit, onRemove, onMove }: RowProps): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const { from, to, status, note, origin, expiresOn } = redirect;
  const day = (date: string): string => format.date(`${date}T00:00:00Z`, { timeZone: 'UTC' });
  const name = patternOf(from) ?? from;
  const isBad = problem?.code === 'loop' || problem?.code === 'endless';
  return (
    <tr>
      <td>
        <code>{name}</code> {place > 0 && <Tag tone="info">{t('redirect.pattern', { n: place })}</Tag>}
        {(note !== '' || origin !== 'person') && (
          <div className="publishing-quiet">{[origin === 'person' ? '' : t(`redirect.origin.${origin}`), note].filter((part) => part !== '').join(' · ')}</div>
        )}
      </td>
      <td>
        {status === 410 ? <span className="publishing-quiet">{t('redirect.gone')}</span> : <code>{to}</code>}{' '}
        {problem && <Tag tone={isBad ? 'bad' : 'warning'}>{t(`redirect.${problem.code}`)}</Tag>}{' '}
        {expiresOn !== null && (
          <Tag tone={expiresOn < today ? 'warning' : 'info'}>{t(expiresOn < today ? 'redirect.expired' : 'redirect.until', { day: day(expiresOn) })}</Tag>
        )}
        {problem?.code === 'covered' && (
          <div className="publishing-quiet">{t('redirect.coveredBy', { from: patternOf(problem.locations[0] ?? '') ?? problem.locations[0] ?? '' })}</div>
        )}
        {isBad && <div className="publishing-quiet">{[name, ...problem.locations.slice(0, 5)].join(' → ')}</div>}
      </td>
      <td>{status}</td>
      {use !== undefined && (
        <td data-label={t('redirect.uses')}>{use === null ? '0' : t('redirect.used', { hits: format.number(use.hits), day: day(use.lastOn) })}</td>
      )}
      {!readOnly && (
        <td>
          {place > 1 && (
            <Button aria-label={t('redirect.upOf', { name })} onClick={() => onMove(-1)}>
              {t('redirect.up')}
            </Button>
          )}
          {place > 0 && place < patterns && (
            <Button aria-label={t('redirect.downOf', { name })} onClick={() => onMove(1)}>
              {t('redirect.down')}
            </Button>
          )}
          <Button aria-label={t('menu.editOf', { name })} onClick={onEdit}>
            {t('menu.edit')}
          </Button>
          <Button aria-label={t('menu.removeOf', { name })} onClick={({ currentTarget }) => onRemove(currentTarget)}>
            {t('menu.remove')}
          </Button>
        </td>
      )}
    </tr>
  );
}

type TableProps = {
  readonly rows: readonly Found[];
  /** Positions of the patterns, in their order. */
  readonly patterns: readonly number[];
  readonly problems: ReadonlyMap<number, RedirectProblem>;
  /** By old address; null: not known here. */
  readonly uses: ReadonlyMap<string, Use> | null;
  /** In the time zone of the site. */
  readonly today: string;
  readonly readOnly: boolean;
  readonly onEdit: (found: Found) => void;
  readonly onRemove: (found: Found, button: HTMLElement) => void;
  readonly onMove: (found: Found, by: -1 | 1) => void;
};

export function RedirectTable({ rows, patterns, problems, uses, today, readOnly, onEdit, onRemove, onMove }: TableProps): ReactElement {
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
              {uses && <th scope="col">{t('redirect.uses')}</th>}
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
                place={patterns.indexOf(found.at) + 1}
                patterns={patterns.length}
                problem={problems.get(found.at)}
                use={uses ? (uses.get(found.redirect.from) ?? null) : undefined}
                today={today}
                readOnly={readOnly}
                onEdit={() => onEdit(found)}
                onRemove={(button) => onRemove(found, button)}
                onMove={(by) => onMove(found, by)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > count && <Button onClick={() => setCount(count + pageSize)}>{t('redirect.more')}</Button>}
    </>
  );
}
