import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { barcodeOf } from '@contract/tables/fieldTypes/barcode';
import { ariaOf, useTypedDraft } from '../editorProps';
import type { EditorProps } from '../editorProps';
import { BarcodePicture } from './BarcodePicture';

/** The input that a scanner types into, ending each code with Enter. In a form Enter does not submit: the next scan replaces the code. */
export const BarcodeEditor = (props: EditorProps) => {
  const { field, value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const { symbology = 'any', placeholder } = field.options;
  const [text, setText] = useState(typed ?? (typeof value === 'string' ? value : ''));
  const change = (next: string): void => {
    setText(next);
    if (next.trim() === '') return onChange(null);
    const code = barcodeOf(next, symbology);
    if (code === null) onChange(value, t(`barcode.invalid.${symbology}`));
    else onChange(code);
  };
  useTypedDraft(typed, change);
  return (
    <input
      {...ariaOf(props)}
      type="text"
      inputMode={symbology === 'any' || symbology === 'code128' ? 'text' : 'numeric'}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        if (onDone) return onDone('down');
        event.preventDefault();
        event.currentTarget.select();
      }}
    />
  );
};

/** The record's editor, with the picture of the code. */
export const BarcodeRecordEditor = (props: EditorProps) => (
  <>
    <BarcodeEditor {...props} />
    {typeof props.value === 'string' && <BarcodePicture code={props.value} />}
  </>
);
