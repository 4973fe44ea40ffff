export { carriedRecords, carriedTables, installTables, openRecordBringer, removeImportedTables } from './carry';
export type { TableInstaller } from './carry';
export { checkJob, checkNightly } from './health';
export { compactJob } from './compact';
export { emptyJob } from './emptying';
export { restoreJob, tendRestores } from './restore';
export { registerMaintenance } from './routes';
export { registerRestores } from './restoreRoutes';
