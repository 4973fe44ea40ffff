import type { SiteBase, SiteBaseInput } from '@contract/sites/base';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useChangeSiteBaseMutation } from './baseApi';

const inputOf = ({ name, slug, defaultLang, timeZone, visibility, maintenance }: SiteBase): SiteBaseInput => ({
  name,
  slug,
  defaultLang,
  timeZone,
  visibility,
  maintenance,
});

/** Saves what a dialog changes; all other settings stay as they are. `fieldsAt`: as for `useSubmit`. */
export function useSaveBase<I extends FieldValues, O extends FieldValues>(
  siteId: string,
  base: SiteBase,
  form: ContractForm<I, O>,
  changeOf: (values: O) => Partial<SiteBaseInput>,
  onDone: () => void,
  fieldsAt: Readonly<Record<string, FieldPath<I>>> = {},
) {
  const dispatch = useAppDispatch();
  const [change] = useChangeSiteBaseMutation();
  return useSubmit(form, {
    send: (values: O) => change({ siteId, revision: base.revision, body: { ...inputOf(base), ...changeOf(values) } }),
    fieldsAt,
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:atOnce.saved' } }));
      onDone();
    },
  });
}
