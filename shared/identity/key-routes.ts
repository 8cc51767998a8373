/** May a restricted key call this? Entries are `[METHOD ]/path`; an entry covers its path and everything below it. */
export function isRouteAllowed(entries: readonly string[], method: string, rawPath: string): boolean {
  const path = plainPath(rawPath);
  if (path === undefined) return false;
  return entries.some((entry) => {
    const [, wantedMethod, wantedPath = ''] = /^(?:([A-Z]+) )?(\/.*)$/.exec(entry) ?? [];
    const base = wantedPath.replace(/\/+$/, '');
    return (
      (!wantedMethod || wantedMethod === method || (wantedMethod === 'GET' && method === 'HEAD')) &&
      (path === base || path.startsWith(`${base}/`))
    );
  });
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
