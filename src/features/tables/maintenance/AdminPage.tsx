import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { withMessages } from '@/i18n';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import '@/features/tables/records/records.css';
import '@/features/tables/parts/design.css';
import './admin.css';
import { DesignSite } from '@/features/tables/parts/DesignSite';

// In the page's own chunk, because they are small: only their messages are loaded on demand.
const PermissionsPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './PermissionsPart'));
const TokensPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './TokensPart'), ['account']));
const PublicLinksPart = lazy(() =>
  withMessages(import(/* webpackChunkName: "table-admin" */ '@/features/tables/publicLinks/PublicLinksPart'), ['tableTransfer']),
);
const WebhooksPart = lazy(async () => ({
  default: (await import(/* webpackChunkName: "table-admin" */ '@/features/tables/webhooks/WebhooksPart')).WebhooksPart,
}));
const IndexesPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './IndexesPart'));
const AuditPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './AuditPart'), ['audit']));
const JobsPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './JobsPart'), ['jobs']));
const MaintenancePart = lazy(() => import(/* webpackChunkName: "table-maintenance" */ './MaintenancePart'));
const BinPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './BinPart'));
const ApiPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './ApiPart'));

const parts = ['permissions', 'tokens', 'shares', 'webhooks', 'indexes', 'maintenance', 'audit', 'jobs', 'trash', 'api'] as const;
type Part = (typeof parts)[number];
/** `table`: the table whose permissions and indexes are shown. */
const address = { part: oneOf(parts, 'permissions'), table: text('', 64) };

const Screen = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const [at] = useSearchState(address);
  const drawn: Readonly<Record<Part, () => ReactElement>> = {
    permissions: () => <PermissionsPart site={site} tables={tables} />,
    tokens: () => <TokensPart siteId={site.id} />,
    shares: () => <PublicLinksPart siteId={site.id} />,
    webhooks: () => <WebhooksPart siteId={site.id} />,
    indexes: () => <IndexesPart siteId={site.id} tables={tables} />,
    maintenance: () => <MaintenancePart site={site} tables={tables} />,
    audit: () => <AuditPart siteId={site.id} />,
    jobs: () => <JobsPart siteId={site.id} />,
    trash: () => <BinPart site={site} tables={tables} />,
    api: () => <ApiPart site={site} tables={tables} />,
  };
  const query = (part: Part): string => {
    const params = new URLSearchParams({ ...(part === parts[0] ? {} : { part }), ...(at.table === '' ? {} : { table: at.table }) });
    return `?${params.toString()}`;
  };
  return (
    <>
      <PageHeader title={t('title')} />
      <TabLinks label={t('parts')} current={at.part} tabs={parts.map((id) => ({ id, name: t(`part.${id}`), to: query(id) }))} />
      <div className="admin-part" key={at.part}>
        <Suspense fallback={<RowsSkeleton rows={6} />}>{drawn[at.part]()}</Suspense>
      </div>
    </>
  );
};

/** Administration of a site's content tables: permissions, indexes and storage, audit log and jobs, tokens and API. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Screen site={site} tables={tables} />}</DesignSite>;
