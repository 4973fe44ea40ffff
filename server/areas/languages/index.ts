import type { Area } from '../area';
import { HOUR } from '../../zone';
import { purgeDueLanguages, purgeJob } from './purge';
import { importJob, registerTranslations, translateJob, undoJob } from './translations';

export { missingTexts } from './translations';
export { glossaryOf, putGlossary, removeInstalledGlossary } from './translations/glossary';
export { machineMarks } from './translations/marks';
export type { MachineMark } from './translations/marks';
export { textHash } from './translations/states';

export const area: Area = {
  register: registerTranslations,
  jobs: [translateJob, importJob, undoJob, purgeJob],
  schedules: [{ name: 'languages.purge', every: HOUR, run: purgeDueLanguages }],
  siteTopics: [{ kind: 'intl', action: 'site.read', events: ['intl'] }],
};
