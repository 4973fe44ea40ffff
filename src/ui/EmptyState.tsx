import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Box = styled('div')({ padding: '40px 16px', textAlign: 'center', maxWidth: 460, margin: '0 auto' });
const Title = styled('p')({ fontWeight: 600, marginBottom: 4 });
const Body = styled('p')({ color: 'var(--ink-2)', marginBottom: 16 });

/**
 * What will be here, why there is nothing, one way on. `none`: nothing yet; `noMatch`: filters hide everything; `noRight`: not allowed.
 */
export const EmptyState = ({ kind = 'none', title, children, action }: { kind?: 'none' | 'noMatch' | 'noRight'; title: ReactNode; children?: ReactNode; action?: ReactNode }) => (
  <Box data-empty={kind} {...(kind === 'noMatch' ? { role: 'status' } : {})}>
    <Title>{title}</Title>
    {children && <Body as="div">{children}</Body>}
    {action}
  </Box>
);
