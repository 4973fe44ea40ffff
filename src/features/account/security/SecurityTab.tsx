import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import type { User } from '@contract/session/schemas';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useSecurityQuery } from '../securityApi';
import { EmailSection } from './EmailSection';
import { FactorsSection } from './FactorsSection';
import { LoginNameSection } from './LoginNameSection';
import { PasswordSection } from './PasswordSection';

/** Sign-in methods and the protection of the account. */
export default function SecurityTab({ user }: { readonly user: User }): ReactElement {
  const result = useSecurityQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(security) => (
        <Box sx={{ '& > * + *': { borderTop: 1, borderColor: 'divider' }, '& > section:first-of-type': { pt: 0 } }}>
          <FactorsSection security={security} />
          <PasswordSection user={user} security={security} />
          <EmailSection user={user} security={security} />
          <LoginNameSection user={user} security={security} />
        </Box>
      )}
    </ResultState>
  );
}
