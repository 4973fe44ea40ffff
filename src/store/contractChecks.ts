import { z } from 'zod';
import { AuditEntry } from '@contract/audit/schemas';
import { Contact, contactEndpoints } from '@contract/contacts/schemas';
import { Policy, Passkey, Security, SignInRecord } from '@contract/account/factors';
import { Job } from '@contract/jobs/schemas';
import { Invoice, InvoiceTitle, OrderWhole, Statement } from '@contract/trades/ledger';
import { Page } from '@contract/page';
import { Grants, Invite, InviteMade, Person, SiteGrant } from '@contract/people/schemas';
import { Session, User } from '@contract/session/schemas';
import { Site, SiteFigures, StartUp } from '@contract/sites/schemas';
import { tradeEndpoints } from '@contract/trades/schemas';
import { ApiToken } from '@contract/tokens/schemas';
import { accountApi } from '@/features/account/accountApi';
import { centerApi } from '@/features/account/center/centerApi';
import { securityApi } from '@/features/account/securityApi';
import { contactsApi } from '@/features/contacts/contactsApi';
import { contactToolsApi } from '@/features/contacts/contactToolsApi';
import { jobsApi } from '@/features/jobs/jobsApi';
import { peopleApi } from '@/features/people/peopleApi';
import { sessionApi } from '@/features/session/sessionApi';
import { sitePagesApi } from '@/features/sites/sitePagesApi';
import { sitesApi } from '@/features/sites/sitesApi';
import { tradesApi } from '@/features/trades/tradesApi';

/** The schema of what an endpoint answers. */
function answerOf<A extends z.ZodType>({ id, answer }: { readonly id: string; readonly answer?: A }): A {
  if (!answer) throw new Error(`${id} answers nothing`);
  return answer;
}

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
    },
  });
  sitePagesApi.enhanceEndpoints({ endpoints: { figures: { responseSchema: z.array(SiteFigures) }, bin: { responseSchema: z.array(Site) } } });
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
  securityApi.enhanceEndpoints({
    endpoints: { security: { responseSchema: Security }, renamePasskey: { responseSchema: Passkey } },
  });
  contactsApi.enhanceEndpoints({
    endpoints: {
      contacts: { responseSchema: z.array(Contact) },
      contact: { responseSchema: Contact },
      addContact: { responseSchema: Contact },
      replaceContact: { responseSchema: Contact },
      changeContact: { responseSchema: Contact },
      mergeContacts: { responseSchema: Contact },
    },
  });
  contactToolsApi.enhanceEndpoints({
    endpoints: {
      contactHealth: { responseSchema: answerOf(contactEndpoints.contactHealth) },
      verifyContact: { responseSchema: answerOf(contactEndpoints.verifyContact) },
      testContact: { responseSchema: answerOf(contactEndpoints.testContact) },
      importContacts: { responseSchema: answerOf(contactEndpoints.importContacts) },
    },
  });
  tradesApi.enhanceEndpoints({
    endpoints: {
      orders: { responseSchema: answerOf(tradeEndpoints.orders) },
      order: { responseSchema: OrderWhole },
      addOrder: { responseSchema: OrderWhole },
      changeOrder: { responseSchema: OrderWhole },
      moveOrder: { responseSchema: OrderWhole },
      addPayment: { responseSchema: OrderWhole },
      movePayment: { responseSchema: OrderWhole },
      addRefund: { responseSchema: OrderWhole },
      moveRefund: { responseSchema: OrderWhole },
      renew: { responseSchema: OrderWhole },
      renewals: { responseSchema: answerOf(tradeEndpoints.renewals) },
      customers: { responseSchema: answerOf(tradeEndpoints.customers) },
      invoices: { responseSchema: answerOf(tradeEndpoints.invoices) },
      addInvoice: { responseSchema: Invoice },
      moveInvoice: { responseSchema: Invoice },
      titles: { responseSchema: z.array(InvoiceTitle) },
      addTitle: { responseSchema: InvoiceTitle },
      changeTitle: { responseSchema: InvoiceTitle },
      statement: { responseSchema: Statement },
    },
  });
  peopleApi.enhanceEndpoints({
    endpoints: {
      people: { responseSchema: Page(Person) },
      person: { responseSchema: Person.extend({ grants: z.array(SiteGrant) }) },
      changePerson: { responseSchema: Person },
      setPersonState: { responseSchema: Person },
      resetPersonFactor: { responseSchema: Person },
      grants: { responseSchema: Grants },
      changeGrants: { responseSchema: Grants },
      invites: { responseSchema: z.array(Invite) },
      invite: { responseSchema: InviteMade },
      resendInvite: { responseSchema: InviteMade },
      audit: { responseSchema: z.object({ rows: z.array(AuditEntry), next: z.string().nullable() }) },
      policy: { responseSchema: Policy },
      changePolicy: { responseSchema: Policy },
    },
  });
  jobsApi.enhanceEndpoints({ endpoints: { jobs: { responseSchema: z.array(Job) }, cancelJob: { responseSchema: Job } } });
}
