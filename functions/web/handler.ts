import { unauthenticated } from '../../shared/errors.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { webApi } from './api.ts';
import { readPageFiles } from './files.ts';
import { createSite } from './service.ts';

const settings = await loadSettings();

/** Every route is open, so nobody is ever asked; the function needs no table. */
const nobody = () => Promise.reject(unauthenticated());

export const endpoints = webApi(createSite(readPageFiles()), nobody);

export const handler = httpHandler(endpoints, settings);
