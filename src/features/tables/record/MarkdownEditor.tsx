import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditorProps } from '../fields/editorProps';
import { FieldEditor } from '../fields/FieldEditor';
import { Markdown } from './Markdown';

/** The source, and on demand how it will look. */
export const MarkdownEditor = (props: EditorProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const [looking, setLooking] = useState(false);
  const text = typeof props.value === 'string' ? props.value : '';
  return (
    <div className="rec-text">
      <div className="rec-tools" role="group" aria-label={props.field.title}>
        <button type="button" aria-pressed={!looking} onClick={() => setLooking(false)}>
          {t('text.write')}
        </button>
        <button type="button" aria-pressed={looking} onClick={() => setLooking(true)}>
          {t('text.preview')}
        </button>
      </div>
      {looking ? (
        <div className="rec-rich rec-prose">{text.trim() === '' ? <p className="f-dim">{t('text.nothing')}</p> : <Markdown text={text} />}</div>
      ) : (
        <FieldEditor {...props} />
      )}
    </div>
  );
};
