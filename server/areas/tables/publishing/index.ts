export { registerPublications } from './routes';
export { publishDue } from './schedule';
