import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { fileItemsOf, isFileLink } from '@contract/tables/fieldTypes/fileValues';
import type { FileLink } from '@contract/tables/fieldTypes/fileValues';
import { Icon } from '@/ui/Icon';
import { ariaOf, useTypedDraft } from './editorProps';
import type { EditorProps } from './editorProps';
import { safeHref, useFieldEnv } from './env';

/** A one-line input whose text represents a value: numbers, addresses, times, durations. */
const LineEditor = (props: EditorProps & { inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url' }) => {
  const { field, value, onChange, inputMode = 'text' } = props;
  const env = useFieldEnv();
  const { t } = useTranslation('tableFields');
  const [text, setText] = useState(value === null || value === undefined ? '' : env.print(field, value));
  const change = (next: string): void => {
    setText(next);
    const read = next.trim() === '' ? { value: null } : env.read(field, next);
    if ('error' in read) onChange(value, read.error);
    else onChange(read.value);
  };
  const { unit, placeholder, min } = field.options;
  const isSigned = (inputMode === 'decimal' || inputMode === 'numeric') && field.yields === 'number' && !(typeof min === 'number' && min >= 0);
  return (
    <div className="f-fields">
      <input
        {...ariaOf(props)}
        type="text"
        inputMode={inputMode}
        {...(inputMode === 'email' || inputMode === 'url' ? { autoCapitalize: 'none', spellCheck: false } : {})}
        placeholder={placeholder}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) props.onDone?.('down');
        }}
      />
      {unit !== undefined && <span className="f-note">{unit}</span>}
      {/* The number keyboards of phones have no minus. Pressing it leaves the focus, and so the keyboard, where they are. */}
      {isSigned && (
        <button
          type="button"
          className="f-sign"
          aria-label={t('sign', { name: field.title })}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => change(/^[-−]/.test(text) ? text.slice(1) : `-${text}`)}
        >
          ±
        </button>
      )}
    </div>
  );
};

export const lineEditor = (inputMode: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url') => (props: EditorProps) => (
  <LineEditor {...props} inputMode={inputMode} />
);

/** Multi-line text. In a cell, Enter inserts a line break and Ctrl+Enter commits. */
export const LongTextEditor = (props: EditorProps) => {
  const { field, value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const before = typeof value === 'string' ? value : '';
  const [text, setText] = useState(typed ?? before);
  useTypedDraft(typed, onChange);
  return (
    <div className="f-long">
      <textarea
        {...ariaOf(props)}
        rows={onDone ? 6 : 4}
        placeholder={field.options.placeholder}
        value={text}
        onFocus={(event) => event.currentTarget.setSelectionRange(event.currentTarget.value.length, event.currentTarget.value.length)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange(event.currentTarget.value === '' ? null : event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onDone?.('down', { value: text === '' ? null : text });
        }}
      />
      {onDone && <p className="f-note">{t('newLines')}</p>}
    </div>
  );
};

/** Describes where a text is not valid JSON: engines report the position in characters. */
function jsonErrorLine(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const place = /position (\d+)/.exec(message)?.[1];
  return place === undefined ? '' : String(text.slice(0, Number(place)).split('\n').length);
}
export const JsonEditor = (props: EditorProps) => {
  const { value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const [text, setText] = useState(typed ?? (value === null || value === undefined ? '' : JSON.stringify(value, null, 2)));
  const change = (next: string): void => {
    setText(next);
    if (next.trim() === '') return onChange(null);
    try {
      onChange(JSON.parse(next) as unknown);
    } catch (error) {
      const line = jsonErrorLine(next, error);
      onChange(value, t('jsonFault', { reason: line === '' ? (error instanceof Error ? error.message : '') : t('jsonPlace', { line }) }));
    }
  };
  useTypedDraft(typed, change);
  return (
    <div className="f-long">
      <textarea
        {...ariaOf(props)}
        rows={onDone ? 10 : 6}
        className="f-code"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onDone?.('down');
        }}
      />
      {onDone && <p className="f-note">{t('newLines')}</p>}
    </div>
  );
};

