import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { editedSize, turnedSize } from '@contract/resources/edits';
import type { Size } from '@contract/resources/edits';
import type { Resource } from '@contract/resources/schemas';
import { resourcePresets } from '@contract/resources/terms';
import { FilterSelect } from '@/ui/FilterSelect';
import { PlainButton } from '@/ui/PlainButton';
import { plainAddress } from '../resourcesApi';
import { CropFrame } from './CropFrame';
import { EditedPicture } from './EditedPicture';
import { FocalPoint } from './FocalPoint';
import { cropWithRatio, fillingCrop, turned, withCrop } from './imageEdit';
import type { Edit } from './imageEdit';
import './editor.css';

/** Ratios of width to height by name; `free`: any. */
const ratios = { free: null, '1:1': 1, '4:3': 4 / 3, '3:2': 3 / 2, '16:9': 16 / 9, '3:4': 3 / 4, '2:3': 2 / 3, '9:16': 9 / 16 } as const;
type Ratio = keyof typeof ratios;
const ratioNames = Object.keys(ratios) as Ratio[];

const most: Size = { width: 512, height: 320 };
/** A size in px that fits into a wide drawer, with the proportions of a picture. */
function fitted({ width, height }: Size, { width: w, height: h }: Size = most): Size {
  const scale = Math.min(w / width, h / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

const whole = { x: 0, y: 0, width: 1, height: 1 } as const;
/** Where the edit can be undone to; the oldest are forgotten. */
const mostSteps = 100;

/** What each kind of preset shows of the picture. */
function PresetPreviews({ source, size, edit }: { readonly source: string; readonly size: Size; readonly edit: Edit }): ReactElement {
  const { t } = useTranslation('resources');
  const box = (preset: 'square' | 'share'): Size => fitted(resourcePresets[preset], { width: 168, height: 88 });
  return (
    <div className="resource-crops">
      <figure>
        <EditedPicture source={source} size={size} edit={edit} box={fitted(editedSize(size, edit), { width: 168, height: 88 })} />
        <figcaption>{t('focal.whole')}</figcaption>
      </figure>
      {(['square', 'share'] as const).map((preset) => (
        <figure key={preset}>
          <EditedPicture
            source={source}
            size={size}
            edit={{ rotation: edit.rotation, crop: fillingCrop(size, edit, resourcePresets[preset]) }}
            box={box(preset)}
          />
          <figcaption>{t(`focal.${preset}`)}</figcaption>
        </figure>
      ))}
    </div>
  );
}

type ToolsProps = {
  readonly cropping: boolean;
  readonly ratio: Ratio;
  readonly canUndo: boolean;
  readonly isEdited: boolean;
  readonly onTurn: (direction: 1 | -1) => void;
  readonly onCropping: (cropping: boolean) => void;
  readonly onRatio: (ratio: Ratio) => void;
  readonly onUndo: () => void;
  readonly onReset: () => void;
};

function EditTools({ cropping, ratio, canUndo, isEdited, onTurn, onCropping, onRatio, onUndo, onReset }: ToolsProps): ReactElement {
  const { t } = useTranslation('resources');
  return (
    <div className="resource-actions" role="toolbar" aria-label={t('edit.tools')}>
      <PlainButton data-quiet="" onClick={() => onTurn(-1)}>
        {t('edit.left')}
      </PlainButton>
      <PlainButton data-quiet="" onClick={() => onTurn(1)}>
        {t('edit.right')}
      </PlainButton>
      <PlainButton data-quiet="" aria-pressed={cropping} onClick={() => onCropping(!cropping)}>
        {t(cropping ? 'edit.cropDone' : 'edit.crop')}
      </PlainButton>
      {cropping && (
        <FilterSelect
          label={t('edit.ratio')}
          value={ratio}
          choices={ratioNames.map((one) => ({ value: one, label: one === 'free' ? t('edit.free') : one }))}
          onChoose={(name) => onRatio(ratioNames.find((one) => one === name) ?? 'free')}
        />
      )}
      <PlainButton data-quiet="" disabled={!canUndo} onClick={onUndo}>
        {t('edit.undo')}
      </PlainButton>
      {isEdited && (
        <PlainButton data-quiet="" onClick={onReset}>
          {t('edit.reset')}
        </PlainButton>
      )}
    </div>
  );
}

/**
 * Turns and crops a picture and picks its focal point, without changing its file, and previews the presets. `onChange` is null if it may not be changed; nothing
 * is stored before the form is saved.
 */
export function ImageEditor({
  siteId,
  resource,
  edit,
  onChange,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly edit: Edit;
  readonly onChange: ((edit: Edit) => void) | null;
}): ReactElement {
  const { t } = useTranslation('resources');
  const [cropping, setCropping] = useState(false);
  const [ratio, setRatio] = useState<Ratio>('free');
  const [steps, setSteps] = useState<readonly Edit[]>([]);
  const size = { width: resource.originalWidth ?? 1, height: resource.originalHeight ?? 1 };
  const source = plainAddress(siteId, resource, 'medium');
  /** `isStep`: the state before can be undone to; while a frame is dragged, only its beginning can. */
  const change = (next: Edit, isStep = true): void => {
    if (isStep) setSteps([...steps, edit].slice(-mostSteps));
    onChange?.(next);
  };
  const undo = (): void => {
    const last = steps.at(-1);
    setSteps(steps.slice(0, -1));
    if (last) onChange?.(last);
  };
  const image = turnedSize(size, edit.rotation);
  const box = fitted(image);
  const chosen = ratios[ratio];
  const chooseRatio = (name: Ratio): void => {
    setRatio(name);
    const value = ratios[name];
    if (value !== null) change(withCrop(edit, cropWithRatio(size, edit, value)));
  };
  const turn = (direction: 1 | -1): void => {
    setRatio('free');
    change(turned(edit, direction));
  };
  return (
    <div className="resource-focal">
      {cropping ? (
        <EditedPicture source={source} size={size} edit={{ rotation: edit.rotation, crop: null }} box={box}>
          <CropFrame
            crop={edit.crop ?? whole}
            ratio={chosen === null ? null : (chosen * image.height) / image.width}
            onChange={(crop, isFirst) => change(withCrop(edit, crop), isFirst)}
          />
        </EditedPicture>
      ) : (
        <FocalPoint
          source={source}
          size={size}
          edit={edit}
          box={fitted(editedSize(size, edit))}
          onPick={onChange && (({ x, y }, isFirst) => change({ ...edit, focalX: x, focalY: y }, isFirst))}
        />
      )}
      {onChange && (
        <EditTools
          cropping={cropping}
          ratio={ratio}
          canUndo={steps.length > 0}
          isEdited={edit.rotation !== 0 || edit.crop !== null}
          onTurn={turn}
          onCropping={setCropping}
          onRatio={chooseRatio}
          onUndo={undo}
          onReset={() => change({ rotation: 0, crop: null, focalX: 0.5, focalY: 0.5 })}
        />
      )}
      <PresetPreviews source={source} size={size} edit={edit} />
      {onChange && !cropping && <p className="resource-note">{t('focal.help')}</p>}
    </div>
  );
}
