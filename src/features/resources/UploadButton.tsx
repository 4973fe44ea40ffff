import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceKind } from '@contract/resources/terms';
import { Caret } from '@/ui/Caret';
import { PlainButton } from '@/ui/PlainButton';
import { useFileDrop } from '@/ui/useFileDrop';
import { useMenu } from '@/ui/useMenu';
import { ActionPopup } from './ActionMenu';
import { acceptOf } from './kinds';
import { pickedFiles } from './uploads/pickedFiles';
import type { PickedFile } from './uploads/pickedFiles';

/** Chooses files, a whole folder, or addresses from which to add files; its menu also leads to the alternative texts of what was uploaded. */
export function UploadButton({
  kind,
  onFiles,
  onAddresses,
  onDescribe,
}: {
  readonly kind: ResourceKind;
  readonly onFiles: (files: readonly PickedFile[]) => void;
  readonly onAddresses: () => void;
  /** null: this kind has no alternative texts. */
  readonly onDescribe: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('resources');
  const menu = useMenu();
  const files = useFileDrop((list) => onFiles(pickedFiles(list)));
  const folder = useRef<HTMLInputElement>(null);
  // React knows no property for it.
  useEffect(() => folder.current?.setAttribute('webkitdirectory', ''), []);
  return (
    <span className="resource-upload">
      <PlainButton data-primary="" onClick={files.choose}>
        {t('upload.do')}
      </PlainButton>
      <PlainButton data-primary="" aria-label={t('upload.more')} aria-haspopup="menu" aria-expanded={menu.anchor !== null} onClick={menu.toggle}>
        <Caret to="down" />
      </PlainButton>
      <input {...files.input} multiple aria-label={t('upload.files')} {...(acceptOf[kind] === '' ? {} : { accept: acceptOf[kind] })} />
      <input
        ref={folder}
        type="file"
        hidden
        multiple
        aria-label={t('upload.folder')}
        onChange={(event) => {
          onFiles(pickedFiles(event.target.files ?? []));
          event.target.value = '';
        }}
      />
      {menu.anchor && (
        <ActionPopup
          anchor={menu.anchor}
          label={t('upload.more')}
          align="end"
          actions={[
            { label: t('upload.folder'), onChoose: () => folder.current?.click() },
            { label: t('fromAddress.open'), onChoose: onAddresses },
            ...(onDescribe ? [{ label: t('altTexts.open'), onChoose: onDescribe }] : []),
          ]}
          onClose={menu.close}
        />
      )}
    </span>
  );
}
