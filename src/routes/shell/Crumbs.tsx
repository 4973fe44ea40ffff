import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useCrumbs } from '../useTrail';

export const Crumbs = () => {
  const { t } = useTranslation('shell');
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t('crumbs')} style={{ minWidth: 0, flex: '0 1 auto' }}>
      <ol className="crumbs">
        {crumbs.map((crumb, at) => (
          <li key={crumb.id} data-crumb={crumb.id} title={crumb.label} {...(at === crumbs.length - 1 ? { 'aria-current': 'page' as const } : {})}>
            {at < crumbs.length - 1 && crumb.to !== null ? <Link to={crumb.to}>{crumb.label}</Link> : crumb.label}
          </li>
        ))}
      </ol>
    </nav>
  );
};
