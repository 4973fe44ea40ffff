import type { PageOverride } from '@contract/seo/part';
import type { SeoPage } from '@contract/seo/schemas';

/** What a person writes for a page in one language; empty: what templates and rules say. */
export type PageDraft = {
  readonly title: string;
  readonly description: string;
  readonly indexing: SeoPage['indexing'] | null;
  readonly canonical: string;
  readonly image: string | null;
};

export const draftOf = ({ override }: SeoPage, tag: string): PageDraft => ({
  title: override?.title[tag] ?? '',
  description: override?.description[tag] ?? '',
  indexing: override?.indexing ?? null,
  canonical: override?.canonical ?? '',
  image: override?.image ?? null,
});

const textIn = (texts: Readonly<Record<string, string>> | undefined, tag: string, text: string): Record<string, string> => {
  const { [tag]: _own, ...others } = texts ?? {};
  return text === '' ? others : { ...others, [tag]: text };
};

/** The override that a draft makes; texts in other languages stay. */
export const changeIn = ({ path, override }: SeoPage, tag: string, draft: PageDraft): PageOverride => ({
  path,
  title: textIn(override?.title, tag, draft.title.trim()),
  description: textIn(override?.description, tag, draft.description.trim()),
  indexing: draft.indexing,
  image: draft.image,
  canonical: draft.canonical.trim(),
});
