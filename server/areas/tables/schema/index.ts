import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerChoices } from './choices/routes';
import { registerConvert } from './conversion';
import { registerFormula } from './formula/routes';
import { registerIndexes } from './indexes';
import { registerDesign } from './routes';

export { choiceJob } from './choices/routes';
export { convertJob, tendConversions } from './conversion';
export { indexJob, tendIndexes } from './indexes';
export { eraseTables, purgeJob, purgeTables } from './purge';
export { enqueueRebuild, rebuildJob, tendPending, tendRecords } from './rebuild';

// Used by other parts for their own work.
export { applySchema } from './apply';
export { countCopied } from './copy';
export { designing } from './design';
export type { Design, Designer } from './design';
export { designerBy, designerOf, designs } from './designer';
export type { DesignCall } from './designer';
export { DefinitionErrors } from './definitionErrors';
export { addField, removeField, restoreField } from './fields';
export { filterByIds } from './filters';
export { adviceOn } from './indexes/advice';
export { alone } from './indexes/build';
export { freeKey, namesIn } from './keys';
export { followLanguages, purgeLanguage } from './languages';
export { renamedLayout } from './layout';
export { boundRules, exportedTables, readSchemaFile } from './portable';
export type { FileField, FileTable } from './portable';
export { prepareFields } from './prepare';
export type { Input } from './prepare';
export { addPending } from './queries';
export { applyRights } from './rights';
export { addTable, putFirst, removeTable } from './tables';
export { usageOf } from './usage';

/** Changes of tables and fields, with indexes, conversions, choices and formulas. */
export function registerSchema(app: FastifyInstance, ctx: Context): void {
  registerDesign(app, ctx);
  registerFormula(app, ctx);
  registerIndexes(app, ctx);
  registerConvert(app, ctx);
  registerChoices(app, ctx);
}
