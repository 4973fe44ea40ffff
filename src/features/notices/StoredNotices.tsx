import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { StoredNotice } from '@contract/notices/schemas';
import { useFormat } from '@/lib/format';

const Entry = styled(Link)({
  display: 'block',
  padding: '8px 14px 8px 26px',
  borderTop: '1px solid var(--line)',
  color: 'inherit',
  textDecoration: 'none',
  position: 'relative',
  '& > strong, & > span': { display: 'block', overflowWrap: 'anywhere' },
  '& > strong': { fontWeight: 400 },
  '& > span, & > small': { fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' },
  '&[data-unread="true"] > strong': { fontWeight: 600 },
  '&[data-unread="true"]::before': {
    content: '""',
    position: 'absolute',
    left: 12,
    top: 15,
    width: 6,
    height: 6,
    borderRadius: '50%',
    background: 'var(--chart-accent)',
  },
  '&:hover, &:focus-visible': { background: 'var(--hover)' },
});

/** Stored notices; opening one leads to what it is about. */
export const StoredNotices = ({ notices, onOpen }: { notices: readonly StoredNotice[]; onOpen: (notice: StoredNotice) => void }) => {
  const { t } = useTranslation('frame');
  const { relative } = useFormat();
  return (
    <>
      {notices.map((notice) => (
        <Entry key={notice.id} to={notice.path} data-unread={!notice.read} onClick={() => onOpen(notice)}>
          <strong>
            {!notice.read && <span className="only-read">{t('notices.unread')}</span>}
            {notice.title}
          </strong>
          <span>{notice.text}</span>
          <small>{relative(notice.at)}</small>
        </Entry>
      ))}
    </>
  );
};
