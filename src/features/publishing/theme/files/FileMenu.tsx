import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Theme, ThemeFile } from '@contract/publishing/themeFiles';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useFileDrop } from '@/ui/useFileDrop';
import { useMenu } from '@/ui/useMenu';
import { FileDialog } from './FileDialog';
import type { useFileActions } from './useFileActions';
import type { OpenFiles } from './useOpenFiles';

type Props = {
  readonly theme: Theme;
  /** The open file, if the theme has it. */
  readonly file: ThemeFile | undefined;
  readonly open: OpenFiles;
  readonly actions: ReturnType<typeof useFileActions>;
  readonly onOpen: (path: string) => void;
};

/** What can be done with files: add, upload, rename, remove. */
export function FileMenu({ theme, file, open, actions, onOpen }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const menu = useMenu();
  const [dialog, setDialog] = useState<'add' | 'rename' | null>(null);
  const upload = useFileDrop((uploads) => {
    void actions.upload(uploads, theme.files).then((path) => {
      if (path === null) return;
      open.close(path);
      onOpen(path);
    });
  });
  const choose = (action: () => void) => () => {
    menu.close();
    action();
  };
  const remove = async (target: ThemeFile): Promise<void> => {
    if (!(await actions.remove(target))) return;
    open.close(target.path);
    onOpen('');
  };
  const isFixed = file === undefined || file.path === 'theme.json';
  return (
    <>
      <input {...upload.input} multiple />
      <IconButton label={t('theme.files.actions')} aria-haspopup="menu" aria-expanded={menu.anchor !== null} onClick={menu.toggle}>
        <Icon name="more" />
      </IconButton>
      {menu.anchor && (
        <Popup anchor={menu.anchor} onClose={menu.close} label={t('theme.files.actions')} role="menu" align="end" width={220}>
          <MenuRow role="menuitem" onClick={choose(() => setDialog('add'))}>
            {t('theme.files.add')}
          </MenuRow>
          <MenuRow role="menuitem" onClick={choose(upload.choose)}>
            {t('theme.files.upload')}
          </MenuRow>
          {!isFixed && (
            <>
              <MenuRow role="menuitem" onClick={choose(() => setDialog('rename'))}>
                {t('theme.files.renameOrMove')}
              </MenuRow>
              <MenuRow role="menuitem" onClick={choose(() => void remove(file))}>
                {t('theme.files.remove')}
              </MenuRow>
            </>
          )}
        </Popup>
      )}
      {dialog !== null && (
        <FileDialog
          path={dialog === 'rename' ? (file?.path ?? null) : null}
          existing={theme.files.map(({ path }) => path)}
          send={async (path) => (dialog === 'rename' && file ? actions.rename(file, path) : actions.add(path, path.endsWith('.json') ? '{}\n' : ''))}
          onSuccess={(path) => {
            if (dialog === 'rename' && file) open.close(file.path);
            setDialog(null);
            onOpen(path);
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
