import type { ComponentProps } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { ReauthHost } from '@/features/session/ReauthHost';
import { SessionGate } from '@/features/session/SessionGate';
import { ConfirmHost } from '@/ui/ConfirmHost';
import type { Preferences } from '@/lib/preferences';
import type { AppStore } from '@/store';
import { EnrolHost } from './routes/shell/EnrolHost';
import { LookProvider } from './theme/LookProvider';

type Props = { store: AppStore; router: ComponentProps<typeof RouterProvider>['router']; nonce: string; preferences: Preferences };

/** Providers only. */
export const App = ({ store, router, nonce, preferences }: Props) => (
  <Provider store={store}>
    <LookProvider remembered={preferences} nonce={nonce}>
      <ConfirmHost>
        <SessionGate enrol={<EnrolHost />}>
          <RouterProvider router={router} />
        </SessionGate>
        <ReauthHost />
      </ConfirmHost>
    </LookProvider>
  </Provider>
);
