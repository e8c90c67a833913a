/** A style that is loaded with the part of a screen that needs it. */
declare module '*.css';
