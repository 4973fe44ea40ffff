/** Style files are taken into the build for their effect only. */
declare module '*.css';
