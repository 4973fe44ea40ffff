import type { Area } from '../area';
import { importJob, registerTranslations, translateJob, undoJob } from './translations';

export const area: Area = {
  register: registerTranslations,
  jobs: [translateJob, importJob, undoJob],
  siteTopics: [{ kind: 'intl', action: 'site.read', events: ['intl'] }],
};
