import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { VisitFigures } from '@contract/sites/list';
import { useFormat } from '@/lib/format';
import { useTexts } from '@/lib/useTexts';
import { Delta } from '@/ui/Delta';

/** `undefined`: loading; `null`: failed to load. */
type Figures = VisitFigures | null | undefined;

/** Today against yesterday up to the same time of day. A site without figures of yesterday has no comparison. With `why`, a fall leads to what may have caused it. */
export function Change({ figures, why }: { readonly figures: VisitFigures; readonly why?: string }): ReactElement | null {
  const t = useTexts('sites');
  const format = useFormat();
  const before = figures.visitorsYesterdaySoFar;
  if (before === null) return null;
  const delta = (
    <Delta
      now={figures.visitorsToday}
      before={before}
      better="more"
      sample={Math.min(figures.visitorsToday, before)}
      hint={t('figures.before', { n: format.number(before) })}
    />
  );
  if (why === undefined || figures.visitorsToday >= before) return delta;
  return (
    <Link className="site-why" to={`${why}?why=yesterday#why`}>
      {delta} <span>{t('figures.why')}</span>
    </Link>
  );
}

/** Visitors within the last minutes: a dot and a number, hidden if there are none. */
export function Online({ figures }: { readonly figures: VisitFigures }): ReactElement | null {
  const t = useTexts('sites');
  const format = useFormat();
  if (figures.online === 0) return null;
  return (
    <span className="site-online">
      <span aria-hidden="true" />
      {t('figures.online', { n: format.number(figures.online) })}
    </span>
  );
}

/** A number with its exact value on hover; a placeholder while loading, a dash if it failed to load. */
export function Count({ figures }: { readonly figures: Figures }): ReactElement {
  const t = useTexts('sites');
  const format = useFormat();
  if (figures === undefined) return <span className="bone site-count" aria-hidden="true" />;
  if (figures === null)
    return (
      <span title={t('figures.none')}>
        –<span className="only-read">{t('figures.none')}</span>
      </span>
    );
  return <span title={format.number(figures.visitorsToday)}>{format.compact(figures.visitorsToday)}</span>;
}
