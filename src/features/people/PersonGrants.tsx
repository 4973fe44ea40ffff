import { Box, Button, Typography } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteGrant } from '@contract/people/schemas';
import { may } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { GrantRows } from './GrantRows';
import { useChangeGrantsMutation } from './peopleApi';
import type { GrantChange, PersonWithGrants } from './peopleApi';
import { usePeopleFailureMessage } from './usePeopleFailure';

/** The changes that turn `before` into `after`. */
export function grantDifference(userId: string, before: readonly SiteGrant[], after: readonly SiteGrant[]): GrantChange[] {
  const had = new Map(before.map((grant) => [grant.siteId, grant.role]));
  const has = new Map(after.map((grant) => [grant.siteId, grant.role]));
  return [
    ...after.filter(({ siteId, role }) => had.get(siteId) !== role).map(({ siteId, role }) => ({ userId, siteId, role })),
    ...before.filter(({ siteId }) => !has.has(siteId)).map(({ siteId }) => ({ userId, siteId, role: null })),
  ];
}

/** The sites of one person, edited together and saved by a button. */
export function PersonGrants({
  person,
  readOnly,
  onDirty,
}: {
  readonly person: PersonWithGrants;
  readonly readOnly: boolean;
  readonly onDirty: (dirty: boolean) => void;
}): ReactElement {
  const { t } = useTranslation('people');
  const id = useId();
  const dispatch = useAppDispatch();
  const messageOf = usePeopleFailureMessage();
  const sites = useAppSelector(selectSites);
  const [edited, setEdited] = useState<SiteGrant[] | null>(null);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [save, { isLoading }] = useChangeGrantsMutation();
  const value = edited ?? person.grants;
  const changes = grantDifference(person.id, person.grants, value);
  const dirty = changes.length > 0;
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty, onDirty]);

  const put = async () => {
    setErrorText(null);
    const { error } = await save({ body: { changes } });
    if (isFailure(error)) {
      if (error.code !== 'reauth_required') setErrorText(messageOf(error));
      return;
    }
    setEdited(null);
    dispatch(noticeShown({ tone: 'good', message: { key: 'people:grants.savedFor', values: { name: person.displayName } } }));
  };
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="h3" sx={{ mb: 1 }}>
        {t('grants.title')}
      </Typography>
      {may(person.role, 'site.seeAll') ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('grants.seesAll', { role: t(`role.${person.role}`) })}
        </Typography>
      ) : (
        <>
          <GrantRows value={value} sites={sites} disabled={readOnly} onChange={setEdited} />
          {errorText !== null && (
            <Typography role="alert" variant="caption" component="p" sx={{ mt: 1, color: 'error.main' }}>
              {errorText}
            </Typography>
          )}
          {dirty && (
            <Box sx={{ display: 'flex', gap: 1, mt: 1.5 }}>
              <Button variant="contained" aria-busy={isLoading} onClick={() => void put()}>
                {t('grants.save')}
              </Button>
              <Button onClick={() => setEdited(null)}>{t('grants.undo')}</Button>
            </Box>
          )}
        </>
      )}
    </section>
  );
}
