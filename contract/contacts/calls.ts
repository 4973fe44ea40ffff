import { calls } from '../call';

export const contactCalls = /* #__PURE__ */ calls({
  contacts: 'GET /api/acc/contacts',
  contactHealth: 'GET /api/acc/contact-health',
  contact: 'GET /api/acc/contacts/:id',
  addContact: 'POST /api/acc/contacts',
  replaceContact: 'PUT /api/acc/contacts/:id',
  changeContact: 'PATCH /api/acc/contacts/:id',
  removeContact: 'DELETE /api/acc/contacts/:id',
  verifyContact: 'POST /api/acc/contacts/:id/verify',
  testContact: 'POST /api/acc/contacts/:id/test',
  mergeContacts: 'POST /api/acc/contacts/:id/merge',
  importContacts: 'POST /api/acc/contacts-import',
  contactLinkState: 'POST /api/acc/sign/contact-state',
  useContactLink: 'POST /api/acc/sign/contact',
});
