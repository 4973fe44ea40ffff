import { lazy, Suspense, useLayoutEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { withMessages } from '@/i18n';
import { Bone } from '@/ui/skeletons';
import { FieldEnvProvider, useFieldEnv } from '../fieldTypes/env';
import { nodesOf } from './html';
import './record.css';

export { plainOf } from '../fieldTypes/valueTexts';

const RichTextEditor = lazy(async () => {
  const part = await withMessages(import(/* webpackChunkName: "rich-text" */ './RichTextEditor'), ['tableRecord', 'tableFields']);
  return { default: part.RichTextEditor };
});

/** The editor of rich text, outside of a record. It has its own draft: a new `key` starts it with another `html`. */
export function RichTextInput({
  siteId,
  label,
  html,
  onChange,
  ...aria
}: {
  readonly siteId: string;
  readonly label: string;
  readonly html: string;
  readonly onChange: (html: string) => void;
  readonly id?: string;
  readonly 'aria-describedby'?: string;
}): ReactElement {
  const env = useFieldEnv();
  const field = { id: 'text', type: 'richText', title: label, options: {}, yields: 'text', problem: null, readonly: false, required: false } as const;
  return (
    <FieldEnvProvider value={{ ...env, siteId }}>
      <Suspense fallback={<Bone h={156} />}>
        <RichTextEditor {...aria} field={field} value={html} onChange={(value) => onChange(typeof value === 'string' ? value : '')} />
      </Suspense>
    </FieldEnvProvider>
  );
}

/** Rich text to read: links lead nowhere, and pictures are their descriptions. */
export function RichTextView({ html, lang }: { readonly html: string; readonly lang: string }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = nodesOf(html, document.implementation.createHTMLDocument(''));
    for (const link of nodes.querySelectorAll('a')) link.removeAttribute('href');
    for (const picture of nodes.querySelectorAll('img')) picture.replaceWith(`[${picture.getAttribute('alt') ?? ''}]`);
    box.current?.replaceChildren(nodes);
  }, [html]);
  return <div ref={box} lang={lang} className="rec-prose" />;
}
