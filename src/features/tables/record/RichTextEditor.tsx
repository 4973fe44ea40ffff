import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ariaOf } from '../fieldTypes/editorProps';
import type { EditorProps } from '../fieldTypes/editorProps';
import { isEditable } from './richText/documentHtml';
import { VisualEditor } from './richText/VisualEditor';

/** An editor of HTML, as rich text or as source. The server decides which HTML is kept. */
export const RichTextEditor = (props: EditorProps): ReactElement => {
  const { value, onChange } = props;
  const { t } = useTranslation('tableRecord');
  const [html, setHtml] = useState(typeof value === 'string' ? value : '');
  const [isSource, setIsSource] = useState(() => !isEditable(html));
  const [isRefused, setIsRefused] = useState(isSource);
  const change = (next: string | null): void => {
    setHtml(next ?? '');
    onChange(next);
  };
  const showVisual = (): void => {
    const canShow = isEditable(html);
    setIsRefused(!canShow);
    setIsSource(!canShow);
  };
  if (!isSource) return <VisualEditor {...props} html={html} onHtml={change} onSource={() => setIsSource(true)} />;
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
      {isRefused && (
        <p className="rec-note tables-quiet-note" role="status">
          {t('text.sourceOnly')}
        </p>
      )}
      <button type="button" className="f-plain" onClick={showVisual}>
        {t('text.visual')}
      </button>
    </div>
  );
};
