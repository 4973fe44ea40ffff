import { Button } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { TextLine } from '@/features/tables/parts/controls';
import { FieldIcon } from '@/features/tables/records/icons';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Popup } from '@/ui/Popup';
import '@/features/tables/parts/design.css';
import { OptionsPart } from './OptionsPart';
import { Palette } from './Palette';
import { RefusedParts } from './RefusedParts';
import { useFieldEditing } from './useFieldEditing';

type OfTable = { readonly site: Site; readonly tables: readonly ContentTable[]; readonly table: ContentTable };
type Added = (field: string, table: ContentTable) => void;

/** The name and the options that a field of this type needs. */
const NewField = ({
  type,
  title,
  onRetype,
  onAdded,
  onClose,
  ...of
}: OfTable & {
  readonly type: FieldType;
  readonly title: string;
  readonly onRetype: (title: string) => void;
  readonly onAdded: Added;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { editing, failure, fieldErrors, busy, save, discard } = useFieldEditing({ ...of, field: null, type, title, mayDesign: true, onAdded });
  const { draft, set, errorAt } = editing;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll<HTMLElement>('input, select, textarea, button[type="submit"]') ?? [])];
    inputs.at(title === '' ? 0 : 1)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the form opens
  }, []);
  const hidden = Object.fromEntries(Object.entries(fieldErrors).filter(([path]) => path !== 'title' && !path.startsWith('options')));
  return (
    <form
      ref={form}
      noValidate
      className="design-creator"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save();
      }}
    >
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      <RefusedParts fieldErrors={hidden} errorAt={errorAt} />
      <TextLine label={t('edit.name')} value={draft.title} max={tableLimits.nameLength} error={errorAt('title')} onChange={(name) => set({ title: name })} />
      <p className="design-line">
        <FieldIcon column={{ field: { type } }} />
        <span>{t(`type.${type}`)}</span>
        <Button onClick={() => onRetype(draft.title)}>{t('palette.back')}</Button>
      </p>
      <OptionsPart essential {...editing} />
      <div className="design-creator-foot">
        <Button
          onClick={() => {
            discard();
            onClose();
          }}
        >
          {t('cancel')}
        </Button>
        <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
          {t(busy ? 'saving' : 'edit.add')}
        </Button>
      </div>
    </form>
  );
};

/** A small panel that adds a field: its name, its type, and what the type needs. Everything else about it is edited on the page of fields. */
export const FieldCreator = ({
  anchor,
  onClose,
  onAdded,
  ...of
}: OfTable & { readonly anchor: HTMLElement; readonly onClose: () => void; readonly onAdded: Added }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [type, setType] = useState<FieldType | null>(null);
  const [title, setTitle] = useState('');
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('palette.title')} width={380}>
      {type === null ? (
        <div className="design-creator">
          <TextLine label={t('edit.name')} value={title} max={tableLimits.nameLength} onChange={setTitle} />
          <Palette onChoose={setType} />
        </div>
      ) : (
        <NewField
          key={type}
          {...of}
          type={type}
          title={title}
          onRetype={(name) => {
            setTitle(name);
            setType(null);
          }}
          onAdded={onAdded}
          onClose={onClose}
        />
      )}
    </Popup>
  );
};
