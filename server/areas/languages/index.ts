import { HOUR } from '../../zone';
import type { Area } from '../area';
import { importJob, registerTranslations, translateJob, undoJob } from './translations';
import { sweepMarks } from './translations/marks';

export { machineMarks } from './translations/marks';
export type { MachineMark } from './translations/marks';
export { textHash } from './translations/states';

export const area: Area = {
  register: registerTranslations,
  jobs: [translateJob, importJob, undoJob],
  schedules: [{ name: 'translations.sweep', every: 24 * HOUR, run: sweepMarks }],
  siteTopics: [{ kind: 'intl', action: 'site.read', events: ['intl'] }],
};
