export { convertJob, purgeConversions, tendConversions } from './job';
export { registerConvert } from './routes';
