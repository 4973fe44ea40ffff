import { useEffect, useId } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactElement, RefObject } from 'react';
import { Button } from '@mui/material';
import { useTranslation } from 'react-i18next';
import type { CannedReply } from '@contract/support/settings';
import { fillCanned, supportLimits } from '@contract/support/terms';
import type { CannedValue } from '@contract/support/terms';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { Toggles } from '@/ui/Toggles';
import { useFileDrop } from '@/ui/useFileDrop';
import { CannedMenu } from './CannedMenu';
import { useCannedMenu } from './useCannedMenu';
import { useReply } from './useReply';

type Props = {
  readonly siteId: string;
  readonly conversation: string;
  /** The last place of the conversation that is on the screen. */
  readonly lastSeq: number;
  readonly onTyping: () => void;
  readonly canned: readonly CannedReply[];
  readonly values: Readonly<Partial<Record<CannedValue, string>>>;
  readonly acceptsFiles: boolean;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
};

const most = supportLimits.message;
/** From this share of the longest text on, the number of remaining characters is shown. */
const nearEnd = 0.9;

function fitHeight(element: HTMLElement): void {
  element.style.height = 'auto';
  element.style.height = `${String(element.scrollHeight)}px`;
}

/** Grows with its text, up to a third of the window (the style sheet has the limit). */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    if (field.current) fitHeight(field.current);
  }, [field, text]);
}

type ToolsProps = Pick<Props, 'canned' | 'acceptsFiles' | 'inputRef'> & {
  readonly reply: ReturnType<typeof useReply>;
  readonly onFiles: (files: readonly File[]) => void;
};

function Tools({ reply, canned, acceptsFiles, inputRef, onFiles }: ToolsProps): ReactElement {
  const { t } = useTranslation('support');
  const files = useFileDrop(onFiles);
  const left = most - reply.text.length;
  const startCanned = (): void => {
    reply.type('/');
    inputRef.current?.focus();
  };
  return (
    <div className="support-composer-tools">
      <Toggles
        label={t('composer.kind')}
        value={reply.isNote ? 'note' : 'reply'}
        choices={[
          { value: 'reply', label: t('composer.reply') },
          { value: 'note', label: t('composer.note') },
        ]}
        onChoose={(kind) => reply.switchNote(kind === 'note')}
      />
      {!reply.isNote && canned.length > 0 && (
        <IconButton label={t('composer.canned')} disabled={reply.text !== ''} onClick={startCanned}>
          <kbd aria-hidden="true">/</kbd>
        </IconButton>
      )}
      {!reply.isNote && acceptsFiles && (
        <>
          <IconButton label={t('composer.attach')} onClick={files.choose}>
            <Icon name="file" size={16} />
          </IconButton>
          <input {...files.input} accept=".jpg,.jpeg,.png,.webp,.gif,.pdf,.txt" multiple />
        </>
      )}
      <span className="support-composer-hint">{t('composer.keys')}</span>
      {left < most * (1 - nearEnd) && (
        <span role="status" data-over={left < 0}>
          {left < 0 ? t('composer.over', { count: -left }) : t('composer.left', { count: left })}
        </span>
      )}
      <Button
        variant="contained"
        disabled={reply.text.trim() === '' || left < 0}
        onClick={() => {
          reply.send();
          // The button cannot be pressed without text, and so loses the focus.
          inputRef.current?.focus();
        }}
      >
        {t(reply.isNote ? 'composer.addNote' : 'composer.send')}
      </Button>
    </div>
  );
}

/** Enter sends, Shift+Enter starts a new line, `/` at the start of the text finds a canned reply. */
export function Composer(props: Props): ReactElement {
  const { t } = useTranslation('support');
  const { siteId, conversation, lastSeq, onTyping, canned, values, acceptsFiles, inputRef } = props;
  const reply = useReply({ siteId, conversation, lastSeq, onTyping });
  const menuId = useId();
  const insert = (chosen: CannedReply): void => {
    reply.type(fillCanned(chosen.body, values));
    reply.cannedChosen(chosen.id);
  };
  const menu = useCannedMenu(reply.isNote ? '' : reply.text, canned, insert);
  const addFiles = (files: readonly File[]): void => {
    if (acceptsFiles && !reply.isNote) reply.sendFiles(files);
  };
  const drop = useFileDrop(addFiles);
  useGrowing(inputRef, reply.text);
  const onKeyDown = (event: KeyboardEvent): void => {
    // 229: the Enter that ends a composition in Safari, after which it is no longer composing.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || menu.onKey(event)) return;
    if (event.key === 'Escape') inputRef.current?.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (reply.text.trim() !== '' && reply.text.length <= most) reply.send();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  };
  return (
    <div className="support-composer" data-note={reply.isNote || undefined} data-over={drop.over || undefined} {...drop.place}>
      {menu.isOpen && (
        <CannedMenu
          id={menuId}
          replies={menu.matches}
          at={menu.chosen}
          onChoose={(chosen) => {
            insert(chosen);
            inputRef.current?.focus();
          }}
        />
      )}
      <textarea
        ref={inputRef}
        rows={2}
        dir="auto"
        value={reply.text}
        aria-label={t(reply.isNote ? 'composer.noteLabel' : 'composer.label')}
        placeholder={t(reply.isNote ? 'composer.notePlaceholder' : 'composer.placeholder')}
        {...(menu.isOpen && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': menuId,
          'aria-autocomplete': 'list',
          ...(menu.matches.length > 0 && { 'aria-activedescendant': `${menuId}-${String(menu.chosen)}` }),
        })}
        onChange={(event) => reply.type(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <Tools reply={reply} canned={canned} acceptsFiles={acceptsFiles} inputRef={inputRef} onFiles={addFiles} />
    </div>
  );
}
