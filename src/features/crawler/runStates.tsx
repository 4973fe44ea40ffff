import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunState } from '@contract/crawler/terms';
import { Tag } from '@/ui/Tag';

const tones = {
  queued: 'info',
  running: 'info',
  waiting: 'warning',
  pausing: 'info',
  paused: 'warning',
  stopping: 'info',
  stopped: 'warning',
  completed: 'good',
  limited: 'warning',
  failed: 'bad',
} as const satisfies Record<RunState, string>;

/** Runs that can be paused: those that go on or are about to. */
export const isGoing = (state: RunState): boolean => state === 'queued' || state === 'running' || state === 'waiting';

export function RunStateTag({ state }: { readonly state: RunState }): ReactElement {
  const { t } = useTranslation('crawler');
  return <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>;
}
