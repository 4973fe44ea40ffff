import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useCrumbs } from '../useTrail';

const List = styled('ol')({
  listStyle: 'none', padding: 0, display: 'flex', alignItems: 'center', minWidth: 0, overflow: 'hidden', whiteSpace: 'nowrap', color: 'var(--ink-2)', fontSize: '0.8125rem',
  '& > li': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
  '& > li + li::before': { content: '"/"', margin: '0 8px', color: 'var(--n-4)' },
  '& a': { color: 'inherit', textDecoration: 'none', '&:hover': { color: 'var(--ink)' } },
  '& > li:last-of-type': { color: 'var(--ink)', flex: 'none', maxWidth: '60%' },
  '@media (max-width: 719px)': { '& > li:not(:last-of-type)': { display: 'none' }, '& > li:last-of-type::before': { display: 'none' }, '& > li:last-of-type': { maxWidth: '100%', fontWeight: 500 } },
});

export const Crumbs = () => {
  const { t } = useTranslation('shell');
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t('crumbs')} style={{ minWidth: 0, flex: '0 1 auto' }}>
      <List>
        {crumbs.map((crumb, at) => (
          <li key={crumb.id} {...(at === crumbs.length - 1 ? { 'aria-current': 'page' as const } : {})}>
            {at < crumbs.length - 1 && crumb.to !== null ? <Link to={crumb.to}>{crumb.label}</Link> : crumb.label}
          </li>
        ))}
      </List>
    </nav>
  );
};
