import type { Endpoint } from '@contract/endpoint';
import { factorEndpoints } from '@contract/account/factors';
import { accountEndpoints } from '@contract/account/schemas';
import { analyticsEndpoints } from '@contract/analytics/schemas';
import { auditEndpoints } from '@contract/audit/schemas';
import { contactEndpoints } from '@contract/contacts/schemas';
import { inventoryEndpoints } from '@contract/crawler/inventorySchemas';
import { crawlerEndpoints } from '@contract/crawler/schemas';
import { dashboardEndpoints } from '@contract/dashboard/schemas';
import { digestEndpoints } from '@contract/digests/schemas';
import { keywordEndpoints } from '@contract/imports/keywords';
import { importEndpoints } from '@contract/imports/schemas';
import { insightReportEndpoints } from '@contract/insights/reports';
import { insightEndpoints } from '@contract/insights/schemas';
import { jobEndpoints } from '@contract/jobs/schemas';
import { noticeEndpoints } from '@contract/notices/schemas';
import { liveEndpoints } from '@contract/live/schemas';
import { countryBlockEndpoints } from '@contract/countryBlock/schemas';
import { filingEndpoints } from '@contract/filings/schemas';
import { hostnameEndpoints } from '@contract/hostnames/schemas';
import { translationEndpoints } from '@contract/languages/translations';
import { measuringEndpoints } from '@contract/measuring/schemas';
import { peopleEndpoints } from '@contract/people/schemas';
import { resourceMediaEndpoints } from '@contract/resources/media';
import { resourceLibraryEndpoints } from '@contract/resources/library';
import { resourceEndpoints } from '@contract/resources/schemas';
import { sessionEndpoints } from '@contract/session/schemas';
import { previewEndpoints } from '@contract/publishing/preview';
import { publishingEndpoints } from '@contract/publishing/schemas';
import { themeEndpoints } from '@contract/publishing/themeFiles';
import { publicLinkEndpoints } from '@contract/publicLinks/schemas';
import { seoKeywordEndpoints } from '@contract/seo/keywordSchemas';
import { pushEndpoints } from '@contract/seo/pushSchemas';
import { redirectEndpoints } from '@contract/seo/redirectSchemas';
import { robotsEndpoints } from '@contract/seo/robotsSchemas';
import { verificationEndpoints } from '@contract/seo/verificationSchemas';
import { baseEndpoints } from '@contract/sites/base';
import { siteImportEndpoints } from '@contract/siteImport/schemas';
import { listEndpoints } from '@contract/sites/list';
import { siteEndpoints } from '@contract/sites/schemas';
import { supportEndpoints } from '@contract/support/schemas';
import { tableAccessEndpoints } from '@contract/tables/access';
import { recordCommentEndpoints } from '@contract/tables/comments';
import { tableConvertEndpoints } from '@contract/tables/conversion';
import { tableEndpoints } from '@contract/tables/endpoints';
import { tableFormEndpoints } from '@contract/tables/forms';
import { formulaEndpoints } from '@contract/tables/formulaEndpoints';
import { tableIndexEndpoints } from '@contract/tables/indexes';
import { tableMaintenanceEndpoints } from '@contract/tables/maintenance';
import { publicationEndpoints } from '@contract/tables/publications';
import { recordEndpoints } from '@contract/tables/recordEndpoints';
import { tablePublicLinkEndpoints } from '@contract/tables/publicLinks';
import { tableTransferEndpoints } from '@contract/tables/transfers';
import { viewEndpoints } from '@contract/tables/views';
import { tableWebhookEndpoints } from '@contract/tables/webhooks';
import { tokenEndpoints } from '@contract/tokens/schemas';
import { tradeEndpoints } from '@contract/trades/schemas';
import { uptimeEndpoints } from '@contract/uptime/schemas';
import { vitalEndpoints } from '@contract/vitals/schemas';
import { responseCheck } from './api';

const endpoints: Readonly<Record<string, Endpoint>> = {
  ...factorEndpoints,
  ...accountEndpoints,
  ...analyticsEndpoints,
  ...auditEndpoints,
  ...contactEndpoints,
  ...countryBlockEndpoints,
  ...crawlerEndpoints,
  ...inventoryEndpoints,
  ...dashboardEndpoints,
  ...digestEndpoints,
  ...keywordEndpoints,
  ...importEndpoints,
  ...insightReportEndpoints,
  ...insightEndpoints,
  ...jobEndpoints,
  ...noticeEndpoints,
  ...liveEndpoints,
  ...filingEndpoints,
  ...hostnameEndpoints,
  ...pushEndpoints,
  ...seoKeywordEndpoints,
  ...verificationEndpoints,
  ...translationEndpoints,
  ...measuringEndpoints,
  ...peopleEndpoints,
  ...resourceEndpoints,
  ...resourceMediaEndpoints,
  ...resourceLibraryEndpoints,
  ...sessionEndpoints,
  ...publicLinkEndpoints,
  ...publishingEndpoints,
  ...previewEndpoints,
  ...themeEndpoints,
  ...redirectEndpoints,
  ...robotsEndpoints,
  ...baseEndpoints,
  ...listEndpoints,
  ...siteEndpoints,
  ...siteImportEndpoints,
  ...supportEndpoints,
  ...tableAccessEndpoints,
  ...recordCommentEndpoints,
  ...tableConvertEndpoints,
  ...tableEndpoints,
  ...tableFormEndpoints,
  ...formulaEndpoints,
  ...tableIndexEndpoints,
  ...tableMaintenanceEndpoints,
  ...publicationEndpoints,
  ...recordEndpoints,
  ...tablePublicLinkEndpoints,
  ...tableTransferEndpoints,
  ...viewEndpoints,
  ...tableWebhookEndpoints,
  ...tokenEndpoints,
  ...tradeEndpoints,
  ...uptimeEndpoints,
  ...vitalEndpoints,
};

/**
 * In development and tests every response is checked against the contract, so that a drift between browser and server fails the request that reveals
 * it. Never part of a production build (zod stays out of the first load).
 */
export function checkResponses(): void {
  responseCheck.current = (call, data) => {
    const { response } = endpoints[call] ?? {};
    const { success, error } = response?.safeParse(data) ?? { success: data === null, error: undefined };
    if (!success) throw new Error(`${call} does not answer what the contract says: ${error?.message ?? 'nothing was expected'}`);
  };
}
