import { useEffect, useEffectEvent } from 'react';
import { useWatch } from 'react-hook-form';
import { useDebounced } from '@/lib/useDebounced';
import { useProbeTargetMutation } from '../crawlerApi';
import { addressOf, linesOf } from './draft';
import type { WizardForm } from './wizardForm';

/** What the first address of the draft answers; requested again when it changes. */
export function useTarget(form: WizardForm) {
  const [seeds, siteId] = useWatch({ control: form.control, name: ['seeds', 'siteId'] });
  const [probe, result] = useProbeTargetMutation();
  const [line = ''] = linesOf(seeds);
  const url = line === '' ? '' : addressOf(line);
  const debounced = useDebounced(`${siteId} ${url}`, 700);
  const request = useEffectEvent((): void => {
    if (siteId !== '' && URL.canParse(url) && new URL(url).hostname.includes('.')) void probe({ siteId, body: { url } });
  });
  useEffect(() => request(), [debounced]);
  return { ...result, url, again: (): void => void probe({ siteId, body: { url } }) };
}
export type Target = ReturnType<typeof useTarget>;
