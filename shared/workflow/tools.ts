/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const text = (description: string) => ({ type: 'string', description });

/** The tools that every installation has. */
export const BUILT_IN_TOOLS = {
  emit_event: {
    name: 'emit_event',
    description:
      'Publish an event on the event bus. Workflows that are subscribed to its type start. Pass on the correlation_id of the incoming event so that the runs stay linked.',
    parameters: {
      type: 'object',
      properties: {
        event_type: text('snake_case name of the event'),
        payload: text('The payload as a JSON-encoded string'),
        correlation_id: text('The correlation_id of the incoming event'),
      },
      required: ['event_type', 'payload'],
    },
  },
  http_request: {
    name: 'http_request',
    description: 'Call a public http or https address and get its status, headers and body.',
    parameters: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] },
        url: text('The complete address'),
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: text('The body, if any, as it should be sent'),
      },
      required: ['url'],
    },
  },
} as const satisfies Record<string, ToolDefinition>;

export type BuiltInTool = keyof typeof BUILT_IN_TOOLS;

export const isBuiltInTool = (toolId: string): toolId is BuiltInTool => Object.hasOwn(BUILT_IN_TOOLS, toolId);
