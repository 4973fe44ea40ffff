import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone } from '@/ui/skeletons';
import type { EditorProps } from '../fieldTypes/editorProps';
import { FieldEditor } from '../fieldTypes/FieldEditor';

const Markdown = lazy(() => import(/* webpackChunkName: "markdown" */ './Markdown').then((part) => ({ default: part.Markdown })));

/** The source, with a preview on demand. */
export const MarkdownEditor = (props: EditorProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const [isPreview, setIsPreview] = useState(false);
  const text = typeof props.value === 'string' ? props.value : '';
  return (
    <div className="rec-text">
      <div className="rec-tools" role="group" aria-label={props.field.title}>
        <button type="button" aria-pressed={!isPreview} onClick={() => setIsPreview(false)}>
          {t('text.write')}
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setIsPreview(true)}>
          {t('text.preview')}
        </button>
      </div>
      {isPreview ? (
        <div className="rec-rich rec-prose">
          {text.trim() === '' ? (
            <p className="f-dim">{t('text.nothing')}</p>
          ) : (
            <Suspense fallback={<Bone h={96} />}>
              <Markdown text={text} />
            </Suspense>
          )}
        </div>
      ) : (
        <FieldEditor {...props} />
      )}
    </div>
  );
};
