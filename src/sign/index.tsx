import { createRoot } from 'react-dom/client';
import '@/theme/tokens.css';
import { navigateTo } from './SignIn';
import { SignPage } from './SignPage';
import { linkKindOf, takeToken } from './token';
import './sign.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
const path = location.pathname;
createRoot(root).render(<SignPage place={{ path, token: takeToken(linkKindOf(path)), leave: navigateTo, reload: () => location.reload() }} />);
