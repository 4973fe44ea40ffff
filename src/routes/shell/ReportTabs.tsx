import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { TabLinks } from '@/ui/TabLinks';
import { carriedQuery, reportTabs } from '../railModel';
import { useRights } from '../useRights';
import { useTrail } from '../useTrail';

/** The reports of one entry of the rail, above the page; range and filters carry over. */
export const ReportTabs = () => {
  const { t } = useTranslation('nav');
  const { trail, params } = useTrail();
  const { search } = useLocation();
  const model = reportTabs(trail, params, useRights(params['siteId']));
  const current = trail.at(-1);
  if (model === null || current === undefined) return null;
  const query = carriedQuery(search);
  return (
    <TabLinks
      label={t(`reportGroup.${model.group}`)}
      current={current.id}
      tabs={model.tabs.map(({ node, to }) => ({
        id: node.id,
        name: node.title === undefined ? node.id : t(node.title),
        to: query === '' ? to : `${to}?${query}`,
      }))}
    />
  );
};
