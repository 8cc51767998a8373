import { AppError } from '../errors.ts';
import { isObject, objectAt, parseJson } from '../llm/json-value.ts';
import type { ToolCall } from '../llm/turn-event.ts';
import type { Fields } from '../llm/turn.ts';
import { log } from '../log.ts';
import type { Tool, ToolResult } from './tool.ts';

/** One call of a model and what came of it. */
export interface Called {
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  readonly args: Fields;
  readonly result: ToolResult;
}

/** Carries out one call. Whatever goes wrong is told to the model, which can try again or say so. */
export async function carryOut(call: ToolCall, tools: ReadonlyMap<string, Tool>, signal: AbortSignal): Promise<Called> {
  const tool = tools.get(call.name);
  const given = call.arguments.trim() === '' ? {} : parseJson(call.arguments);
  if (!tool) return { call, tool, args: {}, result: failed(`There is no tool "${call.name}"`) };
  if (!isObject(given)) return { call, tool, args: {}, result: failed('The arguments are not a JSON object') };
  const args = declaredOnly(tool, given);
  const result = await tool.run(args, signal).catch((error: unknown) => failed(reasonOf(error, tool, signal)));
  return { call, tool, args, result };
}

const failed = (text: string): ToolResult => ({ text, isError: true });

/** Our own mistakes are nothing for a model to read. */
function reasonOf(error: unknown, { source, name }: Tool, { aborted }: AbortSignal): string {
  if (aborted) return 'The reply was stopped';
  log.warn('tool failed', { id: source, reason: name, error });
  return error instanceof AppError || isForeign(error) ? error.message : 'The tool failed';
}

/** Errors of the MCP library carry the server's words. */
const isForeign = (error: unknown): error is Error => error instanceof Error && error.name === 'McpError';

/** Models invent arguments; tools only get what they have declared. */
function declaredOnly({ parameters }: Tool, given: Fields): Fields {
  const properties = objectAt(parameters, 'properties');
  if (parameters.additionalProperties !== undefined && parameters.additionalProperties !== false) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
}
