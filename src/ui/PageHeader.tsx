import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Row = styled('header')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px', marginBottom: 16, minHeight: 32 });
const Title = styled('h1')({ fontSize: '1.25rem', fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere', outline: 'none' });
const Note = styled('p')({ color: 'var(--ink-2)', flexBasis: '100%', marginTop: -4 });
const Side = styled('div')({ marginLeft: 'auto', display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' });

/** The page's one `h1` and, beside it, at most one primary button. Focus goes to the heading after a navigation. */
export const PageHeader = ({ title, note, beside, actions }: { title: ReactNode; note?: ReactNode; /** Right after the title: a label, a status. */ beside?: ReactNode; actions?: ReactNode }) => (
  <Row>
    <Title tabIndex={-1} data-page-heading="">
      {title}
    </Title>
    {beside}
    {actions && <Side>{actions}</Side>}
    {note && <Note>{note}</Note>}
  </Row>
);
