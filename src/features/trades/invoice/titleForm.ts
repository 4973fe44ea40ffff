import { z } from 'zod';
import { InvoiceTitleInput, invoiceTypes } from '@contract/trades/ledger';
import type { InvoiceTitle } from '@contract/trades/ledger';
import { typedSchema } from '../typed';

/** Billing details, as typed. `type` and `saveTitle` belong to the request of an invoice and are not used where billing details are managed. */
export type TypedTitle = {
  type: (typeof invoiceTypes)[number];
  titleType: InvoiceTitle['titleType'];
  title: string;
  taxNumber: string;
  address: string;
  phone: string;
  bank: string;
  account: string;
  email: string;
  saveTitle: boolean;
};
export const blankTitle: TypedTitle = {
  type: 'normal',
  titleType: 'company',
  title: '',
  taxNumber: '',
  address: '',
  phone: '',
  bank: '',
  account: '',
  email: '',
  saveTitle: false,
};
export const typedTitle = (title: Omit<InvoiceTitle, 'id'>): Omit<TypedTitle, 'type' | 'saveTitle'> => ({
  titleType: title.titleType,
  title: title.title,
  taxNumber: title.taxNumber ?? '',
  address: title.address,
  phone: title.phone,
  bank: title.bank,
  account: title.account,
  email: title.email ?? '',
});

/** Digits and capitals, however they were typed: full width, lower case, in groups. */
export const tidyTaxNumber = (text: string): string => text.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase();

/** The fields that a special invoice requires beyond a normal one (增值税专用发票: address, phone, bank and account of the buyer). */
export const specialFields = ['address', 'phone', 'bank', 'account'] as const;

const Title = InvoiceTitleInput.extend({ type: z.enum(invoiceTypes), saveTitle: z.boolean() });
export type ReadTitle = z.output<typeof Title>;

/** A company requires a tax number; a special invoice requires all fields; a person neither. */
export const TitleForm = typedSchema<TypedTitle, ReadTitle>((typed, report) => {
  const company = typed.titleType === 'company' || typed.type === 'special';
  const taxNumber = tidyTaxNumber(typed.taxNumber);
  if (company && taxNumber === '') report(['taxNumber'], 'required');
  if (typed.type === 'special') for (const field of specialFields) if (typed[field].trim() === '') report([field], 'required');
  return {
    ...typed,
    titleType: company ? 'company' : 'person',
    taxNumber: company && taxNumber !== '' ? taxNumber : null,
    email: typed.email.trim() === '' ? null : typed.email,
  };
}, Title);
