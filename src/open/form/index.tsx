import { createRoot } from 'react-dom/client';
import '@/theme/tokens.css';
import { linkOf } from '../call';
import { Frame } from '../gate';
import '../open.css';
import { FormPage } from './FormPage';
import './form.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
const link = linkOf(location.pathname);
createRoot(root).render(<Frame>{(locale) => <FormPage link={link} locale={locale} />}</Frame>);
