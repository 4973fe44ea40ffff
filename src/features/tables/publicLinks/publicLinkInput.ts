import { z } from 'zod';
import { formFileTypes, openFormLimits } from '@contract/tables/formTerms';
import type { FormFileType } from '@contract/tables/formTerms';
import { FormOptions } from '@contract/tables/forms';
import type { PublicLink } from '@contract/tables/publicLinks';
import { safeName } from '@contract/text';
import { linkShape } from '@/ui/links/linkInput';

const { embeds: Embeds, redirect: Redirect } = FormOptions.shape;
/** Sites, one per line. */
const sitesIn = (text: string): string[] => text.split(/[\s,，;；]+/).filter((line) => line !== '');

const mebibyte = 2 ** 20;
export const largestFile = openFormLimits.fileBytes / mebibyte;
const isBetween = (text: string, most: number): boolean => /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;

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
  files: z.boolean(),
  /** Of one file, in mebibytes. */
  fileSize: z.string().refine((text) => isBetween(text, largestFile)),
  fileCount: z.string().refine((text) => isBetween(text, openFormLimits.files)),
  fileTypes: z.record(z.enum(formFileTypes), z.boolean()).refine((types) => Object.values(types).includes(true)),
});
export type PublicLinkInput = z.output<typeof PublicLinkInput>;

/** Types that a form takes if nothing else is chosen: those that browsers can show. */
const usualTypes: readonly FormFileType[] = ['image', 'video', 'audio', 'pdf'];

/** Initial values; null: a new link. */
export const formStart = (form: PublicLink['form']) => ({
  limit: form?.limit == null ? '' : String(form.limit),
  closedText: form?.closedText ?? '',
  once: form?.once ?? false,
  redirect: form?.redirect ?? '',
  publish: form?.publish ?? false,
  embeds: form?.embeds.join('\n') ?? '',
  files: (form?.files ?? null) !== null,
  fileSize: String(Math.max(1, Math.round((form?.files?.maxBytes ?? 10 * mebibyte) / mebibyte))),
  fileCount: String(form?.files?.most ?? 5),
  fileTypes: Object.fromEntries(formFileTypes.map((type) => [type, (form?.files?.types ?? usualTypes).includes(type)])) as Record<FormFileType, boolean>,
});
export const formOptions = ({ limit, closedText, once, redirect, publish, embeds, files, fileSize, fileCount, fileTypes }: PublicLinkInput) => ({
  limit: limit.trim() === '' ? null : Number(limit),
  closedText,
  once,
  redirect: redirect.trim() === '' ? null : redirect.trim(),
  publish,
  embeds: sitesIn(embeds),
  files: files ? { maxBytes: Number(fileSize) * mebibyte, most: Number(fileCount), types: formFileTypes.filter((type) => fileTypes[type]) } : null,
});

/** HTML that embeds a form in a page of another site. */
export const embedCode = ({ url, name }: Pick<PublicLink, 'url' | 'name'>): string => {
  const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${safe(url)}" title="${safe(name)}" width="100%" height="720" style="border:0" loading="lazy"></iframe>`;
};
