import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerExport } from './exporting';
import { registerImports } from './routes';

export { madeByImports } from './again';
export { importJob, tendTableImports } from './job';
export { csvRowsOf } from './read/csvStream';
export { ReadStop } from './read/source';

/** Files of records, in and out. */
export function registerTransfer(app: FastifyInstance, ctx: Context): void {
  registerImports(app, ctx);
  registerExport(app, ctx);
}
