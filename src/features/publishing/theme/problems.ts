import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeProblem } from '@contract/publishing/themeFiles';

/** What is wrong, in the reader's language; what a parser says stays English. */
export function useProblemText(): (problem: Pick<ThemeProblem, 'code' | 'detail'>) => string {
  const { t } = useTranslation('publishing');
  return useCallback(({ code, detail }) => t(`theme.problem.${code}`, { detail }), [t]);
}

/** Number of problems by path. */
export function countProblems(problems: readonly ThemeProblem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of problems) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
