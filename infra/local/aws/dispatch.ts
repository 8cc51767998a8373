import { ZodError } from 'zod';
import { log } from '../../../shared/log.ts';
import { AwsFault } from './fault.ts';
import { readJson, type AwsCall, type PathService, type TargetService } from './wire.ts';

export interface Services {
  readonly byTarget: readonly TargetService[];
  readonly byPath: readonly PathService[];
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** One call in, one answer out, in the protocol of the service that was called. */
export async function dispatch(services: Services, call: AwsCall): Promise<AwsAnswer> {
  const header = call.headers['x-amz-target'];
  return typeof header === 'string' ? byTarget(services, call, header) : byPath(services, call);
}

async function byTarget({ byTarget }: Services, call: AwsCall, header: string): Promise<AwsAnswer> {
  const [target, name = ''] = header.split('.');
  const service = byTarget.find((candidate) => candidate.target === target);
  const headers = { 'content-type': `application/x-amz-json-${service?.version ?? '1.1'}` };
  try {
    const run = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!run) throw new AwsFault('UnknownOperationException', `${header} is not hosted locally.`);
    return { status: 200, headers, body: JSON.stringify((await run(readJson(call.body), call)) ?? {}) };
  } catch (error) {
    const fault = asFault(error, service?.invalid ?? 'ValidationException');
    const legacy = service?.legacyCodes && {
      'x-amzn-query-error': `${service.legacyCodes[fault.code] ?? fault.code};${fault.status < 500 ? 'Sender' : 'Receiver'}`,
    };
    return refusal(fault, { ...headers, ...legacy });
  }
}

async function byPath({ byPath }: Services, call: AwsCall): Promise<AwsAnswer> {
  const headers = { 'content-type': 'application/json' };
  const found = byPath
    .flatMap((service) => service.routes.map((route) => ({ service, route, match: route.path.exec(call.path) })))
    .find(({ route, match }) => match !== null && route.method === call.method);
  try {
    if (!found) throw new AwsFault('UnknownOperationException', `${call.method} ${call.path} is not hosted.`, 404);
    const params = (found.match ?? []).slice(1).map(decodeURIComponent);
    const result = await found.route.run(params, call);
    return { status: 200, headers, body: result === undefined ? '' : JSON.stringify(result) };
  } catch (error) {
    return refusal(asFault(error, found?.service.invalid ?? 'ValidationException'), headers);
  }
}

const refusal = (fault: AwsFault, headers: Record<string, string>): AwsAnswer => ({
  status: fault.status,
  headers: { ...headers, 'x-amzn-errortype': fault.code },
  body: JSON.stringify({ __type: fault.code, message: fault.message }),
});

function asFault(error: unknown, invalid: string): AwsFault {
  if (error instanceof AwsFault) return error;
  if (error instanceof ZodError) return new AwsFault(invalid, describe(error));
  if (error instanceof SyntaxError) return new AwsFault('SerializationException', 'The request body is not JSON.');
  if (error instanceof URIError) return new AwsFault(invalid, 'The path is not properly encoded.');
  log.error('local AWS call failed', { error });
  return new AwsFault('InternalFailure', 'The local AWS host failed; its log says why.', 500);
}

const describe = ({ issues }: ZodError) =>
  issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
