import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource, SvgSource } from '@contract/resources/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import '../library/library.css';
import { useResourceSvgQuery } from '../svgApi';

/** The parts that cleaning removed, with the reason and the line of each. */
function Removed({ removed, removedCount }: Pick<SvgSource, 'removed' | 'removedCount'>): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const more = removedCount - removed.length;
  if (removedCount === 0) return <p className="resource-note">{t('svg.nothingRemoved')}</p>;
  return (
    <details>
      <summary>{t('svg.removed', { count: removedCount, number: format.number(removedCount) })}</summary>
      <div className="resource-uses">
        <ul>
          {removed.map(({ kind, name, reason, line, column }) => (
            <li key={`${line} ${column} ${kind} ${name}`}>
              <span>{name}</span>
              <small>{t('svg.place', { reason: t(`svg.reason.${reason}`), line: format.number(line) })}</small>
            </li>
          ))}
        </ul>
        {more > 0 && <p>{t('svg.more', { count: more, number: format.number(more) })}</p>}
      </div>
    </details>
  );
}

/** The code of an SVG for pages: cleaned, shortened and, on demand, in the colour of the text around it. Below, what cleaning removed. */
export function SvgCode({ siteId, id }: { readonly siteId: string } & Pick<Resource, 'id'>): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const [currentColor, setCurrentColor] = useState(false);
  const result = useResourceSvgQuery({ siteId, id, optimise: 'true', currentColor: String(currentColor) });
  const { currentData } = result;
  return (
    <Section title={t('svg.title')} actions={currentData && <CopyButton text={currentData.source}>{t('svg.copy')}</CopyButton>}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={2} />}>
        {({ bytesBefore, bytesAfter, ...source }) => (
          <>
            <p className="resource-note">{t('svg.sizes', { before: bytesText(bytesBefore, format), after: bytesText(bytesAfter, format) })}</p>
            <label className="resource-check">
              <input type="checkbox" checked={currentColor} onChange={(event) => setCurrentColor(event.target.checked)} /> {t('svg.currentColor')}
            </label>
            <Removed {...source} />
          </>
        )}
      </ResultState>
    </Section>
  );
}
