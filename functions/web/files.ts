import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PageFiles } from './service.ts';

/** In the repository the page has a folder of its own; deployed, its files lie beside the bundle. */
export function readPageFiles(here = import.meta.dirname): PageFiles {
  const own = path.join(here, 'page');
  const folder = existsSync(own) ? own : here;
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|html)$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}
