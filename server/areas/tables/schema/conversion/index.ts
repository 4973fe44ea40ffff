export { convertJob, tendConversions } from './job';
export { registerConvert } from './routes';
