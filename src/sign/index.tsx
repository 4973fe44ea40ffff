import { createRoot } from 'react-dom/client';
import '@/theme/tokens.css';
import { leaveFor } from './SignIn';
import { SignPage } from './SignPage';
import { takeToken } from './token';
import './sign.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(<SignPage place={{ path: location.pathname, token: takeToken(), leave: leaveFor, reload: () => location.reload() }} />);
