import { useTranslation } from 'react-i18next';
import type { Robots, RobotsWhatIf } from '@contract/seo/robotsSchemas';
import { robotsToAccept } from '@contract/seo/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { useChangeRobotsMutation, useRestoreRobotsMutation, useRobotsWhatIfMutation } from './robotsApi';
import { useWhatIfText } from './WhatIf';

type Accepted = readonly (typeof robotsToAccept)[number][];
/** Pages that a warning names. */
const named = 8;

/**
 * Saves a robots.txt, or an earlier one again. What it would close is compared first: closing everything or pages with visits needs a confirmation, which names them.
 * Resolves to the failure, null if it has no code; undefined if it was saved or cancelled.
 */
export function useSaveRobots(siteId: string) {
  const { t } = useTranslation('seo');
  const textOf = useWhatIfText();
  const confirm = useConfirm();
  const dispatch = useAppDispatch();
  const [compare, comparing] = useRobotsWhatIfMutation();
  const [change, changing] = useChangeRobotsMutation();
  const [restore, restoring] = useRestoreRobotsMutation();

  const warn = (result: RobotsWhatIf | undefined, codes: Accepted): Promise<boolean> => {
    const pages = (result?.examples ?? []).filter((one) => one.change === 'blocked').slice(0, named);
    return confirm({
      title: t(codes.includes('blocks_all') ? 'robots.confirmAll' : 'robots.confirmVisited'),
      body: (
        <>
          <p>{result ? textOf(result) : t('robots.confirmText')}</p>
          {pages.length > 0 && (
            <ul>
              {pages.map(({ path, title }) => (
                <li key={path}>{title === '' ? path : t('robots.titleAndPath', { title, path })}</li>
              ))}
            </ul>
          )}
        </>
      ),
      confirm: t('robots.confirm'),
      danger: true,
    });
  };

  async function attempt(
    text: string,
    send: (accepted: Accepted) => Promise<{ data?: Robots | undefined; error?: unknown }>,
  ): Promise<ApiFailure | null | undefined> {
    const { data: result } = await compare({ siteId, body: { text } });
    const codes = robotsToAccept.filter((code) => result?.problems.some((problem) => problem.code === code));
    if (codes.length > 0 && !(await warn(result, codes))) return undefined;
    let { data, error } = await send(codes);
    // Visits may have arrived meanwhile, or could not be compared here.
    if (isFailure(error) && error.code === 'confirm_mismatch' && (await warn(result, robotsToAccept))) ({ data, error } = await send(robotsToAccept));
    if (data) {
      dispatch(noticeShown({ tone: 'good', message: { key: 'seo:robots.saved' } }));
      return undefined;
    }
    return isFailure(error) ? error : null;
  }

  return {
    busy: comparing.isLoading || changing.isLoading || restoring.isLoading,
    compare: (text: string) => compare({ siteId, body: { text } }),
    save: (text: string, note: string, revision: number) =>
      attempt(text, (accepted) => change({ siteId, revision, body: { text, note, accepted: [...accepted] } })),
    restore: (version: number, text: string) => attempt(text, (accepted) => restore({ siteId, version, body: { accepted: [...accepted] } })),
  };
}
