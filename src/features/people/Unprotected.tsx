import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Policy } from '@contract/account/factors';
import { useEverybodyQuery } from './peopleApi';

const mostNames = 8;

/** How many of the people subject to the rule would have to act. */
export function Unprotected({ rule }: { readonly rule: Policy['secondFactor'] }): ReactElement | null {
  const { t } = useTranslation('people');
  const { data } = useEverybodyQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const concerned = data.filter((person) => person.state === 'active' && !person.secondFactor && (rule !== 'managers' || person.role !== 'member'));
  const word = rule === 'managers' ? 'managers' : 'all';
  return (
    <Typography variant="body2" component="div" role="status" sx={{ color: concerned.length > 0 && rule !== 'off' ? 'warning.main' : 'text.secondary' }}>
      {concerned.length === 0 ? t(`policy.everybodyHas.${word}`) : t(`policy.without.${word}`, { count: concerned.length })}
      {concerned.length > 0 && (
        <Box sx={{ mt: 0.5, color: 'text.secondary', fontSize: 'var(--text-table)' }}>
          {concerned.slice(0, mostNames).map((person, at) => (
            <span key={person.id}>
              {at > 0 && t('comma')}
              <Link className="text-link in-text" to={`?person=${person.id}`} preventScrollReset>
                {person.displayName}
              </Link>
            </span>
          ))}
          {concerned.length > mostNames && t('policy.more', { count: concerned.length - mostNames })}
        </Box>
      )}
    </Typography>
  );
}
