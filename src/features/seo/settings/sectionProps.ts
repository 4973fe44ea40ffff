import type { PartDraft } from '@/features/publishing/usePartDraft';

/** What every section of the settings edits. */
export type SeoContent = PartDraft<'seo'>['content'];
export type SectionProps = { readonly content: SeoContent; readonly onChange: (content: SeoContent) => void; readonly readOnly: boolean };
