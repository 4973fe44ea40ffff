import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeProblem } from '@contract/publishing/themeFiles';
import { Icon } from '@/ui/Icon';
import { useProblemText } from './problems';

/** Problems with file and line; a click leads there. */
export function ProblemList({
  problems,
  onOpen,
}: {
  readonly problems: readonly ThemeProblem[];
  /** Null where no file can be opened, such as for an archive that was refused. */
  readonly onOpen: ((problem: ThemeProblem) => void) | null;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textOf = useProblemText();
  const placeOf = ({ path, line }: ThemeProblem): string => (line === null ? path : t('theme.problem.place', { path, line }));
  return (
    <ul className="theme-problems" aria-label={t('theme.problem.list')}>
      {problems.map((problem) => {
        const place = placeOf(problem);
        const text = textOf(problem);
        return (
          <li key={`${place} ${String(problem.column)} ${text}`}>
            <Icon name="failed" size={14} />
            {onOpen === null ? (
              <code>{place}</code>
            ) : (
              <button type="button" className="bare-button text-link" onClick={() => onOpen(problem)}>
                {place}
              </button>
            )}
            <span>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
