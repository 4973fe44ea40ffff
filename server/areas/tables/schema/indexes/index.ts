export { indexJob, tendIndexes } from './job';
export { registerIndexes } from './routes';
