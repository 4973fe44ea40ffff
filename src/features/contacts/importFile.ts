import type { contactEndpoints } from '@contract/contacts/schemas';
import type { ArgumentsOf } from '@/store/endpoints';

type ImportFile = Pick<ArgumentsOf<typeof contactEndpoints.importContacts>['body'], 'format' | 'text'>;

/** A vCard is recognised by its first line; anything else is a table. */
export const asFile = (text: string): ImportFile => ({ format: /^\uFEFF?\s*BEGIN:VCARD/i.test(text) ? 'vcard' : 'csv', text });
