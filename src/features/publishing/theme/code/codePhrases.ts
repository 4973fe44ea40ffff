import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Texts of CodeMirror's own panels, by their English original; `$` is a number. */
export type CodePhrases = Readonly<Record<string, string>>;

const originals = {
  find: 'Find',
  replaceWith: 'Replace',
  next: 'next',
  previous: 'previous',
  all: 'all',
  matchCase: 'match case',
  regexp: 'regexp',
  byWord: 'by word',
  replaceOne: 'replace',
  replaceAll: 'replace all',
  close: 'close',
  goToLine: 'Go to line',
  go: 'go',
  currentMatch: 'current match',
  onLine: 'on line',
  replacedMatch: 'replaced match on line $',
  replacedMatches: 'replaced $ matches',
  controlCharacter: 'Control character',
  selectionDeleted: 'Selection deleted',
  problems: 'Diagnostics',
  noProblems: 'No diagnostics',
  unchangedLines: '$ unchanged lines',
} as const;

/** The texts in the reader's language. */
export function useCodePhrases(): CodePhrases {
  const { t } = useTranslation('publishing');
  return useMemo(
    () => Object.fromEntries((Object.keys(originals) as (keyof typeof originals)[]).map((key) => [originals[key], t(`theme.phrase.${key}`)])),
    [t],
  );
}
