import { createRoot } from 'react-dom/client';
import '@/theme/tokens.css';
import { linkOf } from './call';
import { OpenPage } from './view/OpenPage';
import './open.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(<OpenPage link={linkOf(location.pathname)} />);
