import { AppError } from '../errors.ts';
import { isObject, parseJson } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import type { Caller } from './headers.ts';
import { operationsOf, type Operation } from './openapi.ts';
import { baseOf, requestOf } from './openapi-request.ts';
import { readResult } from './openapi-result.ts';
import { serverHeaders, type AccessParts } from './server-access.ts';
import { toolServerId, type ToolServer } from './server.ts';
import type { Tool, ToolResult } from './tool.ts';

const LARGEST_DOCUMENT = 4 * 1024 * 1024;
const DOCUMENT_MS = 10_000;
const CALL_MS = 120_000;
const DOCUMENT_KEPT_MS = 5 * 60_000;
const MOST_KEPT = 100;

const documents = new Map<string, { readonly at: number; readonly operations: readonly Operation[] }>();

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

async function operationsAt(parts: AccessParts, server: ToolServer, caller: Caller): Promise<readonly Operation[]> {
  const key = `${server.id} ${server.revision} ${server.created_at}`;
  const known = documents.get(key);
  if (known && Date.now() - known.at < DOCUMENT_KEPT_MS) return known.operations;
  const { operations } = operationsOf(await readDocument(parts, server, caller));
  if (documents.size >= MOST_KEPT) documents.clear();
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

/** The same for an operator who tries it out: with what models will not be offered, and why. */
export async function verifyDocument(parts: AccessParts, server: ToolServer): Promise<Fields> {
  const document = await readDocument(parts, server);
  const { leftOut } = operationsOf(document);
  return { ...document, ...(Object.keys(leftOut).length > 0 && { 'x-not-offered': leftOut }) };
}

const documentUrlOf = ({ url, path }: ToolServer) =>
  /^https?:\/\//.test(path) ? path : `${url}/${path.replace(/^\/+/, '')}`;

async function fetchDocument(parts: AccessParts, server: ToolServer, caller: Caller | undefined): Promise<unknown> {
  const url = documentUrlOf(server);
  // A document that lies elsewhere is for everyone to read; the key is for the server alone.
  const isThere = new URL(url).origin === new URL(server.url).origin;
  const response = await parts.outbound.request(url, {
    headers: { accept: 'application/json', ...(isThere && (await serverHeaders(parts, server, caller))) },
    timeoutMs: DOCUMENT_MS,
    trusted: true,
  });
  if (response.status !== 200) {
    response.close();
    throw new AppError('upstream_failed', `${server.name} answered ${response.status}`);
  }
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
  const base = baseOf(operation.server, server.url, documentUrlOf(server));
  const { url, method, headers, body } = requestOf(operation, args, base);
  const response = await parts.outbound.request(url, {
    method,
    // What a model says never takes the place of what an operator has set.
    headers: {
      accept: 'application/json, text/*;q=0.9, */*;q=0.5',
      ...headers,
      ...(await serverHeaders(parts, server, caller)),
    },
    body,
    timeoutMs: CALL_MS,
    trusted: true,
    signal,
  });
  return readResult(response);
}
