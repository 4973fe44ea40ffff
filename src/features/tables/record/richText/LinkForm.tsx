import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isLinkAddress } from '../html';

function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus().extendMarkRange('link');
  if (href === '') chain.unsetMark('link').run();
  else if (editor.state.selection.empty && !editor.isActive('link'))
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
  else chain.setMark('link', { href }).run();
}

/** Edits the URL of the link at the selection; an empty URL removes the link. */
export const LinkForm = ({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const [address, setAddress] = useState(() => String(editor.getAttributes('link')['href'] ?? ''));
  const [isRefused, setIsRefused] = useState(false);
  const href = address.trim();
  const apply = (): void => {
    if (href !== '' && !isLinkAddress(href)) return setIsRefused(true);
    setLink(editor, href);
    onClose();
  };
  return (
    <div className="f-fields">
      <input
        type="url"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button beside it
        autoFocus
        aria-label={t('text.linkAddress')}
        aria-invalid={isRefused}
        placeholder="https://"
        value={address}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setIsRefused(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            apply();
          } else if (event.key === 'Escape') {
            event.stopPropagation();
            editor.commands.focus();
            onClose();
          }
        }}
      />
      <button type="button" className="f-plain" onClick={apply}>
        {t(href === '' ? 'text.unlink' : 'text.apply')}
      </button>
      {isRefused && (
        <p className="tables-error" role="alert">
          {t('text.linkFault')}
        </p>
      )}
    </div>
  );
};
