import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { useSetPreference } from '@/features/account/usePreferences';
import { selectUser } from '@/features/account/userSlice';
import { useSignOutMutation } from '@/features/session/sessionApi';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { Avatar } from '@/ui/Avatar';
import { MenuLink, MenuRow, Popup } from '@/ui/Popup';

const Who = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  '& > div': { minWidth: 0 },
  padding: '10px 12px',
  borderBottom: '1px solid var(--line)',
  marginBottom: 4,
  '& b, & small': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  '& b': { fontWeight: 600 },
  '& small': { color: 'var(--ink-2)' },
});
const Choice = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '5px 12px',
  '& > svg': { color: 'var(--ink-2)' },
  '& > span': { flex: 1 },
});
const Segments = styled('div')({ display: 'flex', border: '1px solid var(--line)', borderRadius: 'var(--radius)', overflow: 'hidden' });
const Segment = styled('button')({
  border: 0,
  padding: '3px 9px',
  background: 'transparent',
  color: 'var(--ink-2)',
  fontSize: 'var(--text-table)',
  cursor: 'pointer',
  whiteSpace: 'nowrap',
  '& + &': { borderLeft: '1px solid var(--line)' },
  '&[aria-checked="true"]': { background: 'var(--n-3)', color: 'var(--ink)', fontWeight: 500 },
  '@media (pointer: coarse)': { minHeight: 40 },
});
const Divider = styled('hr')({ border: 0, borderTop: '1px solid var(--line)', margin: '4px 0' });

type Option<T extends string> = { readonly value: T; readonly label: string };

const Choose = <T extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChoose: (value: T) => void;
}) => (
  <Segments role="group" aria-label={label}>
    {options.map((option) => (
      <Segment key={option.value} type="button" role="menuitemradio" aria-checked={option.value === value} onClick={() => onChoose(option.value)}>
        {option.label}
      </Segment>
    ))}
  </Segments>
);

/** Language, scheme and colour: stored with the account. */
const Look = () => {
  const { t } = useTranslation('frame');
  const user = useAppSelector(selectUser);
  const setPreference = useSetPreference();
  return (
    <>
      <Choice>
        <Icon name="language" />
        <span>{t('person.language')}</span>
        <Choose
          label={t('person.language')}
          value={user?.locale ?? 'zh-CN'}
          options={[
            { value: 'zh-CN', label: t('person.chinese') },
            { value: 'en', label: 'English' },
          ]}
          onChoose={(locale) => void setPreference({ locale })}
        />
      </Choice>
      <Choice>
        <Icon name="sun" />
        <span>{t('person.scheme')}</span>
        <Choose
          label={t('person.scheme')}
          value={user?.colorScheme ?? 'system'}
          options={[
            { value: 'system', label: t('person.schemeSystem') },
            { value: 'light', label: t('person.schemeLight') },
            { value: 'dark', label: t('person.schemeDark') },
          ]}
          onChoose={(colorScheme) => void setPreference({ colorScheme })}
        />
      </Choice>
      <Choice>
        <Icon name="dashboard" />
        <span>{t('person.primary')}</span>
        <Choose
          label={t('person.primary')}
          value={user?.primary ?? 'grey'}
          options={[
            { value: 'grey', label: t('person.primaryGrey') },
            { value: 'blue', label: t('person.primaryBlue') },
          ]}
          onChoose={(primary) => void setPreference({ primary })}
        />
      </Choice>
    </>
  );
};

/** The signed-in person; language, scheme and colour; sign-out. */
const PersonMenu = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame']);
  const user = useAppSelector(selectUser);
  const refresh = useSessionRefresh();
  const [signOut, { isLoading }] = useSignOutMutation();
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('me')} role="menu" align="end" width={328}>
      {user && (
        <Who>
          <Avatar name={user.displayName} picture={user.avatar} size={36} />
          <div>
            <b>{user.displayName}</b>
            <small>{user.loginName}</small>
          </div>
        </Who>
      )}
      <MenuLink to="/account/center/account_center" role="menuitem" onClick={onClose}>
        <Icon name="person" />
        {t('frame:person.profile')}
      </MenuLink>
      <Divider />
      <Look />
      <Divider />
      <MenuRow
        type="button"
        role="menuitem"
        onClick={() => {
          onClose();
          refresh();
        }}
      >
        <Icon name="refresh" />
        {t('frame:person.refresh')}
      </MenuRow>
      <MenuRow type="button" role="menuitem" disabled={isLoading} onClick={() => void signOut()}>
        <Icon name="signOut" />
        {t('frame:person.signOut')}
      </MenuRow>
    </Popup>
  );
};

export default PersonMenu;
