import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ClipboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ariaOf } from '../fields/editorProps';
import type { EditorProps } from '../fields/editorProps';
import { isLinkAddress, nodesOf } from './html';

const simple = [
  { id: 'bold', command: 'bold' },
  { id: 'italic', command: 'italic' },
  { id: 'strike', command: 'strikeThrough' },
  { id: 'h2', command: 'formatBlock', value: 'h2' },
  { id: 'h3', command: 'formatBlock', value: 'h3' },
  { id: 'p', command: 'formatBlock', value: 'p' },
  { id: 'ul', command: 'insertUnorderedList' },
  { id: 'ol', command: 'insertOrderedList' },
  { id: 'quote', command: 'formatBlock', value: 'blockquote' },
] as const;
const run = (command: string, value?: string): boolean =>
  // Old, but the one way that all browsers have, that their own undo knows, and that makes no HTML out of text.
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand(command, false, value);
const htmlOf = (node: HTMLElement): string | null =>
  node.textContent.trim() === '' && node.querySelector('img, hr, table') === null ? null : node.innerHTML.replaceAll('\u200b', '');

/** HTML as people write it: as it will look, or as its source. The server has the last word on what may stay. */
export const RichTextEditor = (props: EditorProps): ReactElement => {
  const { value, onChange } = props;
  const { t } = useTranslation('tableRecord');
  const [html, setHtml] = useState(typeof value === 'string' ? value : '');
  const [source, setSource] = useState(false);
  const [link, setLink] = useState<{ readonly range: Range; readonly address: string; readonly fault: boolean } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const fill = useEffectEvent(() => box.current?.replaceChildren(nodesOf(html)));
  useEffect(() => {
    if (!source) fill();
  }, [source]);
  const heard = (): void => {
    const next = box.current ? htmlOf(box.current) : null;
    setHtml(next ?? '');
    onChange(next);
  };
  const press = (command: string, option?: string): void => {
    box.current?.focus();
    run('styleWithCSS', 'false');
    run(command, option);
    heard();
  };
  const ask = (): void => {
    const selection = getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    if (!range || !box.current?.contains(range.commonAncestorContainer)) return box.current?.focus();
    const at = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement;
    setLink({ range: range.cloneRange(), address: at?.closest('a')?.getAttribute('href') ?? '', fault: false });
  };
  const tie = (): void => {
    if (!link) return;
    const address = link.address.trim();
    if (address !== '' && !isLinkAddress(address)) return setLink({ ...link, fault: true });
    box.current?.focus();
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(link.range);
    if (address === '') run('unlink');
    else if (link.range.collapsed) {
      const anchor = document.createElement('a');
      anchor.href = address;
      anchor.textContent = address;
      link.range.insertNode(anchor);
    } else run('createLink', address);
    setLink(null);
    heard();
  };
  const paste = (event: ClipboardEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const rich = event.clipboardData.getData('text/html');
    const selection = getSelection();
    if (rich === '' || !selection || selection.rangeCount === 0) run('insertText', event.clipboardData.getData('text/plain'));
    else {
      const range = selection.getRangeAt(0);
      range.deleteContents();
      range.insertNode(nodesOf(rich));
      selection.collapseToEnd();
    }
    heard();
  };
  if (source)
    return (
      <div className="rec-text">
        <textarea
          {...ariaOf(props)}
          className="f-code rec-source"
          rows={10}
          spellCheck={false}
          value={html}
          onChange={(event) => {
            setHtml(event.currentTarget.value);
            onChange(event.currentTarget.value.trim() === '' ? null : event.currentTarget.value);
          }}
        />
        <button type="button" className="f-plain" onClick={() => setSource(false)}>
          {t('text.visual')}
        </button>
      </div>
    );
  return (
    <div className="rec-text">
      <div className="rec-tools" role="toolbar" aria-label={t('text.toolbar')}>
        {simple.map((tool) => (
          <button
            key={tool.id}
            type="button"
            className={`rec-${tool.id}`}
            aria-label={t(`text.${tool.id}`)}
            title={t(`text.${tool.id}`)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => press(tool.command, 'value' in tool ? tool.value : undefined)}
            data-sign={t(`text.signs.${tool.id}`)}
          />
        ))}
        <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={ask}>
          {t('text.link')}
        </button>
        <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => press('removeFormat')}>
          {t('text.clear')}
        </button>
        <button type="button" onClick={() => setSource(true)}>
          {t('text.source')}
        </button>
      </div>
      {link && (
        <div className="f-fields">
          <input
            type="url"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button beside it
            autoFocus
            aria-label={t('text.linkAddress')}
            aria-invalid={link.fault}
            placeholder="https://"
            value={link.address}
            onChange={(event) => setLink({ ...link, address: event.currentTarget.value, fault: false })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                tie();
              } else if (event.key === 'Escape') {
                event.stopPropagation();
                setLink(null);
                box.current?.focus();
              }
            }}
          />
          <button type="button" className="f-plain" onClick={tie}>
            {t(link.address.trim() === '' ? 'text.unlink' : 'text.apply')}
          </button>
          {link.fault && (
            <p className="tables-fault" role="alert">
              {t('text.linkFault')}
            </p>
          )}
        </div>
      )}
      <div
        {...ariaOf(props)}
        ref={box}
        className="rec-rich rec-prose"
        contentEditable
        suppressContentEditableWarning
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        data-placeholder={html === '' ? (props.field.options.placeholder ?? '') : ''}
        onInput={heard}
        onPaste={paste}
        onDrop={(event) => event.preventDefault()}
      />
    </div>
  );
};
