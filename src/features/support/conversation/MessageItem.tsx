import { useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '@mui/material';
import { useTranslation } from 'react-i18next';
import type { Agent, ConversationMessage, SupportFile } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { supportFileAddress, useEditSupportMessageMutation, useRemoveSupportMessageMutation } from '../supportApi';
import { useConversationLabels } from '../useConversationLabels';
import { MessageText } from './MessageText';
import type { Outgoing } from './outgoingStore';

function FileLink({ siteId, file }: { readonly siteId: string; readonly file: SupportFile }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const { id, name, contentType, size, width, height } = file;
  const address = supportFileAddress({ siteId, id });
  if (contentType.startsWith('image/') && width !== null && height !== null)
    return (
      <a className="support-picture" href={address} title={t('message.open', { name })}>
        <img src={supportFileAddress({ siteId, id }, true)} alt={name} width={width} height={height} loading="lazy" decoding="async" />
      </a>
    );
  return (
    <a className="support-file" href={address} title={t('message.download', { name })}>
      <Icon name="file" />
      <span>
        <b dir="auto">{name}</b>
        <small>{bytesText(size, format)}</small>
      </span>
    </a>
  );
}

function Editing({
  siteId,
  conversation,
  message,
  onDone,
}: {
  readonly siteId: string;
  readonly conversation: string;
  readonly message: ConversationMessage;
  readonly onDone: () => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const [text, setText] = useState(message.body);
  const [edit, { isLoading }] = useEditSupportMessageMutation();
  const save = async (): Promise<void> => {
    const { error } = await edit({ siteId, id: conversation, seq: message.seq, body: { body: text.trim() } });
    if (error === undefined) onDone();
    else notifyFailure(dispatch, error);
  };
  return (
    <form
      className="support-editing"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        rows={3}
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)}
        aria-label={t('message.edit')}
        value={text}
        maxLength={supportLimits.message}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
      />
      <Button size="small" onClick={onDone}>
        {t('message.cancel')}
      </Button>
      <Button size="small" type="submit" variant="contained" aria-busy={isLoading} disabled={text.trim() === ''}>
        {t('message.save')}
      </Button>
    </form>
  );
}

/** Below a message: when, by whom, and what became of it. */
const Foot = ({ children }: { readonly children: ReactNode }): ReactElement => <small className="support-foot">{children}</small>;

type Props = {
  readonly siteId: string;
  readonly conversation: string;
  readonly message: ConversationMessage;
  readonly me: string;
  readonly now: number;
  readonly visitorName: string;
  readonly agents: readonly Agent[];
  /** The last message that the visitor has read. */
  readonly isLastRead: boolean;
};

/** Buttons for the own message, for as long as the server allows changes. */
function OwnTools({
  siteId,
  conversation,
  message,
  onEdit,
  onRemoved,
}: Pick<Props, 'siteId' | 'conversation' | 'message'> & { readonly onEdit: () => void; readonly onRemoved: () => void }): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [remove] = useRemoveSupportMessageMutation();
  const removeIt = async (): Promise<void> => {
    if (!(await confirm({ title: t('message.removeTitle'), body: t('message.removeText'), confirm: t('message.remove'), danger: true }))) return;
    const { error } = await remove({ siteId, id: conversation, seq: message.seq });
    if (error === undefined) onRemoved();
    else notifyFailure(dispatch, error);
  };
  return (
    <span className="support-message-tools">
      {message.file === null && <PlainButton onClick={onEdit}>{t('message.edit')}</PlainButton>}
      <PlainButton onClick={() => void removeIt()}>{t('message.remove')}</PlainButton>
    </span>
  );
}

/** A message, note, file or event of the conversation. */
export function MessageItem({ siteId, conversation, message, me, now, visitorName, agents, isLastRead }: Props): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const labels = useConversationLabels();
  const [editing, setEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const { author, kind, body, file, event, agent, at, editedAt, deletedAt } = message;
  if (kind === 'event' && event !== null)
    return (
      <li className="support-event">
        {labels.event(event, agent, agents)} <time dateTime={at}>{format.time(at)}</time>
      </li>
    );
  // The field or the button that had the focus is gone with what it did.
  const refocus = (): void => {
    requestAnimationFrame(() => (item.current?.querySelector<HTMLElement>('.support-message-tools button') ?? item.current)?.focus());
  };
  const isOwn = agent?.id === me;
  const mayChange = isOwn && deletedAt === null && now - Date.parse(at) < supportLimits.editFor * 1000;
  const who = author === 'visitor' ? visitorName : isOwn ? t('message.me') : (agent?.name ?? t('message.formerAgent'));
  return (
    <li ref={item} className="support-message" data-author={author} data-kind={kind} tabIndex={-1}>
      <div className="support-bubble">
        {kind === 'note' && <small className="support-note-label">{t('message.note')}</small>}
        {deletedAt !== null ? (
          <p className="support-removed">{t('message.removed')}</p>
        ) : editing ? (
          <Editing
            siteId={siteId}
            conversation={conversation}
            message={message}
            onDone={() => {
              setEditing(false);
              refocus();
            }}
          />
        ) : (
          <>
            {file !== null && <FileLink siteId={siteId} file={file} />}
            {body !== '' && <MessageText text={body} />}
          </>
        )}
      </div>
      <Foot>
        <span>{who}</span>
        <time dateTime={at} title={format.dateTime(at, { seconds: true })}>
          {format.time(at)}
        </time>
        {editedAt !== null && deletedAt === null && <span>{t('message.edited')}</span>}
        {isLastRead && <span>{t('message.read')}</span>}
        {mayChange && !editing && (
          <OwnTools
            siteId={siteId}
            conversation={conversation}
            message={message}
            onEdit={() => setEditing(true)}
            onRemoved={() => requestAnimationFrame(() => item.current?.focus())}
          />
        )}
      </Foot>
    </li>
  );
}

/** A message that the server does not have yet: its state, and what can be done when it failed. */
export function OutgoingItem({
  entry,
  onRetry,
  onRemove,
}: {
  readonly entry: Outgoing;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const { kind, body, file, state, reason = '' } = entry;
  const isFailed = state === 'failed' || state === 'lost';
  const why = state === 'lost' ? t('message.fileLost') : reason === '' ? t('message.refused') : reason;
  return (
    <li className="support-message" data-author="agent" data-kind={kind} data-state={isFailed ? 'failed' : state}>
      <div className="support-bubble">
        {kind === 'note' && <small className="support-note-label">{t('message.note')}</small>}
        {file && (
          <p className="support-text">
            <Icon name="file" size={16} /> {file.name}
          </p>
        )}
        {body !== '' && <MessageText text={body} />}
      </div>
      <Foot>
        <span role="status">{isFailed ? t('message.failed', { reason: why }) : t(`message.${state}`)}</span>
        {state !== 'sending' && (
          <span className="support-message-tools" data-visible="">
            {state !== 'lost' && <PlainButton onClick={onRetry}>{t('message.retry')}</PlainButton>}
            <PlainButton onClick={onRemove}>{t('message.discard')}</PlainButton>
          </span>
        )}
      </Foot>
    </li>
  );
}
