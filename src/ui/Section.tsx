import { styled } from '@mui/material/styles';
import { useId } from 'react';
import type { ReactNode } from 'react';

const Box = styled('section')({ '& + &': { marginTop: 32 } });
const Head = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '4px 12px', marginBottom: 12 });
const Title = styled('h2')({ fontSize: '1rem', fontWeight: 600, lineHeight: 1.5 });
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: '0.8125rem' });
const Side = styled('div')({ marginLeft: 'auto', display: 'flex', gap: 8, alignItems: 'center' });
const Body = styled('div')({ transition: 'opacity 150ms var(--ease)', '&[data-dim]': { opacity: 0.5 } });

/** A heading and what belongs to it: no box. `dim` while newer data is on its way: old numbers stay on the screen. */
export const Section = ({ title, note, actions, dim = false, children }: { title: ReactNode; note?: ReactNode; actions?: ReactNode; dim?: boolean; children: ReactNode }) => {
  const id = useId();
  return (
    <Box aria-labelledby={id}>
      <Head>
        <Title id={id}>{title}</Title>
        {note && <Note>{note}</Note>}
        {actions && <Side>{actions}</Side>}
      </Head>
      <Body aria-busy={dim} {...(dim ? { 'data-dim': '' } : {})}>
        {children}
      </Body>
    </Box>
  );
};
