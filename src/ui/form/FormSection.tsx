import { Box, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** A part of a form page: heading and one sentence on the left, fields on the right; stacked on a phone. */
export function FormSection({ title, lead, children }: { readonly title: string; readonly lead?: ReactNode; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '216px minmax(0, 1fr)' }, columnGap: 4, rowGap: 2, py: 3 }}
    >
      <Box>
        <Typography id={id} component="h2" variant="h2">
          {title}
        </Typography>
        {lead !== undefined && (
          <Typography variant="caption" component="p" sx={{ mt: 0.5, fontSize: 'var(--text-table)', color: 'text.secondary' }}>
            {lead}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'grid', gap: 2.5, alignContent: 'start' }}>{children}</Box>
    </Box>
  );
}
