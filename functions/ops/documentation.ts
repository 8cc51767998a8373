import { readFile } from 'node:fs/promises';
import { notFound } from '../../shared/errors.ts';

/** Swagger UI from our own files: the page loads nothing from anywhere else. */
const ASSETS = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
} as const;

const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

export const documentationPage = (name: string) =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(name)} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY } },
  );

export async function documentationAsset(asset: string): Promise<Response> {
  const type = Object.entries(ASSETS).find(([name]) => name === asset)?.[1];
  if (!type) throw notFound('Page');
  const body = asset === 'start.js' ? START : await readAsset(asset);
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } });
}

const START =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: -1, filter: true, tryItOutEnabled: true, persistAuthorization: true });";

/** Deployed, the files lie beside the bundle; in the repository they come from the package. */
async function readAsset(asset: string) {
  const beside = new URL(`./${asset}`, import.meta.url);
  const installed = new URL(`../../node_modules/swagger-ui-dist/${asset}`, import.meta.url);
  return readFile(beside).catch(() => readFile(installed));
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