export const SwitchEditor = (props: EditorProps) => (
  <input
    {...ariaOf(props)}
    type="checkbox"
    className="f-switch"
    checked={props.value === true}
    onChange={(event) => props.onChange(event.currentTarget.checked)}
  />
);

/** A star rating, set by press, arrows or digits. */
export const RatingEditor = (props: EditorProps) => {
  const { field, value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const of = typeof field.options.max === 'number' ? field.options.max : 5;
  const first = typed !== null && typed !== undefined && /^\d$/.test(typed) ? Math.min(Number(typed), of) : null;
  const [now, setNow] = useState(first ?? (typeof value === 'number' ? value : 0));
  const put = (next: number, done: boolean): void => {
    const rating = Math.max(0, Math.min(of, next));
    const result = rating === 0 ? null : rating;
    setNow(rating);
    onChange(result);
    if (done) onDone?.('down', { value: result });
  };
  useTypedDraft(first === null ? null : typed, () => put(first ?? 0, false));
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      put(now + step, false);
    } else if (/^\d$/.test(event.key)) put(Number(event.key), false);
    else if (event.key === 'Delete' || event.key === 'Backspace') put(0, false);
    else if (event.key === 'Enter' && onDone) {
      event.preventDefault();
      onDone('down', { value: now === 0 ? null : now });
    }
  };
  return (
    <div
      {...ariaOf(props)}
      role="slider"
      tabIndex={0}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={now}
      aria-valuetext={now === 0 ? t('noStars') : t('stars', { n: now, of })}
      className="f-rating"
      onKeyDown={press}
    >
      {Array.from({ length: of }, (_, place) => (
        // The slider that contains the stars handles the keys; a button for each star would be redundant for screen readers.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the stars are their places
          key={place}
          aria-hidden="true"
          className={place < now ? 'f-star f-on' : 'f-star'}
          onClick={() => put(place + 1 === now ? 0 : place + 1, true)}
        >
          ★
        </span>
      ))}
    </div>
  );
};

const hex = /^#[\da-f]{6}$/i;
const swatches = ['#18181b', '#6b6b74', '#c4281c', '#d55e00', '#b8860b', '#1a7340', '#009e73', '#1677ff', '#0072b2', '#7a5ea8', '#cc79a7', '#ffffff'];
export const ColorEditor = (props: EditorProps) => {
  const { value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const [text, setText] = useState(typed ?? (typeof value === 'string' ? value : ''));
  const change = (next: string): void => {
    setText(next);
    const full = next.trim() === '' ? '' : next.trim().startsWith('#') ? next.trim() : `#${next.trim()}`;
    if (full === '') onChange(null);
    else if (hex.test(full)) onChange(full.toLowerCase());
    else onChange(value, t('colorFault'));
  };
  useTypedDraft(typed, change);
  return (
    <div className="f-color">
      <div className="f-fields">
        <input type="color" aria-label={t('pickColor')} value={hex.test(text) ? text : '#424242'} onChange={(event) => change(event.currentTarget.value)} />
        <input
          {...ariaOf(props)}
          type="text"
          placeholder={t('colorText')}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onDone?.('down');
          }}
        />
      </div>
      <div className="f-swatches">
        {swatches.map((one) => (
          <button
            key={one}
            type="button"
            className="f-swatch"
            aria-label={one}
            style={{ background: one }}
            onClick={() => {
              change(one);
              onDone?.('down', { value: one });
            }}
          />
        ))}
      </div>
    </div>
  );
};

