import { styled } from '@mui/material/styles';
import { Link } from 'react-router-dom';

/** A link in running text. */
export const TextLink = styled(Link)({ color: 'var(--info)', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } });
