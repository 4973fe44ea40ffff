import { Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranslationText } from '@contract/languages/translations';
import { plainOf, RichTextInput, RichTextView } from '@/features/tables/record/RichText';
import { isFailure } from '@/lib/failure';
import { useLanguageName } from '@/lib/languageName';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { Kbd } from '@/ui/Kbd';
import { Tag } from '@/ui/Tag';
import { changedPart } from './changedPart';
import { usePlaceNames } from './placeNames';
import { stateTones } from './stateTones';
import { useChangeTranslationsMutation } from './translationsApi';

type Props = {
  readonly siteId: string;
  readonly tag: string;
  readonly text: TranslationText;
  readonly mayTranslate: boolean;
  readonly value: string;
  /** It was reached from the keyboard or by saving. */
  readonly autoFocus: boolean;
  readonly onType: (value: string) => void;
  /** After it was saved: the next one. */
  readonly onSaved: () => void;
  readonly place: { readonly at: number; readonly count: number };
  readonly onMove: (by: number) => void;
};

/** The source with what has changed since it was translated. */
function Source({ text }: { readonly text: TranslationText }): ReactElement {
  const { t } = useTranslation('translations');
  const { tag, text: source } = text.source;
  const isRich = text.format === 'html';
  const asShown = (one: string): string => (isRich ? plainOf(one) : one);
  const { start, removed, added, end } = changedPart(asShown(text.previousSource ?? source), asShown(source));
  return (
    <>
      {(!isRich || removed !== '' || added !== '') && (
        <p lang={tag} className="translation-source">
          {start}
          {removed !== '' && <del>{removed}</del>}
          {added !== '' && <ins>{added}</ins>}
          {end}
        </p>
      )}
      {text.previousSource !== null && <p className="translation-quiet">{t('sourceChanged')}</p>}
      {isRich && <RichTextView html={source} lang={tag} />}
    </>
  );
}

type TranslationProps = Pick<Props, 'siteId' | 'tag' | 'text' | 'value' | 'autoFocus' | 'onType'> & { readonly locked: boolean };

/** The translation of a text in the editor that fits it. */
function Translation({ siteId, tag, text, value, autoFocus, locked, onType }: TranslationProps): ReactElement {
  const { t } = useTranslation('translations');
  const languageName = useLanguageName();
  const [copies, setCopies] = useState(0);
  const isRich = text.format === 'html';
  const copySource = (): void => {
    onType(text.source.text);
    setCopies(copies + 1);
  };
  return (
    <div>
      <Field label={languageName(tag)} help={isRich ? t('tagsStay') : undefined}>
        {({ id, ...aria }) =>
          !isRich ? (
            <OutlinedInput
              id={id}
              inputProps={aria}
              fullWidth
              multiline
              minRows={text.source.text.length > 80 ? 5 : 2}
              maxRows={20}
              lang={tag}
              value={value}
              autoFocus={autoFocus}
              readOnly={locked}
              onChange={(event) => onType(event.target.value)}
            />
          ) : locked ? (
            <RichTextView html={value} lang={tag} />
          ) : (
            <RichTextInput key={copies} {...aria} id={id} siteId={siteId} label={languageName(tag)} html={value} onChange={onType} />
          )
        }
      </Field>
      {!locked && value === '' && (
        <Button size="small" sx={{ mt: 1 }} onClick={copySource}>
          {t('copySource')}
        </Button>
      )}
    </div>
  );
}

/** One text: its source on the left, its translation on the right. The keyboard saves and moves on. */
export function TextEditor({ siteId, tag, text, mayTranslate, value, autoFocus, onType, onSaved, place, onMove }: Props): ReactElement {
  const { t } = useTranslation('translations');
  const names = usePlaceNames();
  const languageName = useLanguageName();
  const [change, { isLoading, error }] = useChangeTranslationsMutation();
  const locked = !mayTranslate || text.locked !== null;
  const save = async (state: 'draft' | 'reviewed'): Promise<void> => {
    if (locked || isLoading) return;
    const { error: failure } = await change({ siteId, body: { tag, texts: [{ key: text.key, before: text.text, text: value, state }] } });
    if (failure === undefined) onSaved();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save('reviewed');
    else if (event.altKey && event.key === 'ArrowDown') onMove(1);
    else if (event.altKey && event.key === 'ArrowUp') onMove(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="translation-editor" aria-label={names.text(text)} onKeyDownCapture={onKeyDown}>
      <header>
        <h2>{names.text(text)}</h2>
        <Tag tone={stateTones[text.state]}>{t(`state.${text.state}`)}</Tag>
        <span className="translation-quiet">{t('placeOf', { at: place.at, total: place.count })}</span>
      </header>
      <div className="translation-sides">
        <div>
          <p className="field-label">{languageName(text.source.tag)}</p>
          <Source text={text} />
        </div>
        <Translation {...{ siteId, tag, text, value, autoFocus, locked, onType }} />
      </div>
      {text.locked !== null && (
        <p role="note" className="translation-quiet">
          {t(`locked.${text.locked}`)}
        </p>
      )}
      {isFailure(error) && <ErrorPanel failure={error} />}
      <div className="translation-actions">
        <Button variant="contained" sx={{ gap: 1 }} disabled={locked || isLoading || value === ''} onClick={() => void save('reviewed')}>
          {t('saveReviewed')} <Kbd keys="mod+enter" />
        </Button>
        <Button variant="outlined" disabled={locked || isLoading} onClick={() => void save('draft')}>
          {t('saveDraft')}
        </Button>
        <Button onClick={() => onMove(-1)} disabled={place.at === 1}>
          {t('previous')}
        </Button>
        <Button onClick={() => onMove(1)} disabled={place.at === place.count}>
          {t('next')}
        </Button>
      </div>
    </section>
  );
}
