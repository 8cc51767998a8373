import { AppError } from '../errors.ts';
import { isObject, parseJson } from '../llm/json-value.ts';
import { dataUrl } from '../llm/parts.ts';
import type { Fields } from '../llm/turn.ts';
import type { OutboundResponse } from '../net/response.ts';
import type { Caller } from './headers.ts';
import { operationsOf, type Operation } from './openapi.ts';
import { serverHeaders, type AccessParts } from './server-access.ts';
import { toolServerId, type ToolServer } from './server.ts';
import { toFile, toResult, toText, withFiles, type Tool, type ToolResult } from './tool.ts';

const LARGEST_DOCUMENT = 4 * 1024 * 1024;
const LARGEST_RESULT = 1024 * 1024;
const LARGEST_MEDIA = 2 * 1024 * 1024;
const DOCUMENT_MS = 10_000;
const CALL_MS = 120_000;
const DOCUMENT_KEPT_MS = 5 * 60_000;

const documents = new Map<string, { readonly at: number; readonly operations: Operation[] }>();

export async function openapiTools(parts: AccessParts, server: ToolServer, caller: Caller): Promise<Tool[]> {
  const operations = await operationsAt(parts, server, caller);
  return operations.map((operation) => ({
    source: toolServerId(server),
    name: operation.name,
    description: operation.description,
    parameters: operation.parameters,
    isCited: true,
    run: (args, signal) => callOperation(parts, { server, caller, operation, args, signal }),
  }));
}

async function operationsAt(parts: AccessParts, server: ToolServer, caller: Caller): Promise<Operation[]> {
  const key = `${server.id} ${server.revision} ${server.created_at}`;
  const known = documents.get(key);
  if (known && Date.now() - known.at < DOCUMENT_KEPT_MS) return known.operations;
  const operations = operationsOf(await readDocument(parts, server, caller));
  documents.set(key, { at: Date.now(), operations });
  return operations;
}

/** The OpenAPI document of a server. */
export async function readDocument(parts: AccessParts, server: ToolServer, caller?: Caller): Promise<Fields> {
  const document = server.spec === null ? await fetchDocument(parts, server, caller) : parseJson(server.spec);
  if (!isObject(document) || !isObject(document.paths))
    throw new AppError('upstream_failed', `${server.name} has no OpenAPI document in JSON`);
  return document;
}

async function fetchDocument(parts: AccessParts, server: ToolServer, caller: Caller | undefined): Promise<unknown> {
  const url = /^https?:\/\//.test(server.path) ? server.path : `${server.url}/${server.path.replace(/^\/+/, '')}`;
  const response = await parts.outbound.request(url, {
    headers: { accept: 'application/json', ...(await serverHeaders(parts, server, caller)) },
    timeoutMs: DOCUMENT_MS,
    trusted: true,
  });
  if (response.status !== 200) throw new AppError('upstream_failed', `${server.name} answered ${response.status}`);
  return response.json(LARGEST_DOCUMENT);
}

interface OperationCall {
  readonly server: ToolServer;
  readonly caller: Caller;
  readonly operation: Operation;
  readonly args: Fields;
  readonly signal: AbortSignal;
}

async function callOperation(parts: AccessParts, call: OperationCall): Promise<ToolResult> {
  const { server, caller, operation, args, signal } = call;
  const body = bodyOf(operation, args);
  const response = await parts.outbound.request(addressOf(server, operation, args), {
    method: operation.method,
    headers: {
      accept: 'application/json, text/*;q=0.9, */*;q=0.5',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(await serverHeaders(parts, server, caller)),
    },
    body,
    timeoutMs: CALL_MS,
    trusted: true,
    signal,
  });
  return readResult(response);
}

function addressOf({ url }: ToolServer, { path, pathNames, queryNames }: Operation, args: Fields): string {
  const filled = pathNames.reduce((at, name) => at.replaceAll(`{${name}}`, segmentOf(name, args[name])), path);
  const query = new URLSearchParams();
  for (const name of queryNames) {
    for (const one of [args[name] ?? []].flat()) query.append(name, toText(one));
  }
  return `${url}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Dots alone would climb out of the path, however they are written. */
function segmentOf(name: string, value: unknown): string {
  const text = toText(value);
  if (/^\.{0,2}$/.test(text)) throw new AppError('invalid_request', `${name} cannot be "${text}"`);
  return encodeURIComponent(text);
}

function bodyOf({ hasBody, pathNames, queryNames }: Operation, args: Fields): string | undefined {
  if (!hasBody) return undefined;
  const elsewhere = new Set([...pathNames, ...queryNames]);
  return JSON.stringify(Object.fromEntries(Object.entries(args).filter(([name]) => !elsewhere.has(name))));
}

/** HTML that says it wants to be shown in place is for the user; the model only learns of it. */
async function readResult(response: OutboundResponse): Promise<ToolResult> {
  const { status, headers } = response;
  const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  if (status === 200 && /^(image|audio)\//i.test(type)) {
    const bytes = await response.bytes(LARGEST_MEDIA);
    return withFiles('', [toFile(dataUrl(type, bytes.toString('base64')), type)]);
  }
  const text = await response.text(LARGEST_RESULT);
  if (status < 200 || status > 299)
    return { text: `The tool answered ${status}: ${text}`.slice(0, 4000), isError: true };
  const isInline = /^inline/i.test(String(headers['content-disposition'] ?? ''));
  if (isInline && /^text\/html/i.test(headers['content-type'] ?? ''))
    return { text: 'The result is shown to the user.', embeds: [headers.location ?? text] };
  const value = parseJson(text);
  return toResult(value === undefined ? text : value);
}
