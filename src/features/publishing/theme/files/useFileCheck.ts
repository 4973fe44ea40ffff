import { useEffect, useState } from 'react';
import type { ThemeProblem } from '@contract/publishing/themeFiles';
import { useDebounced } from '@/lib/useDebounced';
import { useCheckThemeFileMutation } from '../themeApi';

/** Time without typing before a text is checked, ms. */
const checkAfterMs = 500;

type Checked = { readonly path: string; readonly text: string; readonly problems: readonly ThemeProblem[] };

/** What is wrong with a text that is not saved yet, after a pause of typing; null as long as it has not been checked. `text`: null checks nothing. */
export function useFileCheck(siteId: string, path: string, text: string | null): readonly ThemeProblem[] | null {
  const [check] = useCheckThemeFileMutation();
  const [checked, setChecked] = useState<Checked | null>(null);
  const paused = useDebounced(text, checkAfterMs);
  useEffect(() => {
    if (paused === null || paused !== text) return;
    let isCurrent = true;
    void check({ siteId, body: { path, text: paused } }).then(({ data }) => {
      if (isCurrent && data) setChecked({ path, text: paused, problems: data.problems });
    });
    return () => {
      isCurrent = false;
    };
    // `text` only decides whether the pause is over.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [paused, path, siteId, check]);
  // While somebody types on, the last problems stay, rather than flicker.
  return text !== null && checked?.path === path ? checked.problems : null;
}
