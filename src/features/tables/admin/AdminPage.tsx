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
import '../records/records.css';
import '../parts/design.css';
import './admin.css';
import { DesignSite } from '../parts/DesignSite';

// In the page's own part, for few bytes: only their words come when they are wanted.
const PermissionsPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './PermissionsPart'));
const TokensPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './TokensPart'), ['account']));
const SharesPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ '../share/SharesPart'), ['tableTransfer']));
const HooksPart = lazy(async () => ({ default: (await import(/* webpackChunkName: "table-admin" */ '../hooks/HooksPart')).HooksPart }));
const IndexesPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './IndexesPart'));
const AuditPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './AuditPart'), ['audit']));
const JobsPart = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './JobsPart'), ['frame']));
const CarePart = lazy(() => import(/* webpackChunkName: "table-care" */ './CarePart'));
const TrashPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './TrashPart'));
const ApiPart = lazy(() => import(/* webpackChunkName: "table-admin" */ './ApiPart'));

const parts = ['permissions', 'tokens', 'shares', 'webhooks', 'indexes', 'care', 'audit', 'jobs', 'trash', 'api'] as const;
type Part = (typeof parts)[number];
/** `table`: the one that permissions and indexes are about. */
const address = { part: oneOf(parts, 'permissions'), table: text('', 64) };

const Screen = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const [at] = useSearchState(address);
  const drawn: Readonly<Record<Part, () => ReactElement>> = {
    permissions: () => <PermissionsPart site={site} tables={tables} />,
    tokens: () => <TokensPart siteId={site.id} />,
    shares: () => <SharesPart siteId={site.id} />,
    webhooks: () => <HooksPart siteId={site.id} />,
    indexes: () => <IndexesPart siteId={site.id} tables={tables} />,
    care: () => <CarePart site={site} tables={tables} />,
    audit: () => <AuditPart siteId={site.id} />,
    jobs: () => <JobsPart siteId={site.id} />,
    trash: () => <TrashPart site={site} tables={tables} />,
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

/** Who may do what with the content tables of a site, what they cost, what happened to them, and how programs reach them. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Screen site={site} tables={tables} />}</DesignSite>;
