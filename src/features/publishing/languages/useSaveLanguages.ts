import { useState } from 'react';
import type { removedDays } from '@contract/languages/terms';
import type { LanguagesPart } from '@contract/languages/part';
import type { LanguagePlan, SiteParts } from '@contract/publishing/schemas';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { setServerErrors } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { publishingApi, useChangeLanguagesMutation, usePlanLanguagesMutation } from '../publishingApi';

const unknownFailure: ApiFailure = { kind: 'http', method: '', url: '', status: 0, message: '' };
type Stored = SiteParts['languages'];
/** Languages with texts that a change removes, and after how many days these texts are deleted. */
export type Removal = { readonly confirm: readonly string[]; readonly days: (typeof removedDays)[number] };

/** Where the server's errors of a language are in the form. */
const placesOf = ({ languages }: LanguagesPart): Record<string, 'languages' | `languages.${number}.path` | `languages.${number}.hostname`> =>
  Object.fromEntries(
    languages.flatMap((_one, at) => [
      [`content.languages.${at}.path`, `languages.${at}.path`],
      [`languages.${at}.path`, `languages.${at}.path`],
      [`languages.${at}.hostname`, `languages.${at}.hostname`],
    ]),
  ) as Record<string, 'languages' | `languages.${number}.path` | `languages.${number}.hostname`>;

/** Plans a change of languages, and saves it over the revision that somebody has edited. */
export function useSaveLanguages(siteId: string, form: ContractForm<LanguagesPart>) {
  const dispatch = useAppDispatch();
  const [requestPlan, { isLoading: isPlanning }] = usePlanLanguagesMutation();
  const [change, { isLoading: isSaving }] = useChangeLanguagesMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);

  function refused(error: unknown, content: LanguagesPart): null {
    const reason = isFailure(error) ? error : unknownFailure;
    setFailure(setServerErrors(form, reason, placesOf(content)) ? null : reason);
    return null;
  }
  async function plan(content: LanguagesPart): Promise<LanguagePlan | null> {
    setFailure(null);
    const { data, error } = await requestPlan({ siteId, body: { content } });
    return data ?? refused(error, content);
  }
  /** `saved`; what somebody else has saved meanwhile; null: it was refused. */
  async function save(revision: number, content: LanguagesPart, removal?: Removal): Promise<'saved' | Stored | null> {
    setFailure(null);
    const { data, error } = await change({ siteId, revision, body: { content, ...(removal && { confirm: [...removal.confirm], days: removal.days }) } });
    if (data) return 'saved';
    if (!isFailure(error) || !isStale(error)) return refused(error, content);
    const current = await dispatch(publishingApi.endpoints.siteParts.initiate({ siteId }, { forceRefetch: true, subscribe: false }));
    return current.data?.languages ?? refused(current.error ?? error, content);
  }
  return { plan, save, busy: isPlanning || isSaving, failure };
}
