import type { Endpoint } from '../http/api.ts';
import { toHttpHandler, toStreamHandler } from '../http/lambda.ts';
import { createServe } from '../http/serve.ts';
import type { Settings } from '../settings/variables.ts';

/** The Lambda entry for a family's buffered routes. */
export const httpHandler = (endpoints: readonly Endpoint[], settings: Settings) =>
  toHttpHandler(
    createServe(
      endpoints.filter((one) => !streams(one)),
      { corsOrigins: settings.CORS_ALLOW_ORIGIN },
    ),
    settings.ORIGIN_SECRET,
  );

/** The Lambda entry for its streaming routes. The runtime's streaming global exists only inside Lambda. */
export const streamHandler = (endpoints: readonly Endpoint[], settings: Settings) =>
  'awslambda' in globalThis
    ? toStreamHandler(
        createServe(endpoints.filter(streams), { corsOrigins: settings.CORS_ALLOW_ORIGIN }),
        settings.ORIGIN_SECRET,
      )
    : undefined;

const streams = ({ route }: Endpoint) => route.transport === 'stream';
