/** May a restricted key call this? Entries are `[METHOD ]/path`; an entry covers its path and everything below it. */
export function isRouteAllowed(entries: readonly string[], method: string, rawPath: string): boolean {
  const path = plainPath(rawPath);
  return path !== undefined && entries.some((entry) => covers(entry, { method, path }));
}

/** Is everything that `inner` allows also allowed by `outer`? Null allows everything. */
export function isWithin(inner: readonly string[] | null, outer: readonly string[] | null): boolean {
  if (outer === null) return true;
  if (inner === null) return false;
  return inner.map(parse).every((entry) => outer.some((one) => covers(one, entry)));
}

/** An entry as it is stored, or nothing when it could be read in two ways. `/path/*` and `/path/` mean `/path`. */
export function toRouteEntry(text: string): string | undefined {
  const [, method, path = ''] = /^(?:(GET|POST|PUT|PATCH|DELETE) +)?(\/\S*)$/.exec(text.trim()) ?? [];
  const plain = path && plainPath(path.replace(/\/\*$/, '/'));
  if (plain === undefined || path === '' || /[*%]/.test(path.replace(/\/\*$/, ''))) return undefined;
  return `${method ? `${method} ` : ''}${plain || '/'}`;
}

interface Call {
  readonly method: string | undefined;
  readonly path: string;
}

function covers(entry: string, call: Call) {
  const { method, path } = parse(entry);
  const isMethod = !method || method === call.method || (method === 'GET' && call.method === 'HEAD');
  return isMethod && (call.path === path || call.path.startsWith(`${path}/`));
}

function parse(entry: string): Call {
  const [, method, path = entry] = /^(?:([A-Z]+) )?(\/.*)$/.exec(entry) ?? [];
  return { method, path: path.replace(/\/+$/, '') };
}

/** The decoded path, or nothing when it is written in a way that two readers could understand differently. */
function plainPath(rawPath: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch {
    return undefined;
  }
  const isAmbiguous =
    path.includes('//') ||
    path.includes('\\') ||
    path.includes('%') ||
    path.split('/').some((part) => part === '.' || part === '..');
  return isAmbiguous ? undefined : path.replace(/\/+$/, '');
}