export const GeoEditor = (props: EditorProps) => {
  const { value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const point = (value ?? {}) as { lat?: unknown; lng?: unknown };
  const [lat, setLat] = useState(typed ?? (typeof point.lat === 'number' ? String(point.lat) : ''));
  const [lng, setLng] = useState(typeof point.lng === 'number' ? String(point.lng) : '');
  const change = (a: string, b: string): void => {
    // “31.23, 121.47”, as copied from maps, fills both fields.
    const both = /^\s*(-?\d+(?:\.\d+)?)\s*[,，]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(a);
    const [north, east] = both ? [both[1] ?? '', both[2] ?? ''] : [a, b];
    setLat(north);
    setLng(east);
    if (north.trim() === '' && east.trim() === '') return onChange(null);
    if (north.trim() === '' || east.trim() === '') return onChange(value, t('geoBoth'));
    const [y, x] = [Number(north), Number(east)];
    if (!(Math.abs(y) <= 90)) return onChange(value, t('latFault'));
    if (!(Math.abs(x) <= 180)) return onChange(value, t('lngFault'));
    onChange({ lat: y, lng: x });
  };
  useTypedDraft(typed, (north) => change(north, lng));
  const enter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onDone?.('down');
  };
  return (
    <div className="f-fields">
      <input
        {...ariaOf(props)}
        aria-label={t('lat')}
        type="text"
        inputMode="decimal"
        placeholder={t('lat')}
        value={lat}
        onChange={(event) => change(event.currentTarget.value, lng)}
        onKeyDown={enter}
      />
      <input
        type="text"
        inputMode="decimal"
        aria-label={t('lng')}
        placeholder={t('lng')}
        value={lng}
        onChange={(event) => change(lat, event.currentTarget.value)}
        onKeyDown={enter}
      />
    </div>
  );
};

/** A list of files by URL. */
export const AddressListEditor = ({ pictures = false, ...props }: EditorProps & { readonly pictures?: boolean }) => {
  const { field, value, onChange, onDone, typed } = props;
  const { t } = useTranslation('tableFields');
  const [files, setFiles] = useState<readonly FileLink[]>(() => {
    const known = fileItemsOf(value).filter(isFileLink);
    return known.length === 0 || typed ? [...known, { url: typed ?? '' }] : known;
  });
  const put = (next: readonly FileLink[]): void => {
    setFiles(next);
    const filesWithUrl = next.filter((one) => one.url.trim() !== '');
    const { most } = field.options;
    if (filesWithUrl.some((one) => safeHref(one.url) === null)) onChange(value, t('fileFault'));
    else if (most !== undefined && filesWithUrl.length > most) onChange(value, t('most', { count: most }));
    else onChange(filesWithUrl.length === 0 ? null : filesWithUrl);
  };
  const edit = (place: number, part: keyof FileLink, text: string): void =>
    put(
      files.map((one, at) => {
        if (at !== place) return one;
        const { [part]: _, ...rest } = { ...one };
        return part === 'url' ? { ...one, url: text } : text === '' ? { url: one.url, ...rest } : { ...one, [part]: text };
      }),
    );
  useTypedDraft(typed, () => put(files));
  return (
    <div className="f-filelist">
      {files.map((file, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows are edited in place
        <div key={place} className="f-file">
          <input
            {...(place === 0 ? ariaOf(props) : {})}
            type="url"
            aria-label={t('fileUrl')}
            placeholder="https://"
            value={file.url}
            onChange={(event) => edit(place, 'url', event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onDone?.('down');
            }}
          />
          <input
            type="text"
            aria-label={t(pictures ? 'fileAlt' : 'fileName')}
            placeholder={t(pictures ? 'fileAlt' : 'fileName')}
            value={(pictures ? file.alt : file.name) ?? ''}
            onChange={(event) => edit(place, pictures ? 'alt' : 'name', event.currentTarget.value)}
          />
          <button type="button" className="icon-button" aria-label={t('remove', { name: file.url })} onClick={() => put(files.filter((_, at) => at !== place))}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
      <button type="button" className="f-plain" onClick={() => setFiles([...files, { url: '' }])}>
        {t('fileAdd')}
      </button>
    </div>
  );
};
