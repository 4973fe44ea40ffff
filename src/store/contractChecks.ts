import { z } from 'zod';
import { Contact } from '@contract/contacts';
import { Security, SignInRecord } from '@contract/factors';
import { Job } from '@contract/jobs';
import { Page } from '@contract/page';
import { Session, User } from '@contract/session';
import { Site, SiteFigures, StartUp } from '@contract/sites';
import { ApiToken } from '@contract/tokens';
import { accountApi } from '@/features/account/accountApi';
import { centerApi } from '@/features/account/center/centerApi';
import { securityApi } from '@/features/account/securityApi';
import { contactsApi } from '@/features/contacts/contactsApi';
import { jobsApi } from '@/features/jobs/jobsApi';
import { sessionApi } from '@/features/session/sessionApi';
import { sitesApi } from '@/features/sites/sitesApi';

/**
 * While developing and in tests every answer is held against the contract, so that a drift between browser and server fails the request
 * that shows it. Never part of a production build (zod stays out of the first load).
 */
export function checkAnswers(): void {
  sessionApi.enhanceEndpoints({ endpoints: { session: { responseSchema: Session.nullable() } } });
  sitesApi.enhanceEndpoints({
    endpoints: {
      load: { responseSchema: StartUp },
      site: { responseSchema: Site },
      createSite: { responseSchema: Site },
      changeSite: { responseSchema: Site },
      setSiteState: { responseSchema: Site },
      deleteSite: { responseSchema: Site },
      pinSite: { responseSchema: Site },
      figures: { responseSchema: z.array(SiteFigures) },
      bin: { responseSchema: z.array(Site) },
    },
  });
  accountApi.enhanceEndpoints({
    endpoints: {
      user: { responseSchema: User },
      changeUser: { responseSchema: User },
      rename: { responseSchema: User },
      changeAvatar: { responseSchema: User },
      removeAvatar: { responseSchema: User },
    },
  });
  centerApi.enhanceEndpoints({
    endpoints: {
      signIns: { responseSchema: Page(SignInRecord) },
      tokens: { responseSchema: z.array(ApiToken) },
      addToken: { responseSchema: z.object({ token: ApiToken, value: z.string() }) },
      renameToken: { responseSchema: ApiToken },
    },
  });
  securityApi.enhanceEndpoints({ endpoints: { security: { responseSchema: Security } } });
  contactsApi.enhanceEndpoints({
    endpoints: {
      contacts: { responseSchema: z.array(Contact) },
      contact: { responseSchema: Contact },
      addContact: { responseSchema: Contact },
      replaceContact: { responseSchema: Contact },
      changeContact: { responseSchema: Contact },
    },
  });
  jobsApi.enhanceEndpoints({ endpoints: { jobs: { responseSchema: z.array(Job) }, cancelJob: { responseSchema: Job } } });
}
