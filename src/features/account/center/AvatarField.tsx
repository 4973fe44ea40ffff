import { Suspense, lazy, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@contract/session/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Avatar } from '@/ui/Avatar';
import { FieldGroup } from '@/ui/form/Field';
import { PlainButton } from '@/ui/PlainButton';
import { useRemoveAvatarMutation } from '../accountApi';

const AvatarDialog = lazy(() => withMui(import(/* webpackChunkName: "account-profile" */ './AvatarDialog')));

/** Largest file in bytes: a browser needs many times that to decode it. */
const mostBytes = 20 * 1024 * 1024;

/** Removes the picture, and reports the result as a notice. */
function useRemoval() {
  const dispatch = useAppDispatch();
  const [remove, { isLoading: busy }] = useRemoveAvatarMutation();
  const removePicture = async () => {
    const { error } = await remove();
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key: 'account:avatar.removed' } }));
  };
  return { removePicture, busy };
}

/** Accepts a dropped file and shows that it does. */
function DropArea({ onFile, children }: { readonly onFile: (file: File | undefined) => void; readonly children: (over: boolean) => ReactNode }): ReactElement {
  const [over, setOver] = useState(false);
  return (
    // Dropping a file has an equivalent: the button inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="avatar-drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      {children(over)}
    </div>
  );
}

/** The person's picture: chosen or dropped here, cropped in a dialog. */
export function AvatarField({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | undefined>(undefined);
  const { removePicture, busy } = useRemoval();

  const take = (chosen: File | undefined) => {
    setError(undefined);
    if (!chosen) return;
    if (!chosen.type.startsWith('image/')) setError(t('avatar.notAnImage'));
    else if (chosen.size > mostBytes) setError(t('avatar.tooLarge'));
    else setFile(chosen);
  };
  const takeAway = async () => {
    setError(undefined);
    await removePicture();
    choose.current?.focus();
  };
  return (
    <FieldGroup label={t('avatar.label')} help={t('avatar.help')} error={error}>
      <DropArea onFile={take}>
        {(over) => (
          <>
            <Avatar name={user.displayName} picture={user.avatar} size={64} />
            <PlainButton ref={choose} onClick={() => input.current?.click()}>
              {t(user.avatar === null ? 'avatar.choose' : 'avatar.change')}
            </PlainButton>
            {user.avatar !== null && (
              <PlainButton data-quiet="" onClick={() => void takeAway()} disabled={busy}>
                {t('avatar.remove')}
              </PlainButton>
            )}
            {over && <small>{t('avatar.drop')}</small>}
            <input
              ref={input}
              type="file"
              accept="image/*"
              hidden
              aria-label={t('avatar.choose')}
              onChange={(event) => {
                take(event.target.files?.[0]);
                // Allows the same file to be chosen again.
                event.target.value = '';
              }}
            />
          </>
        )}
      </DropArea>
      {file && (
        <Suspense fallback={null}>
          <AvatarDialog
            file={file}
            onClose={(message) => {
              setFile(null);
              setError(message);
            }}
          />
        </Suspense>
      )}
    </FieldGroup>
  );
}
