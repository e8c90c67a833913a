import { Soon } from '../soon.tsx';

export const Page = Soon;
