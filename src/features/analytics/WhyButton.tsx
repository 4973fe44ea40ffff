import { Button, ButtonBase, Popover } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

const Body = styled('div')({ width: 400, maxWidth: '90vw', padding: 16, fontSize: 'var(--text-table)', lineHeight: 1.6, '& p + p': { marginTop: 8 } });
const Title = styled('h2')({ fontSize: 'var(--text-body)', fontWeight: 600, marginBottom: 4 });
const Foot = styled('div')({ display: 'flex', justifyContent: 'flex-end', margin: '8px -8px -8px 0' });

/** Text that opens the explanation of a figure. */
export const WhyButton = ({
  label,
  title,
  children,
  explanation,
}: {
  label: string;
  title: string;
  children: ReactNode;
  explanation: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('analytics');
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        aria-label={label}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ font: 'inherit', textAlign: 'left', minWidth: 24, minHeight: 24, borderRadius: 'var(--radius)', borderBottom: '1px dotted var(--n-5)' }}
      >
        {children}
      </ButtonBase>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id } }}
      >
        <Body>
          <Title id={id}>{title}</Title>
          {explanation}
          <Foot>
            <Button onClick={() => setAnchor(null)}>{t('blocks.close')}</Button>
          </Foot>
        </Body>
      </Popover>
    </>
  );
};
