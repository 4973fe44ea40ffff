import { z } from 'zod';
import { openFormLimits } from '@contract/tables/formTerms';
import { FormOptions } from '@contract/tables/forms';
import type { PublicLink } from '@contract/tables/publicLinks';
import { safeName } from '@contract/text';
import { linkShape } from '@/ui/links/linkInput';

const { embeds: Embeds, redirect: Redirect } = FormOptions.shape;
/** Sites, one per line. */
const sitesIn = (text: string): string[] => text.split(/[\s,，;；]+/).filter((line) => line !== '');

/** The values of a link's form: `drafts` and `download` apply to links to records, the rest to links to forms. */
export const PublicLinkInput = z.object({
  name: safeName(60),
  ...linkShape,
  drafts: z.boolean(),
  download: z.boolean(),
  limit: z.string().refine((text) => text.trim() === '' || (/^\d{1,7}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= openFormLimits.answers)),
  closedText: z.string().max(500),
  once: z.boolean(),
  redirect: z.string().refine((text) => text.trim() === '' || Redirect.safeParse(text.trim()).success),
  publish: z.boolean(),
  embeds: z.string().refine((text) => Embeds.safeParse(sitesIn(text)).success),
});
export type PublicLinkInput = z.output<typeof PublicLinkInput>;

/** Initial values; null: a new link. */
export const formStart = (form: PublicLink['form']) => ({
  limit: form?.limit == null ? '' : String(form.limit),
  closedText: form?.closedText ?? '',
  once: form?.once ?? false,
  redirect: form?.redirect ?? '',
  publish: form?.publish ?? false,
  embeds: form?.embeds.join('\n') ?? '',
});
export const formOptions = ({ limit, closedText, once, redirect, publish, embeds }: PublicLinkInput) => ({
  limit: limit.trim() === '' ? null : Number(limit),
  closedText,
  once,
  redirect: redirect.trim() === '' ? null : redirect.trim(),
  publish,
  embeds: sitesIn(embeds),
});

/** HTML that embeds a form in a page of another site. */
export const embedCode = ({ url, name }: Pick<PublicLink, 'url' | 'name'>): string => {
  const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${safe(url)}" title="${safe(name)}" width="100%" height="720" style="border:0" loading="lazy"></iframe>`;
};
