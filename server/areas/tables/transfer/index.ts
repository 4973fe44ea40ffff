import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerExport } from './exporting';
import { registerImports } from './routes';

export { importExtras } from './addedFields';
export { unusedByLiveRecords } from './addedFiles';
export { importJob, tendTableImports } from './job';
export { csvRowsOf } from './read/csvStream';
export { ReadStop } from './read/source';
export { rowXml, workbook } from './xlsxFile';

export function registerTransfer(app: FastifyInstance, ctx: Context): void {
  registerImports(app, ctx);
  registerExport(app, ctx);
}
