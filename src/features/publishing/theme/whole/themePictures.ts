import type { ShippedTheme } from '@contract/publishing/terms';

/** Addresses of pictures of the shipped themes: their home pages with the content of `test/themes`, as `scripts/preview-theme.ts` draws them. */
export const themePictures: Readonly<Record<ShippedTheme, { readonly zh: string; readonly en: string }>> = {
  company: { zh: new URL('./pictures/company-zh.webp', import.meta.url).href, en: new URL('./pictures/company-en.webp', import.meta.url).href },
  blog: { zh: new URL('./pictures/blog-zh.webp', import.meta.url).href, en: new URL('./pictures/blog-en.webp', import.meta.url).href },
  docs: { zh: new URL('./pictures/docs-zh.webp', import.meta.url).href, en: new URL('./pictures/docs-en.webp', import.meta.url).href },
};
