import { Box, Button, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { instanceActions, instanceRoles, may, mayAssign, mayManage } from '@contract/permissions';
import type { InstanceRole } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { useChangePersonMutation } from './peopleApi';
import type { PersonWithGrants } from './peopleApi';
import { usePeopleFailureMessage } from './usePeopleFailure';

/** Whether `to` lacks a permission of `from`. */
const losesBy = (from: InstanceRole, to: InstanceRole): boolean => instanceActions.some((action) => may(from, action) && !may(to, action));

/** The person's role on the installation. Only roles that the actor may assign can be chosen. */
export function PersonRole({ person, self }: { readonly person: PersonWithGrants; readonly self: boolean }): ReactElement {
  const { t } = useTranslation('people');
  const id = useId();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const refreshSession = useSessionRefresh();
  const messageOf = usePeopleFailureMessage();
  const actor = useAppSelector(selectSession)?.role ?? 'member';
  const mayAtAll = useAppSelector((state) => selectMay(state, 'people.manage'));
  const [role, setRole] = useState<InstanceRole>(person.role);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [change, { isLoading }] = useChangePersonMutation();
  const editable = mayAtAll && mayManage(actor, person.role);

  const save = async () => {
    if (role === person.role || isLoading) return;
    setErrorText(null);
    const question = {
      title: t('roleChange.selfTitle', { role: t(`role.${role}`) }),
      body: t('roleChange.selfText'),
      confirm: t('roleChange.selfConfirm'),
      danger: true,
    };
    if (self && losesBy(person.role, role) && !(await confirm(question))) return;
    const { data, error } = await change({ id: person.id, revision: person.revision, body: { role } });
    if (isFailure(error)) {
      if (error.code !== 'reauth_required') setErrorText(messageOf(error));
      return;
    }
    dispatch(
      noticeShown({ tone: 'good', message: { key: 'people:roleChange.done', values: { name: person.displayName, role: t(`role.${data?.role ?? role}`) } } }),
    );
    if (self) refreshSession();
  };
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="h3" sx={{ mb: 1 }}>
        {t('column.role')}
      </Typography>
      {editable ? (
        <>
          <Box sx={{ display: 'flex', gap: 1 }}>
            <NativeSelect
              fullWidth
              value={role}
              onChange={(event) => {
                setRole(event.target.value as InstanceRole);
                setErrorText(null);
              }}
              input={<OutlinedInput />}
              inputProps={{ 'aria-label': t('column.role'), 'aria-describedby': `${id}-note` }}
              sx={{ height: 32 }}
            >
              {instanceRoles.map((one) => (
                <option key={one} value={one} disabled={one !== person.role && !mayAssign(actor, one)}>
                  {t(`role.${one}`)}
                </option>
              ))}
            </NativeSelect>
            <Button variant="outlined" sx={{ flex: 'none' }} disabled={role === person.role} aria-busy={isLoading} onClick={() => void save()}>
              {t('roleChange.save')}
            </Button>
          </Box>
          <Typography id={`${id}-note`} variant="caption" component="p" sx={{ mt: 0.5, color: errorText === null ? 'text.secondary' : 'error.main' }}>
            {errorText === null ? t(`roleDetail.${role}`) : <span role="alert">{errorText}</span>}
          </Typography>
        </>
      ) : (
        <>
          <Typography variant="body2">{t(`role.${person.role}`)}</Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {t(`roleDetail.${person.role}`)}
          </Typography>
        </>
      )}
    </section>
  );
}
