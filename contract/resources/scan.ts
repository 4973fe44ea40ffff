import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';
import { resourceCalls } from './calls';
import { scanResults } from './terms';

export const resourceScanEndpoints = {
  resourceScan: endpoint(resourceCalls.resourceScan, {
    access: { site: 'resources.read' },
    token: 'resources:read',
    summary: 'What the malware scanner said of a resource; the name of what it found, as the scanner gives it',
    params: z.object({ siteId: SiteId, id: rowId }),
    response: z.object({ result: z.enum(scanResults).nullable(), threat: z.string().nullable() }),
    errors: ['not_found'],
  }),
};
